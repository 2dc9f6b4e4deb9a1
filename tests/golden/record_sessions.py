"""Records how the database of a real host is laid out, for the tests that build one of their own.

Run it on a database that the host has made, and give it the file to write:

    python -m tests.golden.record_sessions ~/.hermes/state.db tests/golden/sessions-hermes-0.19.0.json

Nothing that a person said is in it: names, types and defaults of columns, and which columns an index has.
"""

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

TABLES = ("sessions", "messages", "session", "message", "part", "session_message", "event_sequence")


def main() -> None:
    """`record_sessions DATABASE FILE`."""
    database, file = map(Path, sys.argv[1:])
    with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as opened:
        shapes = {table: shape for table in TABLES if (shape := _shape(opened, table))["columns"]}
    text = json.dumps(shapes, indent=1, ensure_ascii=False)
    file.write_text(text + "\n", encoding="utf-8")


def _shape(database: sqlite3.Connection, table: str) -> dict[str, Any]:
    columns = [
        {"name": name, "type": kind, "required": bool(required), "default": default, "key": bool(key)}
        for _, name, kind, required, default, key in database.execute("SELECT * FROM pragma_table_info(?)", [table])
    ]
    # An index over an expression or a part of the rows is of no use to a reader that does not know it.
    indexes = [
        {"unique": bool(unique), "columns": names}
        for _, index, unique, origin, partial in database.execute("SELECT * FROM pragma_index_list(?)", [table])
        if origin == "c" and not partial and None not in (names := _names(database, index))
    ]
    return {"columns": columns, "indexes": indexes}


def _names(database: sqlite3.Connection, index: str) -> list[str | None]:
    return [name for _, _, name in database.execute("SELECT * FROM pragma_index_info(?)", [index])]


if __name__ == "__main__":
    main()
