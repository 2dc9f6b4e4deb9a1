"""Which files the host is told of when one was shown in part: those it knows by the path of the call."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from herma.hosts.hermes import tracker


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A host that has read some files for the task `t`; the list takes what it is told was seen in part."""
    noted: list[str] = []
    known = ["/home/me/project/.gitlab-ci.yml", "/home/me/project/gitlab-ci.yml", "/home/me/project/src/a.py"]
    state = ModuleType("tools.file_state")
    state.__dict__["known_reads"] = lambda task: known if task == "t" else []

    def record(task: str, path: str, *, partial: bool) -> None:
        assert (task, partial) == ("t", True)
        noted.append(path)

    state.__dict__["record_read"] = record
    monkeypatch.setitem(sys.modules, "tools.file_state", state)
    monkeypatch.setenv("HOME", "/home/me")
    return noted


@pytest.mark.parametrize(
    "path,named",
    [
        (".gitlab-ci.yml", "/home/me/project/.gitlab-ci.yml"),
        ("./.gitlab-ci.yml", "/home/me/project/.gitlab-ci.yml"),
        ("gitlab-ci.yml", "/home/me/project/gitlab-ci.yml"),
        ("../project/src/a.py", "/home/me/project/src/a.py"),
        ("~/project/src/a.py", "/home/me/project/src/a.py"),
        ("/home/me/project/src/../src/a.py", "/home/me/project/src/a.py"),
    ],
)
def test_a_file_is_known_by_every_way_to_write_its_path(told: list[str], path: str, named: str) -> None:
    assert tracker.mark_partial("t", path) == 1
    assert told == [named]


@pytest.mark.parametrize("path", ["a.pyc", "rc/a.py", "..", ".", "/elsewhere/src/a.py", None, 7])
def test_another_file_is_not_named(told: list[str], path: object) -> None:
    assert tracker.mark_partial("t", path) == 0
    assert told == []


def test_a_link_leads_to_the_file_that_the_host_knows(told: list[str], tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/home/me/project/src/a.py")
    assert tracker.mark_partial("t", str(tmp_path / "link")) == 1
    assert told == ["/home/me/project/src/a.py"]


def test_a_host_without_that_record_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tools.file_state", raising=False)
    assert tracker.mark_partial("t", "a.py") == 0
