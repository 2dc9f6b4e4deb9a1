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


@pytest.fixture(scope="module")
def hooks() -> dict[str, dict[str, Any]]:
    """The rows of one quick run."""
    return _rows(json.loads(_run("hooks", "--json", "--quick")))


@pytest.mark.xdist_group("hermes-0.19.0")
def test_the_bench_of_the_hooks_prints_one_object_with_its_rows(hooks: dict[str, dict[str, Any]]) -> None:
    rows = hooks
    assert {"register/cpu", "idle_hook", "summarize/200KB"} <= set(rows)
    assert rows["idle_hook"]["floor"] is None
    assert rows["summarize/200KB"]["ratio"] == pytest.approx(
        rows["summarize/200KB"]["p50"] / rows["summarize/200KB"]["floor"], rel=0.01
    )


@pytest.mark.xdist_group("hermes-0.19.0")
def test_the_bench_of_the_hooks_prints_what_judging_people_costs(hooks: dict[str, dict[str, Any]]) -> None:
    rows, names = hooks, ("pre_tool_call", "post_api_request", "pre_llm_call")
    houses = ("", "/10000_people", "/1e6_rows")
    wanted = {f"{hook}{house}{tail}" for hook in names for house in houses for tail in ("", "/p99.9")}
    assert wanted | {"decide/600_rules", "shared_room/prefix"} <= set(rows)
    assert all(rows[name]["floor"] for name in wanted)
    assert all(rows[f"{hook}/published"]["unit"] == "us" for hook in names), "beside ours stand the original's figures"


@pytest.mark.xdist_group("hermes-0.22.2")
def test_the_bench_of_reading_prints_its_rows_and_what_conversations_would_have_saved() -> None:
    rows = _rows(json.loads(_run("reading", "--json", "--quick")))
    assert {"hit/1KB", "hit/64KB", "hit/1MB", "visibility/2MB", "visibility/2MB/equal"} <= set(rows)
    for path in (ROOT / "tests" / "golden" / "conversations").glob("*.jsonl"):
        spent = {part: rows[f"replay/{path.stem}/{part}"]["p50"] for part in ("not_sent", "notes", "refetches", "net")}
        assert spent["net"] == spent["not_sent"] - spent["notes"] - spent["refetches"]
        assert spent["not_sent"] > 0


def test_the_bench_of_memory_prints_its_rows_beside_the_bare_file_work() -> None:
    rows = _rows(json.loads(_run("memory", "--json", "--quick")))
    wanted = {"add", "batch5", "snapshot", "snapshot/cold", "snapshot/new_session", "add/8_processes"}
    assert wanted <= set(rows)
    assert all(rows[name]["floor"] for name in wanted)


def test_the_bench_of_the_sidecar_prints_its_rows_beside_a_plain_echo_server() -> None:
    rows = _rows(json.loads(_run("sidecar", "--json", "--quick")))
    assert {"sidecar/start_cpu", "sidecar/rtt_50B", "sidecar/rtt_4KB", "inject"} == set(rows)
    assert all(row["floor"] > 0 for row in rows.values())
