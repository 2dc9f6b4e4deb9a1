"""`herma setup`, `doctor` and `remove` with `--host opencode`, in homes of every kind."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from herma.cli.main import main
from herma.hosts.opencode.requests import TESTED
from herma.install.machine import Machine

OPENCODE = ("--host", "opencode")


class Person:
    """A home with an OpenCode that only says its version."""

    def __init__(self, folder: Path, *, version: str = TESTED) -> None:
        self.folder = folder
        self.config = folder / ".config" / "opencode"
        self.plugin = folder / ".local" / "share" / "herma" / "opencode-hermes"
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.program("opencode", f"echo {version}")
        self.environ = {"PATH": str(self.bin), "HOME": str(folder)}

    def program(self, name: str, text: str) -> Path:
        """A program on PATH."""
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    def write(self, name: str, text: str) -> Path:
        """A file in OpenCode's configuration folder."""
        path = self.config / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def herma(self, *arguments: str) -> int:
        """One command line; its exit code."""
        return main([*arguments, *OPENCODE], machine=Machine(self.environ, self.folder, Path(sys.prefix)))

    def checks(self, capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, str]]:
        """What the doctor finds."""
        capsys.readouterr()
        self.herma("doctor", "--json")
        (host,) = json.loads(capsys.readouterr().out)["data"]["hosts"]
        return {check["id"]: check for check in host["checks"]}

    def files(self) -> dict[str, bytes]:
        """Everything in the home."""
        found = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in found}


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


@pytest.mark.parametrize(
    "name,text",
    [
        ("opencode.json", '{"theme": "dark"}'),
        ("opencode.jsonc", '{\n  // mine\n  "plugin": [\n    "a", // of mine\n  ],\n}\n'),
        ("config.json", '{"plugin": []}'),
        ("", ""),
    ],
)
def test_what_setup_does_is_undone_byte_for_byte(person: Person, name: str, text: str) -> None:
    if name:
        person.write(name, text)
    before = person.files()
    assert person.herma("setup", "--yes") == 0
    assert person.plugin.as_uri() in "".join(path.read_text("utf-8") for path in person.config.glob("*.json*"))
    assert person.herma("setup", "--yes") == 0  # nothing to do
    assert person.herma("remove", "--yes") == 0
    assert person.files() == before
    assert person.config.exists() == bool(name)


def test_a_file_that_the_person_changed_meanwhile_loses_only_our_entry(person: Person) -> None:
    path = person.write("opencode.json", '{\n  "plugin": ["a"]\n}\n')
    person.herma("setup", "--yes")
    path.write_text(path.read_text("utf-8").replace("{\n", '{\n  "theme": "dark", // new\n', 1), encoding="utf-8")
    person.herma("remove", "--yes")
    assert path.read_text("utf-8") == '{\n  "theme": "dark", // new\n  "plugin": ["a" ]\n}\n'


def test_a_plugin_of_the_same_name_stops_the_setup(person: Person, capsys: pytest.CaptureFixture[str]) -> None:
    person.write("opencode.json", '{"plugin": [["file:///home/you/opencode-hermes/plugin.ts", {}]]}')
    before = person.files()
    assert person.herma("setup", "--yes") == 1
    assert "a memory of its own" in capsys.readouterr().out
    assert person.files() == before


def test_a_configuration_that_is_not_understood_stops_it_with_the_line_to_put_in(
    person: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    person.write("opencode.json", '{"plugin": [}')
    before = person.files()
    assert person.herma("setup", "--yes") == 1
    assert f'"plugin": ["{person.plugin.as_uri()}"]' in capsys.readouterr().out
    assert person.files() == before


@pytest.mark.parametrize("name", ["package.json", "plugins/mine.ts", "node_modules/x/index.js"])
def test_a_folder_whose_own_code_may_need_the_packages_is_not_marked_as_having_them(
    person: Person, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    person.write(name, "{}")
    person.herma("setup", "--yes")
    assert "without a network" in capsys.readouterr().out
    assert not (person.config / "package-lock.json").exists()
    assert person.checks(capsys)["start"]["status"] == "warn"


def test_an_older_plugin_is_replaced_and_removal_takes_all_of_it(person: Person) -> None:
    before = person.files()
    person.herma("setup", "--yes")
    (person.plugin / "index.js").write_text("// older\n", encoding="utf-8")
    person.herma("setup", "--yes")
    assert "export default" in (person.plugin / "index.js").read_text("utf-8")
    person.herma("remove", "--yes")
    left = [name for name in person.files() if name not in before]
    # What somebody wrote into our file in between is theirs, and stays.
    assert all(name.startswith(".local/share/herma/opencode-hermes/") for name in left)
    assert (person.plugin / "index.js").read_text("utf-8") == "// older\n"


def test_the_doctor_is_content_after_setup_and_writes_nothing(
    person: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    person.program("rg", "exit 0")
    person.herma("setup", "--yes")
    before = person.files()
    found = person.checks(capsys)
    assert {check["status"] for check in found.values()} == {"pass"}, found
    assert person.files() == before


@pytest.mark.parametrize(
    "what,expected,said",
    [
        ("no rg", "rg warn", "no rg on PATH"),
        ("other version", "program warn", "is not the version tested"),
        ("no program", "program fail", "no OpenCode was found"),
        ("no entry", "configuration fail", "names the plugin"),
        ("changed plugin", "plugin warn", "changed: index.js"),
        ("no python", "sidecar fail", "cannot be started"),
        ("other sidecar", "sidecar fail", "/bin/false"),
        ("no command", "sidecar fail", "neither HERMA_COMMAND nor setup"),
        ("bad settings", "settings warn", "is not JSON with comments"),
        ("unknown request", "requests warn", "a request of an unknown kind gets no memory"),
    ],
)
def test_the_doctor_says_what_is_amiss_with_a_hint(
    person: Person, capsys: pytest.CaptureFixture[str], what: str, expected: str, said: str
) -> None:
    person.herma("setup", "--yes")
    _break(person, what)
    check, status = expected.split()
    found = person.checks(capsys)[check]
    assert (found["status"], said in found["summary"], bool(found["hint"])) == (status, True, True), found


def _break(person: Person, what: str) -> None:
    command = person.plugin / "command.json"
    log = person.folder / ".local" / "share" / "opencode" / "log" / "opencode-hermes.log"
    log.parent.mkdir(parents=True)
    line = (
        f"2026-01-01T00:00:00.000Z a request of an unknown kind gets no memory: base text of 3 characters; {TESTED}\n"
    )
    acts: dict[str, Any] = {
        "no rg": lambda: None,
        "other version": lambda: person.program("opencode", "echo 1.19.0"),
        "no program": (person.bin / "opencode").unlink,
        "no entry": lambda: person.write("opencode.json", "{}"),
        "changed plugin": lambda: (person.plugin / "index.js").write_text("//", encoding="utf-8"),
        "no python": lambda: command.write_text('{"python": "/nowhere/python3"}', encoding="utf-8"),
        "other sidecar": lambda: command.write_text('{"python": "/bin/false"}', encoding="utf-8"),
        "no command": command.unlink,
        "bad settings": lambda: person.write("opencode-hermes.json", '{"dream" 1}'),
        "unknown request": lambda: log.write_text(line, encoding="utf-8"),
    }
    acts[what]()


def test_without_opencode_setup_says_how_to_name_it(person: Person, capsys: pytest.CaptureFixture[str]) -> None:
    (person.bin / "opencode").unlink()
    assert person.herma("setup", "--yes") == 2
    assert "--opencode" in capsys.readouterr().err
