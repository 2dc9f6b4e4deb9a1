"""What the observer plugin wrote."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

OBSERVER = Path(__file__).parent / "plugins" / "observer"
OTHERTOOLS = Path(__file__).parent / "plugins" / "othertools"


class Observed(NamedTuple):
    """The log of the observer plugin in one host."""

    path: Path

    def environment(self, *, text: bool = False, veto: str = "") -> dict[str, str]:
        """What the host is started with: `text` keeps full results, `veto` forbids `read_file` of such paths."""
        wanted = {"OBSERVER_LOG": str(self.path), "OBSERVER_TEXT": "1" if text else "", "OBSERVER_VETO": veto}
        return {name: value for name, value in wanted.items() if value}

    def events(self, event: str | None = None, **fields: Any) -> list[Mapping[str, Any]]:
        """The records of one kind (or of all) whose fields have these values, in the order they were written."""
        if not self.path.exists():
            return []
        wanted = fields if event is None else {"event": event, **fields}
        lines = self.path.read_text(encoding="utf-8").splitlines()
        records: list[Mapping[str, Any]] = [json.loads(line) for line in lines]
        return [each for each in records if all(each.get(name) == value for name, value in wanted.items())]
