"""Where hosts keep their sessions."""

from pathlib import Path

import pytest

from herma.stores.sessions.detect import locate

HOME = Path("/home/anna")


@pytest.mark.parametrize(
    "environ, expected",
    [
        ({}, "/home/anna/.local/share/opencode/opencode.db"),
        ({"XDG_DATA_HOME": "/data"}, "/data/opencode/opencode.db"),
        ({"XDG_DATA_HOME": "data"}, "/home/anna/.local/share/opencode/opencode.db"),
        ({"OPENCODE_DB": "/x/y.db"}, "/x/y.db"),
        ({"OPENCODE_DB": "y.db", "XDG_DATA_HOME": "/data"}, "/data/opencode/y.db"),
        ({"OPENCODE_DB": "/x/y.db", "HERMES_OPENCODE_SESSIONS_DB": "/z.db"}, "/z.db"),
    ],
)
def test_opencodes_database_is_where_opencode_and_the_settings_say(environ: dict[str, str], expected: str) -> None:
    assert locate("opencode", environ, HOME) == Path(expected)


def test_the_persons_file_of_settings_is_read(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text('{"sessionsDb": "~/kept/oc.db", /* mine */}', "utf-8")
    environ = {"HERMES_OPENCODE_CONFIG": str(file), "OPENCODE_DB": "/x/y.db"}

    assert locate("opencode", environ, tmp_path) == tmp_path / "kept" / "oc.db"


def test_hermes_keeps_its_own_in_its_home() -> None:
    assert locate("hermes", {"OPENCODE_DB": "/x"}, Path("/srv/hermes")) == Path("/srv/hermes/state.db")
