"""read-once in the real interactive chat, where each turn of one process has a task of its own."""

from pathlib import Path

from tests.hosts.console import Console
from tests.hosts.hermes import Hermes
from tests.hosts.homes import Homes
from tests.hosts.model import ScriptedModel, call, say
from tests.hosts.once_house import is_content, is_note


def test_the_same_read_in_a_later_turn_of_a_chat_gets_the_note(
    hermes: Hermes, homes: Homes, model: ScriptedModel, folder: Path
) -> None:
    root = folder.resolve()
    (root / "notes.md").write_text("- a point that was agreed on\n" * 60, encoding="utf-8")
    read = call("read_file", path=str(root / "notes.md"))
    model.lane("morning", read, say("answer one"))
    model.lane("evening", read, say("answer two"))
    home = homes.make(hermes, model, enabled=["read-once"])
    surroundings = {"READ_ONCE_ROOT": str(root), "READ_ONCE_HITS": "1"}

    with Console(hermes, home, cwd=root, environment=surroundings) as console:
        console.exchange("good morning", "answer one")
        console.shows_prompt()
        console.exchange("good evening", "answer two")

    first, again = (text for _, text in model.requests[-1].tool_results())
    assert is_content(first)
    assert is_note(again)
