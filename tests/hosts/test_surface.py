"""What a plugin says that it registers is what the real host saw it register, and the host's own checks agree."""

import json
from pathlib import Path

import pytest

from herma.hosts.hermes.surface import SURFACES, Surface
from tests.hosts.command import run_python
from tests.hosts.hermes import ROOT, Hermes
from tests.hosts.homes import Homes
from tests.hosts.model import ScriptedModel

# Asked inside the host: everything that a plugin hands to its context, by the method that took it.
RECORD = """
import importlib, json, sys

class Recorder:
    profile_name = ""
    def __init__(self):
        self.seen = {}
    def __getattr__(self, name):
        if not name.startswith("register_"):
            raise AttributeError(name)
        return lambda *args, **kwargs: self.seen.setdefault(name, []).append(args[0] if args else kwargs.get("name"))

recorder = Recorder()
importlib.import_module(sys.argv[1]).register(recorder)
print(json.dumps(recorder.seen))
"""


def _in_host(hermes: Hermes, homes: Homes, model: ScriptedModel, *arguments: str) -> str:
    return run_python(hermes, homes.make(hermes, model), arguments).stdout


@pytest.mark.parametrize("surface", SURFACES, ids=lambda surface: surface.plugin)
def test_the_disclosure_names_exactly_what_is_registered(
    surface: Surface, hermes: Hermes, homes: Homes, model: ScriptedModel
) -> None:
    seen = json.loads(_in_host(hermes, homes, model, "-c", RECORD, surface.module))
    assert sorted(seen.pop("register_hook", [])) == sorted(
        h.name for h in surface.hooks if hermes.version in h.versions
    )
    assert sorted(seen.pop("register_middleware", [])) == sorted(kind.name for kind in surface.middleware)
    assert sorted(seen.pop("register_command", [])) == sorted(surface.commands)
    assert sorted(seen.pop("register_tool", [])) == sorted(surface.tools)
    assert sorted(seen.pop("register_approval_transport", [])) == sorted(surface.transports)
    assert sorted(seen.pop("register_cli_command", [])) == sorted(surface.shell_commands)
    assert seen == {}


@pytest.mark.parametrize("surface", SURFACES, ids=lambda surface: surface.plugin)
def test_the_hosts_own_checks_pass_without_warnings(
    surface: Surface, hermes: Hermes, homes: Homes, model: ScriptedModel
) -> None:
    if hermes.version == "0.19.0":
        pytest.skip("Hermes 0.19 has neither `plugins validate` nor `plugins doctor`")
    tree = str(ROOT / "integrations" / "hermes" / surface.plugin)
    run = ("-m", "hermes_cli.main", "plugins")
    validated = _in_host(hermes, homes, model, *run, "validate", tree)
    examined = _in_host(hermes, homes, model, *run, "doctor", tree, "--ci")
    for printed in (validated, examined):
        assert "warn" not in printed.lower().replace("0 warning", ""), printed
        assert "error" not in printed.lower().replace("0 error", ""), printed


def test_a_plugins_tree_holds_no_logic() -> None:
    # That of manyhands refuses everybody where its package is missing: see tests/hosts/test_people_missing.py.
    trees = Path(ROOT / "integrations" / "hermes").glob("*/__init__.py")
    for init in (tree for tree in trees if tree.parent.name != "manyhands"):
        statements = [
            line for line in init.read_text("utf-8").splitlines() if line and not line.startswith(('"""', " "))
        ]
        assert all(line.startswith(("from herma", "__all__")) for line in statements), init
