"""Where people, their asks and their trail are kept: one SQL text, SQLite underneath."""
