"""The tables of an index, and the numbers that places are made of.

A message's number says where it stands: its session's number, then whether it is a tool's, then its number in the
session. Neighbours differ by one, and no message of another session is near. `words` and `pieces` hold no text of
their own; what they were given follows from `turn.text`.
"""

__all__ = ["FIRST", "SESSION", "TABLES", "TEMPORARY", "TOOL", "VERSION", "session_of"]

VERSION = 1

SESSION = 20  # bits for the messages of a session
TOOL = 1 << (SESSION - 1)
FIRST = 8  # leaves room below the first message for what would be its neighbours

# Porter's endings are English, and only words of plain Latin letters have theirs taken off. Marks are parts of words:
# without them Hindi and Thai fall apart at every vowel sign.
_WORDS = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"

TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE session (
        no INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
        directory TEXT NOT NULL, parent TEXT NOT NULL, owner TEXT NOT NULL, started_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL, hidden INTEGER NOT NULL, texts INTEGER NOT NULL, tools INTEGER NOT NULL)""",
    """CREATE TABLE turn (
        id INTEGER PRIMARY KEY, length INTEGER NOT NULL, at INTEGER NOT NULL, place INTEGER NOT NULL,
        kind TEXT NOT NULL, role TEXT NOT NULL, speaker TEXT NOT NULL, message_id TEXT NOT NULL, text TEXT NOT NULL)""",
    "CREATE INDEX turn_message ON turn (message_id)",
    f"CREATE VIRTUAL TABLE words USING fts5 (text, content = '', tokenize = \"{_WORDS}\")",
    "CREATE VIRTUAL TABLE pieces USING fts5 (text, content = '', detail = none, tokenize = 'ascii')",
)

# `mine` says which numbers are a person's past; everything that is read of messages is read through it.
TEMPORARY = (
    "CREATE TEMP TABLE mine (person TEXT, lo INTEGER, hi INTEGER, PRIMARY KEY (person, lo)) WITHOUT ROWID",
    "CREATE VIRTUAL TABLE temp.word_at USING fts5vocab ('main', 'words', 'instance')",
    "CREATE VIRTUAL TABLE temp.piece_at USING fts5vocab ('main', 'pieces', 'instance')",
)


def session_of(place: int) -> int:
    """The number of the session that a message stands in."""
    return place >> SESSION
