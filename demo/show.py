"""The demo as a page of text, or as one JSON object."""

import json
from collections.abc import Mapping

from demo.run import Demo, Row

__all__ = ["as_json", "as_text"]

_EXCERPT_LINES = 3


def as_json(demo: Demo, **parts: Mapping[str, object]) -> str:
    """One object: the host, the method of counting, a row for each read, and each other part under its name."""
    reads = [row._asdict() for row in demo.rows]
    data = {"hermes": demo.hermes, "tokens": demo.method, "reads": reads, **parts}
    return json.dumps({"schema": "herma/demo/1", "data": data, "warnings": []}, indent=2)


def as_text(demo: Demo) -> str:
    """A table of the reads, and what the model saw of the first."""
    total_before = sum(row.before for row in demo.rows)
    total_after = sum(row.after for row in demo.rows)
    head = f"{'read':<32}{'outcome':<18}{'tokens':>9}{'with Herma':>12}"
    return "\n".join(
        [
            f"Hermes {demo.hermes}, a scripted model, no key: one turn without Herma, and with both reading plugins.",
            "",
            head,
            "-" * len(head),
            *(_line(row) for row in demo.rows),
            "-" * len(head),
            f"{'sum':<50}{total_before:>9,}{total_after:>12,}",
            f"Tokens: {demo.method}.",
            "",
            "To a repeated read Hermes alone says “unchanged”, and then that it is BLOCKED, whether or not the text is",
            "still in the request. With read-once there is a note where that is proved, and content everywhere else.",
            "",
            "What the model saw of the log:",
            *_excerpt(demo.shortened),
        ]
    )


def _line(row: Row) -> str:
    return f"{row.title:<32}{row.reason:<18}{row.before:>9,}{row.after:>12,}"


def _excerpt(result: str) -> list[str]:
    record = json.loads(result)
    lines = record["content"].split("\n")
    mark = next((n for n, line in enumerate(lines) if line.startswith("... [read-summarizer: ")), len(lines))
    shown = [*lines[:_EXCERPT_LINES], "    (…)", *lines[mark - 1 : mark + 2], "    (…)", lines[-1]]
    return [*(f"  {line}" for line in shown), "", f"  hint: {record.get('hint', '')}"]
