"""Where read-summarizer's settings stand in config.yaml, in the real host."""

import json
from pathlib import Path
from typing import Any

from tests.hosts.hermes import Hermes
from tests.hosts.homes import Homes
from tests.hosts.model import ScriptedModel, call, say
from tests.hosts.turn import run_turn

LINES = [f"{n} a line of a log that is read with other settings" for n in range(1, 1201)]


def _read(hermes: Hermes, homes: Homes, model: ScriptedModel, folder: Path, config: dict[str, Any]) -> tuple[str, str]:
    (folder / "some.log").write_text("\n".join(LINES) + "\n", encoding="utf-8")
    model.replies(call("read_file", path="some.log"), say("done"))
    home = homes.make(hermes, model, enabled=["read-summarizer"], config=config)
    run_turn(hermes, home, "read", cwd=folder)
    return model.requests[-1].last_tool_text, home.log.read_text("utf-8")


def _settings(**values: object) -> dict[str, Any]:
    return {"plugins": {"entries": {"read-summarizer": {"settings": values}}}}


def test_the_hosts_own_place_counts_and_the_block_at_the_top_wins_key_by_key(
    hermes: Hermes, homes: Homes, model: ScriptedModel, folder: Path
) -> None:
    config = {**_settings(enabled=True, head_lines=5, tail_lines=3), "read_summarizer": {"head_lines": 7}}
    text, _ = _read(hermes, homes, model, folder, config)
    lines = json.loads(text)["content"].split("\n")
    assert lines[:7] == [f"{n}|{line}" for n, line in enumerate(LINES[:7], 1)]
    assert "truncated to first 7 + last 3;" in lines[7]
    assert lines[8:] == [f"{n}|{line}" for n, line in enumerate(LINES[-3:], 1198)]


def test_a_value_that_cannot_be_used_leaves_the_result_whole_and_is_named_in_the_log(
    hermes: Hermes, homes: Homes, model: ScriptedModel, folder: Path
) -> None:
    config = {"read_summarizer": {"enabled": True, "threshold_bytes": "50k", "head_line": 5}}
    text, log = _read(hermes, homes, model, folder, config)
    assert "[read-summarizer: " not in text
    assert json.loads(text)["content"].startswith(f"1|{LINES[0]}\n2|{LINES[1]}\n")
    assert "read_summarizer.threshold_bytes must be a whole number of at least 1000, not str" in log
    assert "read_summarizer.head_line is not a setting; did you mean head_lines?" in log
