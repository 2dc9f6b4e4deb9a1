"""Three people at one bot, in a real Hermes gateway: a refusal, an ask, an approval spent once, and the trail."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.hosts.command import run_python
from tests.hosts.hermes import Hermes
from tests.hosts.homes import Homes
from tests.hosts.model import Reply, call
from tests.hosts.people_house import ANNA, GUS, MEMORY_NOTE, OLGA, House, house, written

__all__ = ["People", "Scene", "as_data", "as_text", "people"]

_HEAD = "Three people at one bot: Olga owns it, Anna is a member, Gus a guest; a scripted model, no key."
_FACT = "Anna is allergic to walnuts."


class Scene(NamedTuple):
    """What somebody did, and what came of it."""

    who: str
    did: str
    outcome: str


class People(NamedTuple):
    """What was seen: the scenes, the prompt that the owner got, and what `herma audit verify` said at the end."""

    scenes: tuple[Scene, ...]
    prompt: str
    verified: str


def people(hermes: Hermes) -> People:
    """Plays the scenes in a gateway of its own, whose host admits nobody by itself."""
    with TemporaryDirectory(prefix="herma-demo-") as root:
        homes = Homes(Path(root))
        with house(hermes, homes, Path(root) / "work") as household:
            household.join(ANNA, "member")
            household.join(GUS, "guest")
            scenes = tuple(_scenes(household))
            prompt = next(each.text for each in household.gateway.messages if "/many approve" in each.text)
            trail = ["-m", "herma", "audit", "verify", "--home", str(household.home.path)]
            verified = run_python(hermes, household.home, trail).stdout.strip()
    return People(scenes, prompt, verified)


def _scenes(household: House) -> Iterator[Scene]:
    note, list_ = household.folder / "note.txt", household.folder / "shopping.txt"
    note.write_text("the operator's own note\n", encoding="utf-8")
    [refused] = household.results(GUS, "gus-reads", call("read_file", path=str(note)))
    yield Scene(GUS.name, "has a file read", _outcome(refused))
    yield from _ask(household, list_)
    household.results(ANNA, "anna-remembers", call("manyhands_remember", text=_FACT))
    seen = {person.name: household.turn(person, f"{person.name}-looks")[-1] for person in (OLGA, ANNA, GUS)}
    for name, request in seen.items():
        text = written(request)
        has = [what for what, there in (("the operator's notes", MEMORY_NOTE), ("Anna's fact", _FACT)) if there in text]
        yield Scene(name, "is answered by a model that sees", " and ".join(has) or "neither notes nor facts")


def _ask(household: House, path: Path) -> Iterator[Scene]:
    write = call("write_file", path=str(path), content="bread, milk\n")
    yield Scene(ANNA.name, "has a file written", _tried(household, "anna-asks", write))
    household.approve(path.name, told=ANNA.dm)
    yield Scene(OLGA.name, "approves it from her own chat", "exactly this call may run, once")
    other = call("write_file", path=str(path), content="caviar\n")
    yield Scene(ANNA.name, "tries other words first", _tried(household, "anna-changes", other))
    household.deny("caviar", told=ANNA.dm)
    yield Scene(OLGA.name, "says no to that", "denied, and told apart from silence")
    yield Scene(ANNA.name, "has what was approved written", _tried(household, "anna-writes", write))
    yield Scene(ANNA.name, "has it written once more", _tried(household, "anna-again", write))


def _tried(household: House, word: str, step: Reply) -> str:
    return _outcome(household.results(ANNA, word, step)[0])


def _outcome(result: str) -> str:
    if '"error"' not in result:
        return "runs"
    return "does not run; the owner is asked" if "has been asked" in result else "refused"


def as_data(part: People) -> dict[str, object]:
    """The part for a program."""
    return {"scenes": [scene._asdict() for scene in part.scenes], "prompt": part.prompt, "verified": part.verified}


def as_text(part: People) -> str:
    """The part for a person."""
    rows = (f"{scene.who:<6}{scene.did:<36}{scene.outcome}" for scene in part.scenes)
    prompt = (f"  {line}" for line in part.prompt.splitlines())
    return "\n".join(["", _HEAD, "", *rows, "", "What Olga got in her own chat:", *prompt, "", part.verified])
