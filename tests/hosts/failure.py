"""What a test says when a host did not do what was expected."""

from pathlib import Path

LOG_LINES = 60


class HostError(AssertionError):
    """A real host failed, died, or did not say what was waited for; the text carries the ends of its logs."""


def tail(path: Path, *, lines: int = LOG_LINES) -> str:
    """The end of a text file under its name; a missing file is said to be missing."""
    if not path.is_file():
        return f"--- {path.name}: missing"
    text = path.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:]
    return "\n".join((f"--- {path.name}, last {len(text)} lines", *text))


def report(summary: str, *sections: str) -> HostError:
    """A failure with its sections one under the other."""
    return HostError("\n".join((summary, *(section for section in sections if section))))
