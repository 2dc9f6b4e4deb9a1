import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import ON, Herma, configure


@pytest.mark.usefixtures("env")
@pytest.mark.parametrize(
    "settings, symptom, summary",
    [
        ({"head_lines": 0}, "head-empty", "head_lines is 0 (read_summarizer): nothing of a file's start is kept"),
        ({"tail_lines": 3}, "tail-empty", "tail_lines is 3 (read_summarizer): little of a file's end is kept"),
        ({"allowed_tools": ["Read"]}, "no-marker", "allowed_tools has no read_file (read_summarizer)"),
        ({"head_lines": 5000}, "still-full", "head_lines is 5000 (read_summarizer), tail_lines is 50 (default)"),
    ],
)
def test_a_setting_that_makes_a_symptom_is_warned_about(
    settings: dict[str, object], symptom: str, summary: str, tmp_path: Path, herma: Herma
) -> None:
    configure(tmp_path, {**ON, "read_summarizer": {"enabled": True, **settings}})

    outcome = herma("doctor", "--json")

    assert outcome.check(symptom)["status"] == "warn"
    assert outcome.check(symptom)["summary"].startswith(summary)
    assert outcome.check(symptom)["hint"]
    assert outcome.code == 1


@pytest.mark.usefixtures("env")
def test_a_result_that_is_still_full_is_explained_by_the_threshold_in_force(tmp_path: Path, herma: Herma) -> None:
    configure(tmp_path, {**ON, "read_summarizer": {"enabled": True, "threshold_bytes": 90_000}})

    assert "threshold_bytes is 90000 (read_summarizer)" in herma("doctor", "--json").check("still-full")["summary"]


@pytest.mark.usefixtures("env")
@pytest.mark.parametrize("changed, status", [(0, "warn"), (4_000_000_000, "pass")])
def test_warnings_in_the_logs_are_counted_and_those_from_before_the_last_change_forgiven(
    changed: int, status: str, tmp_path: Path, herma: Herma
) -> None:
    path = configure(tmp_path, ON)
    os.utime(path, (changed, changed))
    log = tmp_path / ".hermes" / "logs" / "errors.log"
    log.parent.mkdir()
    log.write_text("2026-11-30 09:30:01,123 WARNING herma: read-summarizer: SECRET\n", encoding="utf-8")

    found = herma("doctor", "--json").check("not-saved")

    assert found["status"] == status
    assert "1 warning about read-summarizer in the logs, the last at 2026-11-30 09:30:01" in found["summary"]
    assert "SECRET" not in json.dumps(found)
