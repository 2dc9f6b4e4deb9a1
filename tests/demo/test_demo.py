"""`make demo`: a real Hermes turn, each read with its outcome and its tokens before and after."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.hosts.hermes import find

ROOT = Path(__file__).resolve().parents[2]


def _demo(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "demo", *arguments], cwd=ROOT, capture_output=True, text=True, check=False, timeout=280
    )


@pytest.mark.xdist_group("hermes-0.19.0")
def test_the_demo_prints_each_read_with_its_outcome_and_its_tokens() -> None:
    if not find("0.19.0").available():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(find("0.19.0").missing)
    done = _demo("--json")

    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert list(printed) == ["schema", "data", "warnings"]
    assert "approx" in printed["data"]["tokens"]
    reads = {read["title"]: read for read in printed["data"]["reads"]}
    log, page, small = reads["a log of 6,000 lines"], reads["the page its marker names"], reads["a small file"]
    assert log["reason"] == "shortened"
    assert log["after"] < log["before"]
    assert (page["reason"], page["after"]) == ("own_range", page["before"])
    assert (small["reason"], small["after"]) == ("small", small["before"])
    first, again, once_more = (reads[title] for title in list(reads)[-3:])
    assert (again["reason"], again["after"] < first["after"]) == ("note", True)
    assert once_more["after"] == first["after"]
    people = printed["data"]["people"]
    outcomes = [scene["outcome"] for scene in people["scenes"] if scene["who"] == "Anna"]
    asked = "does not run; the owner is asked"
    assert outcomes == [asked, asked, "runs", asked, "Anna's fact"]
    assert people["scenes"][0]["outcome"] == "refused"
    assert people["verified"].startswith("intact")
    opencode = printed["data"]["opencode"]
    assert opencode["skipped"] or (opencode["in_writing_session"], opencode["in_next_session"]) == (False, True)
    assert opencode["skipped"] or "Ms Linde has the spare key" in opencode["found"]


def test_an_unknown_version_is_refused_with_the_ones_there_are() -> None:
    done = _demo("--hermes", "0.1.0")
    assert done.returncode == 2
    assert "0.19.0" in done.stderr
