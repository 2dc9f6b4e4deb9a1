"""A real gateway with manyhands on it and a household in it, and what its model, its chats and its database got.

The host admits nobody by itself: no allowlist is set, and everybody came in as people do, the owner by `/many claim`
with a code from the machine's own terminal, the others by an invite. The home holds notes that only the operator may
see.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.hosts.console import Console
from tests.hosts.gateway import Gateway, Person
from tests.hosts.hermes import Hermes
from tests.hosts.home import Config, Home, merged
from tests.hosts.homes import Homes
from tests.hosts.model import Reply, Request, ScriptedModel, say

__all__ = [
    "ANNA",
    "BEN",
    "GUS",
    "MEMORY_NOTE",
    "OLGA",
    "USER_NOTE",
    "House",
    "card_of",
    "claim_code",
    "code_in",
    "house",
    "lane",
    "written",
]

OLGA = Person("u-olga", "Olga")  # the owner
ANNA = Person("u-anna", "Anna")  # a member
BEN = Person("u-ben", "Ben")  # another one
GUS = Person("u-gus", "Gus")  # a guest

MEMORY_NOTE = "the safe opens with 7-19-33"
USER_NOTE = "the operator sees a cardiologist on Mondays"

# `/new` asks nobody, and no prompt of the host's own stands between a call and our decision.
CONFIG: Config = {"approvals": {"mode": "off", "destructive_slash_confirm": False}}
# No list, no pairing, and nobody let in: whoever speaks was admitted by manyhands.
ADMISSION = {"LOOPCHAT_ALLOW_ALL_USERS": ""}

_PROMPTED = re.compile(r"/many approve (\S+)")
_LONG_CODE = r"([2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4})"
_JOINED = re.compile(rf"\bjoin {_LONG_CODE}")


def lane(word: str) -> str:
    """The pattern of the lane for a turn that is told by `word`."""
    return rf"(?<![\w-]){re.escape(word)}(?![\w-])"


def card_of(person: Person, role: str) -> str:
    """How the card of a person opens."""
    return f"[manyhands] This turn's speaker is {person.name} ({role}, id loopchat:{person.id})"


def code_in(prompt: str) -> str:
    """The code that an owner's prompt names."""
    found = _PROMPTED.search(prompt)
    assert found is not None, prompt
    return found.group(1)


def written(request: Request) -> str:
    """All that a request says, its calls too, in one text; line breaks and quotation marks are escaped."""
    return json.dumps(request.messages, ensure_ascii=False)


class House(NamedTuple):
    """The gateway, its model, the folder that tools work in, its home, and the database (only ever read)."""

    gateway: Gateway
    model: ScriptedModel
    folder: Path
    home: Home
    hermes: Hermes

    @property
    def database(self) -> Path:
        """Where manyhands keeps people."""
        return self.home.path / "plugin-data" / "manyhands" / "manyhands.db"

    def turn(
        self, person: Person, word: str, *steps: Reply | Callable[[Request], Reply], chat: str | None = None
    ) -> list[Request]:
        """One turn, told by `word`: the model does `steps` and answers. Its requests, the last with all results."""
        self.model.lane(lane(word), *steps, say(f"{word} is done"))
        self.gateway.exchange(person, word, f"{word} is done", chat=chat)
        return self.model.of(lane(word))

    def results(
        self, person: Person, word: str, *steps: Reply | Callable[[Request], Reply], chat: str | None = None
    ) -> list[str]:
        """The same, and the texts of the results of the calls in this turn, in order."""
        requests = self.turn(person, word, *steps, chat=chat)
        made = sum(len(step.tools) if isinstance(step, Reply) else 1 for step in steps)
        return [text for _, text in requests[-1].tool_results()][-made:]

    def many(
        self, person: Person, command: str, pattern: str = ".", *, chat: str | None = None, busy: bool = False
    ) -> str:
        """What `/many <command>` answers to a person, in their direct chat or in the group `chat`."""
        return self.gateway.exchange(person, f"/many {command}", pattern, chat=chat, while_busy=busy).text

    def prompt(self, about: str, *, owner: Person = OLGA) -> str:
        """The prompt in an owner's own chat in which `about` stands."""
        return self.gateway.expect(owner.dm, rf"tool: .*{re.escape(about)}.*/many approve ").text

    def approve(self, about: str, *, told: str, uses: str = "") -> str:
        """The owner reads the prompt with `about` in it and approves it; waits until the chat `told` hears of it."""
        code = code_in(self.prompt(about))
        self.many(OLGA, f"approve {code} {uses}".rstrip(), "(?i)approved")
        self.gateway.expect(told, "(?i)approved")
        return code

    def deny(self, about: str, *, told: str) -> None:
        """The owner reads the prompt with `about` in it and says no; waits until the chat `told` hears of it."""
        self.many(OLGA, f"deny {code_in(self.prompt(about))}", "Denied")
        self.gateway.expect(told, "said no")

    def invite(self, role: str) -> str:
        """A fresh invite of the owner's; its code."""
        said = self.many(OLGA, f"invite {role}", "join ")
        found = _JOINED.search(said)
        assert found is not None, said
        return found.group(1)

    def join(self, person: Person, role: str) -> None:
        """Brings somebody in by an invite."""
        self.gateway.exchange(person, f"join {self.invite(role)}", f"(?i){role}")

    @property
    def said(self) -> int:
        """How many messages the gateway has sent up to now."""
        return len(self.gateway.messages)

    def heard(self, chat: str, since: int) -> list[str]:
        """The texts that a chat got after the first `since` messages of the gateway, in order."""
        return [each.text for each in self.gateway.messages[since:] if each.chat == chat]

    def rows(self, query: str, *values: object) -> list[dict[str, Any]]:
        """Rows of the database, read through a connection of the test's own that cannot write."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(query, values)]

    def kept(self, *tables: str) -> str:
        """All that stands in these tables, as text."""
        return "\n".join(str(row) for table in tables for row in self.rows(f"SELECT * FROM {table}"))  # noqa: S608 - ours

    def person_id(self, person: Person) -> str:
        """The id of somebody's first account, which is the id of the person."""
        return f"loopchat:{person.id}"

    def trail(self, person: Person | None = None, **wanted: object) -> list[dict[str, Any]]:
        """The audit rows of a person (or of all) whose columns have these values, oldest first."""
        columns = {**({"person_id": self.person_id(person)} if person else {}), **wanted}
        test = " AND ".join(f"{name} IS ?" for name in columns) or "1"
        return self.rows(f"SELECT * FROM audit WHERE {test} ORDER BY id", *columns.values())  # noqa: S608 - our names

    def asks(self, person: Person, tool: str) -> list[dict[str, Any]]:
        """Somebody's asks for a tool, oldest first."""
        return self.rows(
            "SELECT * FROM approvals WHERE person_id = ? AND tool = ? ORDER BY asked_at, rowid",
            self.person_id(person),
            tool,
        )

    def sent(self, text: str) -> list[Request]:
        """Every request that the model got with `text` anywhere in its messages."""
        return [request for request in self.model.requests if text in written(request)]


@contextmanager
def house(  # noqa: PLR0913 - what a gateway runs on
    hermes: Hermes,
    homes: Homes,
    folder: Path,
    *,
    settings: Mapping[str, object] | None = None,
    config: Config | None = None,
    plugins: tuple[Path, ...] = (),
    environment: Mapping[str, str] | None = None,
) -> Iterator[House]:
    """A gateway that is up and owned by Olga; a group is one session for all in it."""
    folder.mkdir(exist_ok=True)
    with ScriptedModel() as model:
        entries = {"plugins": {"entries": {"manyhands": {"settings": dict(settings or {})}}}}
        whole = merged(merged(CONFIG, entries), config or {})
        home = homes.make(hermes, model, plugins=plugins, enabled=("manyhands",), config=whole)
        write_notes(home)
        code = claim_code(hermes, home, folder)
        surroundings = {**ADMISSION, **(environment or {})}
        with Gateway(hermes, home, model, cwd=folder, shared_groups=True, environment=surroundings) as gateway:
            made = House(gateway, model, folder, home, hermes)
            made.many(OLGA, f"claim {code}", "(?i)owner")
            yield made


def write_notes(home: Home) -> None:
    """Gives the operator notes that nobody else may see."""
    notes = home.path / "memories"
    notes.mkdir(exist_ok=True)
    (notes / "MEMORY.md").write_text(MEMORY_NOTE, encoding="utf-8")
    (notes / "USER.md").write_text(USER_NOTE, encoding="utf-8")


def claim_code(hermes: Hermes, home: Home, folder: Path) -> str:
    """The code with which an account becomes the owner, as the host's own terminal shows it."""
    with Console(hermes, home, cwd=folder) as console:
        return console.ask("/many claim", f"/many claim {_LONG_CODE}")
