"""Who is speaking and what they may do: pure decisions."""
