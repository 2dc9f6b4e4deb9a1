"""A real gateway with read-once on it, and what its model got."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.hosts.gateway import Gateway, Person
from tests.hosts.hermes import Hermes
from tests.hosts.home import Config
from tests.hosts.homes import Homes
from tests.hosts.model import Reply, Request, ScriptedModel, call, say
from tests.hosts.observed import OBSERVER, Observed

__all__ = ["House", "check_notes", "house", "is_content", "is_note", "read", "reasons"]

# No model is asked for anything but the turns themselves, and `/new` asks nobody.
CONFIG: Config = {"approvals": {"mode": "off", "destructive_slash_confirm": False}}


def is_note(text: str) -> bool:
    """True for the note of read-once."""
    return text.startswith("You have this already: ")


def is_content(text: str) -> bool:
    """True for a page of the host with text of a file in it."""
    return text.startswith("{") and bool(json.JSONDecoder().raw_decode(text)[0].get("content"))


def check_notes(requests: Iterable[Request]) -> None:
    """Every note in these requests speaks of a result that stands in front of it in the same request, with content."""
    for request in requests:
        before: dict[str, str] = {}
        for call_id, text in request.tool_results():
            if is_note(text):
                named = re.search(r"read_file call (\S+) ", text)
                assert named is not None, text
                assert is_content(before.get(named.group(1), "")), (text, list(before))
            before[call_id] = text


def read(path: Path | str, **window: object) -> Reply:
    """A reply that reads a file."""
    return call("read_file", path=str(path), **window)


class House(NamedTuple):
    """The gateway, its model, the folder that is the root of read-once, and what the observer wrote."""

    gateway: Gateway
    model: ScriptedModel
    folder: Path
    observed: Observed

    def write(self, name: str, text: str | None = None) -> Path:
        """A file of the folder."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"first of {name}\nsecond\nthird\n" if text is None else text, encoding="utf-8")
        return path

    def turn(
        self, person: Person, word: str, *steps: Reply | Callable[[Request], Reply], chat: str | None = None
    ) -> list[Request]:
        """One turn, told by `word`: the model does `steps` and answers. Its requests, the last with all results."""
        lane = _lane(word)
        self.model.lane(lane, *steps, say(f"{word} is done"))
        self.gateway.exchange(person, word, f"{word} is done", chat=chat, timeout=60)
        return self.model.of(lane)

    def results(
        self, person: Person, word: str, *steps: Reply | Callable[[Request], Reply], chat: str | None = None
    ) -> list[str]:
        """The same, and the texts of the results of the calls in this turn, in order."""
        requests = self.turn(person, word, *steps, chat=chat)
        made = sum(len(step.tools) for step in steps if isinstance(step, Reply))
        return [text for _, text in requests[-1].tool_results()][-made:]

    def seen(self, word: str) -> list[str]:
        """Every result that stood in the latest request of that turn."""
        return [text for _, text in self.model.of(_lane(word))[-1].tool_results()]

    def reasons(self) -> dict[str, int]:
        """What read-once has counted up to the end of the newest turn."""
        return reasons(self.observed)

    def capabilities(self) -> dict[str, Any]:
        """What the host showed at its first read."""
        return dict(_snapshot(self.observed)["capabilities"]["read-once"])


def reasons(observed: Observed) -> dict[str, int]:
    """What read-once had counted at the end of the newest turn that was observed."""
    ended = observed.events("on_session_end")
    return dict(_snapshot(observed)["reasons"]["read-once"]) if ended else {}


def _snapshot(observed: Observed) -> Mapping[str, Any]:
    latest: Mapping[str, Any] = observed.events("on_session_end")[-1]["counters"][0]
    return latest


def _lane(word: str) -> str:
    return rf"(?<![\w-]){re.escape(word)}(?![\w-])"


@contextmanager
def house(  # noqa: PLR0913 - what a gateway runs on
    hermes: Hermes,
    homes: Homes,
    folder: Path,
    *,
    hits: bool = True,
    config: Config | None = None,
    enabled: tuple[str, ...] = ("read-once",),
) -> Iterator[House]:
    """A gateway that is up; a group is one session for all in it."""
    folder.mkdir(exist_ok=True)
    with ScriptedModel() as model:
        home = homes.make(hermes, model, plugins=[OBSERVER], enabled=enabled, config={**CONFIG, **(config or {})})
        observed = Observed(home.folder / "observed.jsonl")
        environment = {**observed.environment(), "READ_ONCE_ROOT": str(folder), "READ_ONCE_HITS": "1" if hits else ""}
        with Gateway(hermes, home, model, cwd=folder, shared_groups=True, environment=environment) as gateway:
            yield House(gateway, model, folder, observed)
