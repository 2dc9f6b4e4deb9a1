"""The bench of recall prints what it promises. What things cost, and how good they are, is not asserted here."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NAMES = {
    f"{system}/{kind}_recall@10"
    for system in ("herma", "and", "and_or", "or")
    for kind in ("turn", "session", "multihop")
}


def _rows(*arguments: str) -> dict[str, dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "bench/recall.py", "--json", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    bench = json.loads(done.stdout)
    assert bench["bench"] == "recall"
    return {row["name"]: row for row in bench["rows"]}


def test_without_data_it_measures_speed() -> None:
    rows = _rows("--quick")
    assert set(rows) == {"query/100k", "index/100k", "catch_up/1k", "catch_up/100k"}
    assert rows["query/100k"]["floor"]
    assert rows["index/100k"]["ratio"]


def test_with_data_it_measures_how_much_is_found_with_and_without_names(tmp_path: Path) -> None:
    said = [
        {"speaker": "Ada", "dia_id": f"D1:{n}", "text": text} for n, text in enumerate(("I bought a kite.", "Good."))
    ]
    asked = [
        {"question": "What did Ada buy?", "answer": "a kite", "evidence": ["D1:0; D9:9"], "category": 1},
        {"question": "Why?", "answer": "", "evidence": ["D1:1"], "category": 5},
        {"question": "Where?", "answer": "", "evidence": [], "category": 2},
    ]
    talk = {"speaker_a": "Ada", "speaker_b": "Ben", "session_1_date_time": "noon", "session_1": said}
    (tmp_path / "talks.json").write_text(json.dumps([{"qa": asked, "conversation": talk}]))
    rows = _rows("--data", str(tmp_path / "talks.json"))
    assert set(rows) >= NAMES
    assert rows["herma/turn_recall@10"]["p50"] == 100.0
    assert rows["herma/multihop_recall@10/no_names"]["p50"] == 100.0
    assert rows["and/turn_recall@10"]["p50"] == 0.0
