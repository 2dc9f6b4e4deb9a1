from pathlib import Path

import pytest

from herma.install.launcher import interpreter_of, is_script
from tests.install.environment import launcher

FORMS = {
    "a script of pip": "#!{python}\nimport sys\n",
    "a long path as pip writes it": "#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''\nimport sys\n",
    "a long path as uv writes it": "#!/bin/sh\n'''exec' '{python}' \"$0\" \"$@\"\n' '''\nimport sys\n",
    "a wrapper around the python": '#!/bin/sh\nexec {python} -m hermes_cli.main "$@"\n',
    "a wrapper as the installer writes it": '#!/usr/bin/env bash\nunset PYTHONPATH\nexec "{hermes}" "$@"\n',
    "env with a version": "#!/usr/bin/env python3.11\n",
    "env with options": "#!/usr/bin/env -S python3.11 -I\n",
}


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """An environment whose python and hermes are there to be pointed at."""
    launcher(tmp_path / "env" / "bin" / "python3.11", "")
    launcher(tmp_path / "env" / "bin" / "hermes", f"#!{tmp_path}/env/bin/python3.11\n")
    return tmp_path / "env"


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_each_kind_of_launcher_leads_to_its_interpreter(form: str, installed: Path, tmp_path: Path) -> None:
    python = installed / "bin" / "python3.11"
    text = form.format(python=python, hermes=installed / "bin" / "hermes")

    assert interpreter_of(launcher(tmp_path / "bin" / "hermes", text), [installed / "bin"]) == python


def test_a_link_is_followed_to_the_script_and_not_out_of_the_environment(installed: Path, tmp_path: Path) -> None:
    (installed / "bin" / "python3.11").unlink()
    (installed / "bin" / "python3.11").symlink_to(launcher(tmp_path / "system" / "python3.11", ""))
    (tmp_path / "hermes").symlink_to(installed / "bin" / "hermes")

    assert interpreter_of(tmp_path / "hermes", []) == installed / "bin" / "python3.11"


def test_a_relocatable_launcher_leads_to_the_interpreter_beside_it(tmp_path: Path) -> None:
    python = launcher(tmp_path / "env" / "bin" / "python", "")
    (tmp_path / "env" / "pyvenv.cfg").touch()
    text = "#!/bin/sh\n'''exec' \"$(dirname -- \"$(realpath -- \"$0\")\")\"/'python' \"$0\" \"$@\"\n' '''\n"

    assert interpreter_of(launcher(tmp_path / "env" / "bin" / "hermes", text), []) == python


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x7fELF",
        "#!",
        "#!/usr/bin/env\n",
        "#!/usr/bin/env -S 'python\n",
        "#!/usr/bin/env python3.99\n",
        '#!/bin/sh\nexec "$HERMES_BIN" "$@"\n',
        "#!/bin/sh\nexec hermes-real\n",
        "#!/bin/sh\necho no\n",
    ],
)
def test_a_launcher_that_does_not_say_where_it_leads_leads_nowhere(text: str, tmp_path: Path) -> None:
    assert interpreter_of(launcher(tmp_path / "bin" / "hermes", text), [tmp_path]) is None


def test_wrappers_that_run_each_other_lead_nowhere(tmp_path: Path) -> None:
    launcher(tmp_path / "a", f"#!/bin/sh\nexec {tmp_path}/b\n")
    launcher(tmp_path / "b", f"#!/bin/sh\nexec {tmp_path}/a\n")

    assert interpreter_of(tmp_path / "a", []) is None


def test_links_that_lead_to_each_other_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")

    assert interpreter_of(tmp_path / "a", []) is None
    assert not is_script(tmp_path / "a")
