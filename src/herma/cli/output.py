"""What goes to a person or a program: text that any terminal can show, or one JSON object."""

import json
import sys
from collections.abc import Iterable
from typing import TextIO

from herma.core.visible import visible

__all__ = ["say", "say_json"]


def say(lines: Iterable[str], stream: TextIO | None = None) -> None:
    """Write lines to a stream, stdout unless another is given, with all that could mislead a reader made visible.

    A character that the stream's encoding does not have is written as an escape.
    """
    stream = stream or sys.stdout
    text = "".join(f"{visible(line)}\n" for line in lines)
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def say_json(schema: str, data: object, warnings: Iterable[str] = ()) -> None:
    """Write the envelope of every `--json` to stdout. Its strings are the true ones; JSON's escapes keep them tame."""
    text = json.dumps({"schema": schema, "data": data, "warnings": list(warnings)}, indent=2)
    sys.stdout.write(text.replace("\x7f", "\\u007f") + "\n")  # the one control that JSON lets stand
