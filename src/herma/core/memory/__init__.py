"""What is remembered: pure decisions."""
