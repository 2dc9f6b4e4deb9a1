"""What can go wrong with an environment, in one line that says what to do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# The first pattern found in a program's output names the cause; the order is from the surest to the vaguest.
CAUSES = (
    (
        r"DO NOT MATCH THE HASHES",
        "a download differs from its pinned hash",
        "trust neither; compare with another index, then `make lock`",
    ),
    (r"No space left on device", "the disk is full", "free some space and run the same command again"),
    (
        r"Retrying \(|ConnectionError|Max retries exceeded|name resolution|ProxyError|SSLError|[Tt]imed out",
        "the package index cannot be reached",
        "check the network and pip's index settings, then run the same command again",
    ),
    (
        r"No matching distribution found|Could not find a version",
        "the package index does not serve a pinned release for this Python and machine",
        "use another index, or `make lock` for what it serves today",
    ),
)


class Trouble(Exception):  # noqa: N818 (a person reads it: it is no bug of a caller's)
    """An environment cannot be had. `message` is the fault, `hint` what the person can do."""

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(f"{message}; {hint}")
        self.hint = hint


def diagnosis(output: str, *, subject: str, log: Path) -> Trouble:
    """The trouble behind a failed program's `output`; `subject` is the file it was working from."""
    for pattern, message, hint in CAUSES:
        if re.search(pattern, output):
            return Trouble(f"{subject}: {message}", hint=f"{hint} (log: {log})")
    return Trouble(f"{subject}: {_verdict(output)}", hint=f"the whole story is in {log}")


def _verdict(output: str) -> str:
    """The line that says most: the last exception of a traceback, else the last line."""
    raised = re.findall(r"^\s*(\w+Error: .+)$", output, re.MULTILINE)
    lines = raised or output.split("\n")
    said = [line.strip() for line in lines if line.strip()]
    return said[-1] if said else "it failed without a word"
