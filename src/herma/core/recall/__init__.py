"""Finding past conversations: pure decisions."""
