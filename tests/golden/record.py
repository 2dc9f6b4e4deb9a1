"""Records what a real Hermes answers to `read_file`, for the tests that run without one.

Run it with the Python of an environment that has Hermes, and give it the file to write:

    python -m tests.golden.record tests/golden/read_file-0.19.0.json
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.golden.recording import PLAIN, write

# Lower than a host's own budget of 100,000 characters a page, so that the recordings stay small.
MOST_CHARS = 5_000


class Recipe(NamedTuple):
    """A file: runs of equal lines (how often, text with `{n}`), joined and followed by `rest`."""

    runs: Sequence[tuple[int, str]]
    rest: str = ""

    def text(self) -> str:
        """What stands in the file."""
        counted = (line for times, line in self.runs for line in [line] * times)
        return "".join(line.replace("{n}", str(n)) + "\n" for n, line in enumerate(counted, 1)) + self.rest


# Shaped like a key, so that the host takes it out; there is no key in it.
RULES = "-----{} RSA PRIVATE KEY-----"
SECRET = [(1, RULES.format("BEGIN")), (20, "MIInokeyatall{n}"), (1, RULES.format("END"))]
NOTEBOOK = {
    "cells": [{"cell_type": "code", "source": [f"print({n})\n" for n in range(90)], "outputs": [], "metadata": {}}],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}
FILES = {
    "small.txt": Recipe([(2, "line {n}")]),
    "empty.txt": Recipe([]),
    "short-open.txt": Recipe([(2, "line {n}")], "the end"),
    "page-and-one.txt": Recipe([(501, "{n}")]),
    "page-open.txt": Recipe([(500, "{n}")], "the end"),
    "page.txt": Recipe([(500, "{n}")]),
    "log.txt": Recipe([(520, "{n}")]),
    "log-open.txt": Recipe([(520, "{n}")], "the end"),
    "blank-ends.txt": Recipe([(1, ""), (502, "{n}"), (3, "")]),
    "budget.txt": Recipe([(90, "{n} " + "b" * 60)]),
    "one-line.json": Recipe([], '{"a": [' + "1234567, " * 600 + "0]}"),
    "wide.txt": Recipe([(45, "{n} " + "w" * 60)]),
    "cut.txt": Recipe([(3, "line {n}"), (2, "{n}" + "y" * 2100), (1, "told ... [truncated]"), (2, "line {n}")]),
    "cjk.txt": Recipe([(30, "{n} 漢字かな交じり文 🙂 と文字")]),
    "odd-ends.txt": Recipe([(20, "{n} carriage\r"), (20, "{n} form\ffeed \u2028 separator"), (20, "7|looks {n}")]),
    "marked.txt": Recipe([(40, "... [read-summarizer: {n} lines, 1 bytes]")]),
    "secret.txt": Recipe([(60, "line {n}"), *SECRET, (60, "line {n}")]),
    "notebook.ipynb": Recipe([], json.dumps(NOTEBOOK)),
}
# What is asked of each file, in this order, in one conversation.
ASKED: dict[str, Sequence[dict[str, Any]]] = {
    "small.txt": (PLAIN, {"offset": 3}, {"offset": 9}, PLAIN, PLAIN),
    "page-open.txt": (PLAIN, {"offset": 450, "limit": 70}, {"offset": 201, "limit": 300}),
    "page-and-one.txt": (PLAIN, {"offset": 201, "limit": 300}),
    "log.txt": (PLAIN, {"offset": 451, "limit": 40}, {"offset": 500, "limit": 40}, {"offset": 0, "limit": 9}),
    "log-open.txt": (PLAIN, {"offset": 500, "limit": 40}),
    "budget.txt": (PLAIN, {"offset": 70, "limit": 30}),
    "wide.txt": (PLAIN, {"offset": 40}),
}


def write_files(folder: Path) -> None:
    """Every file, and two that are no text."""
    for name, recipe in FILES.items():
        (folder / name).write_bytes(recipe.text().encode())
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    (folder / "bytes.dat").write_bytes(bytes(range(256)) * 4)


def main() -> None:
    """Write the file that was named."""
    names = [*FILES, "picture.png", "bytes.dat", "missing.txt"]
    write(names, ASKED, write_files, config=f"file_read_max_chars: {MOST_CHARS}\n")


if __name__ == "__main__":
    main()
