"""The benches run and print what they promise. What things cost is not asserted here."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
FIELDS = ["name", "p50", "p99", "unit", "floor", "ratio"]


def _run(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "bench", *arguments], cwd=ROOT, capture_output=True, text=True, check=True, timeout=280
    )
    return done.stdout


def _rows(bench: dict[str, Any]) -> dict[str, dict[str, Any]]:
    assert list(bench) == ["bench", "rows"]
    assert all(list(row) == FIELDS for row in bench["rows"])
    return {row["name"]: row for row in bench["rows"]}


@pytest.mark.xdist_group("hermes-0.19.0")
def test_the_bench_of_the_hooks_prints_one_object_with_its_rows() -> None:
    rows = _rows(json.loads(_run("hooks", "--json", "--quick")))
    assert {"register/cpu", "idle_hook", "summarize/200KB"} <= set(rows)
    assert rows["idle_hook"]["floor"] is None
    assert rows["summarize/200KB"]["ratio"] == pytest.approx(
        rows["summarize/200KB"]["p50"] / rows["summarize/200KB"]["floor"], rel=0.01
    )


@pytest.mark.xdist_group("hermes-0.22.2")
def test_the_bench_of_reading_prints_its_rows_and_what_conversations_would_have_saved() -> None:
    rows = _rows(json.loads(_run("reading", "--json", "--quick")))
    assert {"hit/1KB", "hit/64KB", "hit/1MB", "visibility/2MB", "visibility/2MB/equal"} <= set(rows)
    for path in (ROOT / "tests" / "golden" / "conversations").glob("*.jsonl"):
        spent = {part: rows[f"replay/{path.stem}/{part}"]["p50"] for part in ("not_sent", "notes", "refetches", "net")}
        assert spent["net"] == spent["not_sent"] - spent["notes"] - spent["refetches"]
        assert spent["not_sent"] > 0
