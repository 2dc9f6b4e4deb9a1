"""docs/safety.md names a test for each promise, and each of these tests is there."""

import ast
import re
from pathlib import Path

from herma.core.reasons import REASONS

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\|(?P<promise>(?: [^|]+ \|)+) (?P<tests>[^|]*`test_[^|]*) \|$", re.MULTILINE)


def _defined() -> set[str]:
    names = set()
    for path in ROOT.glob("tests/**/test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                names.add(node.name)
    return names


def test_each_promise_names_tests_that_exist() -> None:
    rows = ROW.findall((ROOT / "docs" / "safety.md").read_text("utf-8"))
    assert len(rows) >= 20
    defined = _defined()
    for promise, tests in rows:
        named = re.findall(r"`(test_\w+)`", tests)
        assert named, promise
        assert set(named) <= defined, promise


def test_each_system_with_reasons_has_its_promises() -> None:
    text = (ROOT / "docs" / "safety.md").read_text("utf-8")
    for system in {reason.system for reason in REASONS}:
        assert f"## {system}" in text
