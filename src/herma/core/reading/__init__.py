"""What the model reads: pure decisions about the result of a read."""
