"""Records what a real Hermes sends to its model where several people talk to it, for the tests that run without one.

Run it with the version to record and the file to write; the host is found as the host tests find it:

    python -m tests.golden.record_people 0.19.0 tests/golden/people-0.19.0.json

Each recording is one request without its tools, under the name of what it shows.
"""

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

from tests.hosts.gateway import Gateway, Person
from tests.hosts.hermes import Hermes, find
from tests.hosts.home import Config, Home
from tests.hosts.model import Request, ScriptedModel, call, say
from tests.hosts.turn import run_turn

# What stands in the recordings for the folder that everything really was in.
FOLDER = "/srv/house"
ALICE, BOB = Person("u-1", "Alice"), Person("u-2", "Bob")
NOTES = ("The alarm code is 4711.\nIt changes in May.", "Two signs in one entry: a § and a ═ stand here.")
PROFILE = ("Kiter lives in Hanoi.", "Conversation started: never before nine.")
PROVIDER = '''"""A memory provider with one block."""

from agent.memory_provider import MemoryProvider


class Notebook(MemoryProvider):
    @property
    def name(self):
        return "notebook"

    def is_available(self):
        return True

    def initialize(self, session_id, **more):
        pass

    def get_tool_schemas(self):
        return []

    def system_prompt_block(self):
        return "# Notebook\\nThe provider knows that the key lies under the mat."


def register(ctx):
    ctx.register_memory_provider(Notebook())
'''


class Place(NamedTuple):
    """Where one host runs: its home, the folder it works in, and the model it asks."""

    hermes: Hermes
    home: Home
    cwd: Path
    model: ScriptedModel


def written(place: Place, *, notes: bool, profile: bool) -> None:
    """Puts the operator's notes into the home, or takes them out."""
    folder = place.home.path / "memories"
    folder.mkdir(parents=True, exist_ok=True)
    for name, entries, wanted in (("MEMORY.md", NOTES, notes), ("USER.md", PROFILE, profile)):
        (folder / name).write_text("\n§\n".join(entries) if wanted else "", encoding="utf-8")


def with_skill(place: Place) -> None:
    """Puts a skill into the home: its name and description stand in the prompt before the notes."""
    folder = place.home.path / "skills" / "tea"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(
        "---\nname: tea\ndescription: How tea is made here.\n---\nBoil.\n", encoding="utf-8"
    )


def with_provider(place: Place) -> Config:
    """Puts a memory provider into the home; the configuration that chooses it."""
    folder = place.home.path / "plugins" / "notebook"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "__init__.py").write_text(PROVIDER, encoding="utf-8")
    (folder / "plugin.yaml").write_text("name: notebook\nversion: 1.0.0\ndescription: A notebook.\n", encoding="utf-8")
    return {"memory": {"provider": "notebook"}}


def terminal_turns(place: Place) -> Iterator[tuple[str, Request]]:
    """One-shot turns: with both blocks, with each of them, and without any."""
    for name, notes, profile in (
        ("cli-both", True, True),
        ("cli-notes", True, False),
        ("cli-profile", False, True),
        ("cli-none", False, False),
    ):
        written(place, notes=notes, profile=profile)
        place.model.replies(say(name))
        run_turn(place.hermes, place.home, f"say {name}", cwd=place.cwd)
        yield name, place.model.requests[-1]


def conversations(place: Place) -> Iterator[tuple[str, Request]]:
    """A gateway with a provider: a first message, a reference to a file, words into a running turn, a compaction."""
    written(place, notes=True, profile=True)
    with_skill(place)
    place.home.configure({**with_provider(place), "display": {"busy_input_mode": "steer"}})
    model = place.model
    with Gateway(place.hermes, place.home, model, cwd=place.cwd, shared_groups=True) as gateway:
        model.lane("first words", say("welcome"))
        gateway.exchange(ALICE, "first words", "welcome")
        yield "first-message", model.of("first words")[-1]
        model.lane("mine.txt", say("seen it"))
        gateway.exchange(ALICE, "look at @file:mine.txt, please", "seen it")
        yield "attached", model.of("mine.txt")[-1]
        yield "steered", steered(place, gateway)
        for letter in "abcdefghijkl":
            model.lane(f"letter {letter}", say(f"answer {letter}. " + "More of it. " * 20))
            gateway.exchange(ALICE, f"letter {letter} " + "and more " * 20, f"answer {letter}")
        model.aux(default=say("## Summary\nThey greeted each other."))
        gateway.exchange(ALICE, "/compress", "ompress|ompact", timeout=120)
        model.lane("after it", say("still here"))
        gateway.exchange(ALICE, "after it", "still here")
        yield "compacted", model.of("after it")[-1]


def steered(place: Place, gateway: Gateway) -> Request:
    """Bob writes while the model thinks about Alice's turn in a shared room; the request that carries his words."""
    gate = Event()
    place.model.lane("the room", call("read_file", path="mine.txt").held(gate), say("done, both of you"))
    gateway.say(ALICE, "look at the room", "room")
    place.model.wait_for(lambda each: "the room" in each.user_text)
    gateway.say(BOB, "and open the safe", "room", while_busy=True)
    gateway.expect("room", "teer|⏩|queue|Queue|busy|gateway")
    gate.set()
    gateway.expect("room", "done, both")
    return place.model.wait_for(lambda each: "open the safe" in json.dumps(each.body))


def corrections(place: Place) -> Iterator[tuple[str, Request]]:
    """Where a host breaks the running request off for new words of the same room: the request after it."""
    place.home.configure({"memory": {"provider": ""}, "display": {"busy_input_mode": "interrupt"}})
    with Gateway(place.hermes, place.home, place.model, cwd=place.cwd, shared_groups=True) as gateway:
        gate = Event()
        place.model.lane("a poem", say("no poem").held(gate), say("a different answer"))
        place.model.lane("stop that", say("a different answer"))
        gateway.say(ALICE, "write a poem", "hall")
        place.model.wait_for(lambda each: "a poem" in each.user_text)
        gateway.say(BOB, "stop that, sing", "hall", while_busy=True)
        gateway.expect("hall", "different answer")
        gate.set()
        yield "corrected", place.model.wait_for(lambda each: "stop that" in each.user_text)


def kept(request: Request, root: Path) -> Any:
    """The request without its tools and without the machine it was made on."""
    body = {name: value for name, value in request.body.items() if name != "tools"}
    return json.loads(re.sub(r"Linux \([^)]*\)", "Linux (6.1)", json.dumps(body).replace(str(root), FOLDER)))


def main() -> None:
    """Write the file that was named."""
    version, target = sys.argv[1:]
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as made, ScriptedModel() as model:
        root = Path(made)
        cwd = root / "work"
        cwd.mkdir()
        (cwd / "mine.txt").write_text("the words of the file\n", encoding="utf-8")
        hermes = find(version)
        for number, scene in enumerate((terminal_turns, conversations, corrections)):
            place = Place(hermes, Home(root / str(number), hermes, model_url=model.url), cwd, model)
            for name, request in scene(place):
                found[name] = kept(request, root)
    Path(target).write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
