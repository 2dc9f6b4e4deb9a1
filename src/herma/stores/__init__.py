"""What is outside the process: files, and later databases. Named failures come back as values."""
