"""The readers of both hosts, in this process: what the judge runs on inside an environment."""

import importlib.util
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from herma.install import judge
from tests.hosts.hermes import find

READERS = ("pyyaml", "ruamel")


def use(reader: str, patch: pytest.MonkeyPatch) -> None:
    """Let the judge find what it finds in Hermes 0.19 (`pyyaml`) or in 0.22, which has no PyYAML (`ruamel`)."""
    if reader == "ruamel":
        patch.setitem(sys.modules, "hermes_yaml", _hermes_yaml())
        patch.setitem(sys.modules, "yaml", None)
    else:
        patch.setitem(sys.modules, "hermes_yaml", None)


def ask(question: Mapping[str, object]) -> Any:
    """The judge's answer, through JSON both ways as from another process."""
    asked = json.loads(json.dumps(question))
    return json.loads(json.dumps(getattr(judge, asked.pop("ask"))(**asked)))


def load(text: str) -> Any:
    """The data in a text, by the reader in use."""
    return judge._load(text)


def _hermes_yaml() -> ModuleType:
    environment = find("0.22.2").python.parent.parent
    path = next(environment.glob("lib/python*/site-packages/hermes_yaml.py"), Path())
    if not path.name:
        reason = "Hermes 0.22.2, whose reader this is, is not installed; `make test` installs it"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    spec = importlib.util.spec_from_file_location("hermes_yaml", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
