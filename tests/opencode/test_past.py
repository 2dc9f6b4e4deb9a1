"""`session_search` behind the plugin, through the wire and without a process, over a database as OpenCode writes it."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from threading import Event, active_count
from typing import Any

import pytest

from herma.core.memory import blocks
from herma.core.memory.tool import NAME as MEMORY
from herma.core.recall.records import Change
from herma.core.recall.tool import GUIDANCE
from herma.engine.memory import Memory, load_settings
from herma.engine.recall import Host, open_recall
from herma.hosts.opencode.log import Log
from herma.hosts.opencode.past import Past, open_past
from herma.hosts.opencode.sidecar import Sidecar
from herma.hosts.opencode.start import methods
from herma.rpc.client import Twin
from tests.opencode.test_sidecar_methods import BASE
from tests.stores.recall.told import Told
from tests.stores.sessions.hosts import OpenCode1

# Puts a sidecar together, takes a turn with it but for a search, and says which of the parts of recall came in.
STARTS = """
import sys
from pathlib import Path
from herma.hosts.opencode.start import methods
ours = methods({}, Path(sys.argv[1]), lambda: 0.0)
ours["hello"]({"protocol": 1})
ours["turn"]({"session": "s", "turn": "m"})
ours["system"]({"session": "s", "base": sys.argv[2]})
print(sorted({"sqlite3", "herma.engine.recall", "herma.stores.sessions.reader"}.intersection(sys.modules)))
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """OpenCode's database with two sessions, a subagent's, and one of our own."""
    path = tmp_path / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    with OpenCode1(path) as host:
        host.session("ses_kite", title="Kites", directory="/kites")
        host.say("ses_kite", "m1", "user", "Where do kites go in winter?")
        host.say("ses_kite", "m2", "assistant", "Into the dry box in shed 7.")
        host.session("ses_now")
        host.say("ses_now", "m3", "user", "What did we say of the kite?")
        host.session("ses_child", parent_id="ses_kite")
        host.say("ses_child", "m4", "user", "count the kites")
        host.session("ses_inner", title="[opencode-hermes] review")
        host.say("ses_inner", "m5", "user", "what was said of kites")
    return path


@pytest.fixture
def twin(tmp_path: Path) -> Twin:
    return _twin(tmp_path)


def _twin(home: Path, environ: Mapping[str, str] | None = None) -> Twin:
    return Twin(methods(environ or {}, home, lambda: 1_700_000_000.0))


def _text(twin: Twin, arguments: Mapping[str, object], *, name: str = "session_search", session: str = "s") -> str:
    found = twin.call("tool", {"name": name, "session": session, "turn": "m", "arguments": arguments})
    assert isinstance(found, dict)
    return str(found["text"])


def _search(twin: Twin, session: str = "s", **arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_text(twin, arguments, session=session))
    return found


def _system(twin: Twin, session: str = "s", base: str = BASE) -> str:
    found = twin.call("system", {"session": session, "base": base})
    assert isinstance(found, dict)
    return "\n".join(found["texts"])


def _log(home: Path) -> list[str]:
    path = home / ".local" / "share" / "opencode" / "log" / "opencode-hermes.log"
    return path.read_text("utf-8").splitlines() if path.exists() else []


def _sessions(answer: Mapping[str, Any]) -> list[str]:
    return [result["session_id"] for result in answer["results"]]


def test_both_tools_are_offered_whether_or_not_there_is_a_past(twin: Twin) -> None:
    hello = twin.call("hello", {"protocol": 1})
    assert isinstance(hello, dict)
    assert [tool["name"] for tool in hello["tools"]] == [MEMORY, "session_search"]


@pytest.mark.usefixtures("database")
def test_what_was_said_is_found_inside_the_fence_with_its_session_and_a_link(twin: Twin) -> None:
    text = _text(twin, {"query": "kites in winter"})
    assert text.index("[herma data: ") < text.index("Where do kites go in winter?") < text.index("[/herma data]")
    (first, *_) = json.loads(text)["results"]
    assert (first["session_id"], first["link"]) == ("ses_kite", "@session/local/ses_kite")
    assert (first["title"], first["directory"]) == ("Kites", "/kites")


@pytest.mark.usefixtures("database")
def test_the_present_session_and_hidden_ones_are_left_out(twin: Twin) -> None:
    assert _sessions(_search(twin, "ses_now", query="kite", limit=10)) == ["ses_kite"]
    assert set(_sessions(_search(twin, "ses_kite", query="kite", limit=10))) == {"ses_now"}
    assert set(_sessions(_search(twin, limit=10))) == {"ses_now", "ses_kite"}


@pytest.mark.usefixtures("database")
def test_a_session_is_read_and_scrolled_by_its_id(twin: Twin) -> None:
    read = _search(twin, session_id="ses_kite")
    assert [message["text"] for message in read["messages"]][1] == "Into the dry box in shed 7."
    scrolled = _search(twin, session_id="ses_kite", around_message_id="m2")
    assert [message["message_id"] for message in scrolled["messages"] if message.get("anchor")] == ["m2"]


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("filled", ["", [], None])
def test_what_a_host_fills_in_for_an_argument_that_is_left_out_counts_as_left_out(twin: Twin, filled: object) -> None:
    names = ("session_id", "around_message_id", "since", "until", "limit")
    given = dict.fromkeys(names, filled)
    assert json.loads(_text(twin, {"query": "winter", **given}))["mode"] == "discovery"
    assert json.loads(_text(twin, {"query": filled, **given}))["mode"] == "browse"


def test_its_guidance_stands_between_that_of_memory_and_the_blocks_and_stays_so(twin: Twin, tmp_path: Path) -> None:
    _text(twin, {"target": "user", "action": "add", "content": "Likes tea."}, name=MEMORY)
    text = _system(twin)
    assert text.startswith(f"{blocks.GUIDANCE}\n\n{GUIDANCE}\n\n")
    assert text.index(GUIDANCE) < text.index("═" * 46) < text.index("Likes tea.")
    _search(twin, query="anything")
    assert _system(twin) == text
    assert _system(_twin(tmp_path)) == text


@pytest.mark.parametrize("base", ["You are a title generator. You", "You are a context summarization agent. You", "?"])
def test_a_request_that_is_not_the_conversations_is_not_told_of_it(twin: Twin, base: str) -> None:
    assert _system(twin, base=base) == ""


def test_its_guidance_stands_there_without_a_memory_too(tmp_path: Path) -> None:
    def break_down(_: str) -> Any:
        raise RuntimeError

    past = open_past(tmp_path / "opencode.db", environ={}, home=tmp_path)
    log, settings = Log(tmp_path / "log", lambda: 0.0), load_settings({}, home=str(tmp_path))
    twin = Twin(Sidecar(Memory(break_down, {}), past, "ada", log, settings).methods())
    assert _system(twin) == GUIDANCE


@pytest.mark.usefixtures("database")
def test_nothing_of_it_is_loaded_or_made_before_the_first_question(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-I", "-c", STARTS, str(tmp_path), BASE], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"
    assert not (tmp_path / ".local" / "share" / "herma").exists()


def test_without_a_database_the_answer_says_so_until_there_is_one(tmp_path: Path, twin: Twin) -> None:
    answer = _search(twin, query="kite")
    assert answer["success"] is False
    assert "opencode.db cannot be read: there is none" in answer["error"]
    (line,) = [line for line in _log(tmp_path) if "warning:" in line]
    assert "start the host once" in line
    path = tmp_path / ".local" / "share" / "opencode" / "opencode.db"
    with OpenCode1(path) as host:
        host.session("ses_kite")
        host.say("ses_kite", "m1", "user", "kites")
        assert _sessions(_search(twin, query="kite")) == ["ses_kite"]


def _garbage(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:4_096] + b"\xa5" * 60_000)


def _newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.executescript("PRAGMA journal_mode=DELETE; ALTER TABLE session RENAME TO session_v9")


TROUBLES = [
    (_garbage, "it is damaged"),
    (_newer, "laid out in another way"),
    (lambda path: path.write_text("no database", encoding="utf-8"), "no SQLite database"),
]


@pytest.mark.parametrize("spoil,why", TROUBLES)
def test_a_database_that_cannot_be_read_is_an_error_a_line_in_the_log_and_no_loss_of_memory(
    tmp_path: Path, database: Path, twin: Twin, spoil: Callable[[Path], object], why: str
) -> None:
    spoil(database)
    for _ in range(3):
        answer = _search(twin, query="kite")
        assert answer["success"] is False
        assert why in answer["error"]
    (line,) = [line for line in _log(tmp_path) if "warning:" in line]
    assert why in line
    assert json.loads(_text(twin, {"target": "user", "action": "add", "content": "x"}, name=MEMORY))["success"] is True


@pytest.mark.parametrize("spoil,why", TROUBLES)
def test_what_was_read_before_is_still_found_and_said_to_be_old(
    database: Path, twin: Twin, spoil: Callable[[Path], object], why: str
) -> None:
    assert _sessions(_search(twin, query="winter")) == ["ses_kite"]
    spoil(database)
    answer = _search(twin, query="winter")
    assert _sessions(answer) == ["ses_kite"]
    assert why in answer["not_up_to_date"]


def test_a_locked_database_is_an_error_and_is_read_when_it_is_free(database: Path, twin: Twin) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.executescript("PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE")
        assert "has it locked" in _search(twin, query="kite")["error"]
        other.execute("ROLLBACK")
    assert "ses_kite" in _sessions(_search(twin, query="kite"))


def test_a_trouble_that_comes_back_is_said_again(tmp_path: Path, database: Path) -> None:
    now = [0.0]
    twin = Twin(methods({}, tmp_path, lambda: now[0]))
    for _ in range(2):
        away = database.rename(tmp_path / "away.db")
        for _ in range(3):
            _search(twin, query="kite")
            now[0] += 61
        away.rename(database)
        assert "not_up_to_date" not in _search(twin, query="kite")
    assert len([line for line in _log(tmp_path) if "warning:" in line]) == 2


def test_the_settings_say_which_database_it_is(tmp_path: Path, database: Path) -> None:
    moved = database.rename(tmp_path / "elsewhere.db")
    twin = _twin(tmp_path, {"HERMES_OPENCODE_SESSIONS_DB": str(moved)})
    assert "ses_kite" in _sessions(_search(twin, query="kite"))
    settings = tmp_path / ".config" / "opencode" / "opencode-hermes.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('{"sessionsDb": "~/elsewhere.db"}', encoding="utf-8")
    assert "ses_kite" in _sessions(_search(_twin(tmp_path), query="kite"))


class Slow(Told):
    """A host that tells nothing until it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = Event()

    def changes(self, cursor: str, *, most: int) -> Change:
        """When the gate is open."""
        assert self.gate.wait(60)
        return super().changes(cursor, most=most)


def test_a_past_that_takes_long_to_read_keeps_nobody_waiting_and_is_there_later(tmp_path: Path) -> None:
    slow = Slow()
    slow.session("s1", "kites in winter")
    past = Past(lambda: open_recall(lambda: slow, tmp_path / "index.db", Host("double"), spans=None), seconds=0.05)

    def ask() -> dict[str, Any]:
        found: dict[str, Any] = json.loads(past.tool("ada", session="s", arguments={"query": "kites"}))
        return found

    before = active_count()
    for _ in range(3):
        assert "ask again in a minute" in ask()["error"]
    assert active_count() == before + 1
    slow.gate.set()
    found = next(answer for answer in (ask() for _ in range(1_000)) if answer["success"])
    assert _sessions(found) == ["s1"]
