import subprocess
import sys
from io import BytesIO, TextIOWrapper

import pytest

from herma import __version__
from herma.cli.main import COMMANDS
from herma.cli.output import say
from tests.cli.conftest import Herma


def test_the_version_is_said(herma: Herma) -> None:
    assert herma("--version") == (0, f"herma {__version__}\n", "")


@pytest.mark.parametrize("arguments", [(), ("--help",)])
def test_help_names_every_command(arguments: tuple[str, ...], herma: Herma) -> None:
    outcome = herma(*arguments)

    assert outcome.code == 0
    for command in ("setup", "remove", "doctor", "status"):
        assert f"\n    {command} " in outcome.out


def test_an_unknown_command_is_answered_with_the_nearest_one(herma: Herma) -> None:
    assert herma("docter") == (2, "", "error: there is no command docter\nhint: did you mean doctor?\n")


def test_a_command_like_none_is_answered_with_all_of_them(herma: Herma) -> None:
    assert herma("x\x1b[2J") == (
        2,
        "",
        f"error: there is no command x\\x1b[2J\nhint: the commands are {', '.join(COMMANDS)}\n",
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("doctor", "--jsn"),
        ("--jsn",),
        ("status", "more"),
        ("doctor", "--time-limit", "soon"),
        ("doctor", "--time-limit", "nan"),
    ],
)
def test_a_command_line_that_is_not_understood_is_an_error_with_a_hint(
    arguments: tuple[str, ...], herma: Herma
) -> None:
    outcome = herma(*arguments)

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("error: ")
    assert "\nhint: `herma" in outcome.err


def test_a_stream_that_lacks_a_character_gets_an_escape() -> None:
    written = BytesIO()
    stream = TextIOWrapper(written, encoding="ascii", write_through=True)

    say(["é"], stream)

    assert written.getvalue() == b"\\xe9\n"


def test_it_runs_as_a_module_without_any_package_beside_the_standard_library() -> None:
    program = "import runpy, sys; sys.argv = ['herma', '--version']; runpy.run_module('herma', run_name='__main__')"
    listed = "; print(sorted({name.split('.')[0] for name in sys.modules} - sys.stdlib_module_names))"
    command = [sys.executable, "-c", f"import sys\ntry:\n {program}\nexcept SystemExit:\n pass\n{listed[2:]}"]

    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)

    version, modules = ran.stdout.splitlines()
    assert version == f"herma {__version__}"
    assert not {"rich", "yaml", "ruamel"} & set(modules)
    assert "herma" in modules
