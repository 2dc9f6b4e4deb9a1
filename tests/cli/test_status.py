import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from herma import __version__
from herma.core.reading.marker import marker
from herma.core.reading.note import note
from herma.core.tokens import METHOD, estimate
from tests.cli.conftest import Herma
from tests.install.environment import environment, launcher


@pytest.fixture
def env(tmp_path: Path) -> Path:
    """A home with two systems on and the others off, and an environment to look at it from."""
    (tmp_path / ".hermes").mkdir()
    config = {
        "plugins": {"enabled": ["read-summarizer", "read-once", *(f"p{n}\x1b" for n in range(20))]},
        "read_summarizer": {"enabled": True, "tail_lines": 20},
    }
    (tmp_path / ".hermes" / "config.yaml").write_text(json.dumps(config), encoding="utf-8")
    return environment(tmp_path / "env")


PAGE = json.dumps({"content": "".join(f"{n}|what was agreed on, point {n}\n" for n in range(1, 200))})
NOTE = note("call_1", "/notes.md", bytes(32))
SHORTENED = json.dumps({"content": f"1|x\n{marker(6000, 382_893, 200, 50)}\n6000|y"})


def _store(tmp_path: Path, *texts: str) -> None:
    """A database of Hermes in which these are the results of `read_file`, from call_1 on."""
    with closing(sqlite3.connect(tmp_path / ".hermes" / "state.db", isolation_level=None)) as database:
        database.execute("CREATE TABLE sessions (id TEXT, parent_session_id TEXT)")
        database.execute(
            "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, "
            "tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL)"
        )
        ask = "INSERT INTO messages VALUES (NULL, 's', 'assistant', '', NULL, ?, NULL, 1796040000.5)"
        answer = "INSERT INTO messages VALUES (NULL, 's', 'tool', ?, ?, NULL, 'read_file', 1796040001.5)"
        for n, text in enumerate(texts, 1):
            call = {"name": "read_file", "arguments": '{"path": "/notes.md"}'}
            database.execute(ask, [json.dumps([{"id": f"call_{n}", "function": call}])])
            database.execute(answer, [text, f"call_{n}"])


def test_one_installation_fits_on_a_screen(env: Path, tmp_path: Path, herma: Herma) -> None:
    outcome = herma("status", "--hermes", str(env))

    lines = outcome.out.splitlines()
    assert outcome.code == 0
    assert len(lines) <= 24
    assert lines[:2] == [f"herma {__version__}", f"Hermes 0.19.0 (hermes-agent) in {env}"]
    assert f"  home      {tmp_path}/.hermes" in lines
    assert "  enabled   read-summarizer, read-once, p0\\x1b, p1\\x1b, p2\\x1b, p3\\x1b and 16 more" in lines
    assert "  disabled  nothing" in lines
    assert "  counted   nothing in state.db: there is none" in lines


def test_a_system_that_is_off_takes_one_line_with_its_first_reason(env: Path, tmp_path: Path, herma: Herma) -> None:
    config = {"plugins": {"enabled": ["read-summarizer", "recall"]}, "read_summarizer": {"tail_lines": 20}}
    (tmp_path / ".hermes" / "config.yaml").write_text(json.dumps(config), encoding="utf-8")

    lines = herma("status", "--hermes", str(env)).out.splitlines()

    assert lines[-4:] == [
        "  read-summarizer: off: switch 2 of 2 is off: read_summarizer.enabled is not set to true anywhere",
        "  read-once: off: switch 1 of 1 is off: plugins.enabled does not list read-once",
        "  manyhands: off: switch 1 of 1 is off: plugins.enabled does not list manyhands",
        "  recall: off: recall does nothing without manyhands, which is off",
    ]


def test_it_says_where_each_setting_comes_from(env: Path, herma: Herma) -> None:
    lines = herma("status", "--hermes", str(env)).out.splitlines()

    assert "  read-summarizer: on" in lines
    assert "    head_lines      200  (default)" in lines
    assert "    tail_lines      20  (read_summarizer)" in lines


def test_the_json_says_the_same(env: Path, herma: Herma) -> None:
    outcome = herma("status", "--json", "--hermes", str(env))

    (found,) = outcome.data["hosts"]
    system, once, people, past = found["systems"]
    assert json.loads(outcome.out)["schema"] == "herma/status/1"
    assert found["enabled"][2] == "p0\x1b"
    assert found["herma"] == __version__
    assert (system["on"], people["on"], past["on"]) == (True, False, False)
    assert "switch 1 of 1" in people["off_because"][0]
    assert past["off_because"][1] == "recall does nothing without manyhands, which is off"
    assert {"name": "tail_lines", "value": 20, "place": "read_summarizer"} in system["settings"]
    assert once["variables"] == {"READ_ONCE_ROOT": None, "READ_ONCE_HITS": None, "READ_ONCE_NOTICE": None}


def test_it_says_what_was_saved_by_which_method_and_net_of_what_that_cost(
    env: Path, tmp_path: Path, herma: Herma
) -> None:
    _store(tmp_path, PAGE, SHORTENED, NOTE, PAGE, NOTE)

    lines = herma("status", "--hermes", str(env)).out.splitlines()

    page, cost = estimate(PAGE), 2 * estimate(NOTE)
    saved = [line for line in lines if line.startswith("    saved ")]
    assert len(lines) <= 24
    assert "  counted   10 messages in state.db, since 2026-11-30" in lines
    parts = f"{2 * page:,} tokens not sent, less {cost:,} for notes and {page:,} fetched again"
    assert saved == [
        "    saved           not counted: 1 result shortened, and what would have been sent is not stored",
        f"    saved           2 notes: {parts}: {page - cost:,} net, {METHOD}",
    ]


def test_the_json_has_the_same_sums(env: Path, tmp_path: Path, herma: Herma) -> None:
    _store(tmp_path, PAGE, NOTE, PAGE, note("gone", "/notes.md", bytes(32)))

    (found,) = herma("status", "--json", "--hermes", str(env)).data["hosts"]

    assert found["counted"] == {"problem": None, "messages": 8, "most": 10_000, "since": 1796040000.5}
    summarizer, once, people, past = (system["saved"] for system in found["systems"])
    assert (people, past) == (None, None)
    assert summarizer == {"shortened": 0, "net": None}
    assert once == {
        "notes": 2,
        "unmatched": 1,
        "refetches": 1,
        "not_sent": estimate(PAGE),
        "for_notes": estimate(NOTE) + estimate(note("gone", "/notes.md", bytes(32))),
        "fetched_again": estimate(PAGE),
        "net": -once["for_notes"],
        "method": METHOD,
    }


def test_a_home_in_which_nothing_was_saved_says_so(env: Path, tmp_path: Path, herma: Herma) -> None:
    _store(tmp_path, PAGE)

    lines = herma("status", "--hermes", str(env)).out.splitlines()

    assert "    saved           nothing: no note was given" in lines
    assert "    saved           nothing: no result was shortened" in lines


def test_a_home_whose_transcripts_cannot_be_read_says_why_in_a_few_words(
    env: Path, tmp_path: Path, herma: Herma
) -> None:
    (tmp_path / ".hermes" / "state.db").write_bytes(b"SECRET" * 99)

    outcome = herma("status", "--hermes", str(env))
    (found,) = herma("status", "--json", "--hermes", str(env)).data["hosts"]

    assert outcome.code == 0
    assert "  counted   nothing in state.db: it is no SQLite database" in outcome.out.splitlines()
    assert "SECRET" not in outcome.out
    assert "    saved " not in outcome.out
    problem = {"reason": "foreign", "message": "state.db: it is no SQLite database"}
    assert found["counted"] == {"problem": problem}
    assert [system["saved"] for system in found["systems"]] == [None, None, None, None]


def test_an_installation_in_trouble_is_shown_with_its_hint(tmp_path: Path, herma: Herma) -> None:
    python = launcher(tmp_path / "env" / "bin" / "python", "#!/bin/sh\nexit 1\n")

    outcome = herma("status", "--hermes", str(python))

    assert outcome.code == 2
    assert "  error     " in outcome.out
    assert "  hint      " in outcome.out


def test_a_machine_without_hermes_is_an_error_and_still_one_json_object(herma: Herma) -> None:
    outcome = herma("status", "--json")

    assert outcome.code == 2
    assert outcome.data == {"herma": __version__, "hosts": []}
    assert outcome.err.startswith("error: no Hermes Agent was found")
