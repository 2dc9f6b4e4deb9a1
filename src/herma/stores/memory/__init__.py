"""The curated memory on disk."""
