"""The methods that OpenCode's plugin calls. It hands over what the host tells; everything is decided here."""

from collections import OrderedDict
from collections.abc import Mapping
from hashlib import sha256

from herma import __version__
from herma.core.memory import blocks
from herma.core.memory import tool as memory_tool
from herma.core.recall import tool as recall_tool
from herma.core.settings import Resolved
from herma.engine.memory import Memory
from herma.hosts.opencode.log import Log
from herma.hosts.opencode.past import Past
from herma.hosts.opencode.requests import TESTED, Purpose, purpose_of
from herma.rpc.server import BadParameters, Method

__all__ = ["PROTOCOL", "UNKNOWN_REQUEST", "Sidecar"]

# The plugin's file and the sidecar are of one protocol, or do not speak with each other.
PROTOCOL = 1

UNKNOWN_REQUEST = "a request of an unknown kind gets no memory"

_MOST_TURNS = 1_024
_ABSENT: tuple[object, ...] = ("", [], None)


class Sidecar:
    """One person's memory and past, as the plugins of one OpenCode process use it."""

    def __init__(self, memory: Memory, past: Past, person: str, log: Log, settings: Resolved) -> None:
        self._memory = memory
        self._past = past
        self._person = person
        self._log = log
        self._settings = settings
        self._turns: OrderedDict[str, str] = OrderedDict()

    def methods(self) -> Mapping[str, Method]:
        """Every method by its name."""
        return {
            "hello": self._hello,
            "system": self._system,
            "turn": self._turn,
            "tool": self._tool,
            "deleted": self._deleted,
        }

    def _hello(self, parameters: Mapping[str, object]) -> object:
        """Who this is. With `look` somebody only asks, and nothing is written."""
        protocol = parameters.get("protocol")
        if protocol != PROTOCOL:
            self._log.say(f"a plugin of protocol {protocol!r} was refused: this is protocol {PROTOCOL}")
        elif parameters.get("look") is not True:
            self._greet()
        return {
            "protocol": PROTOCOL,
            "herma": __version__,
            "tested": TESTED,
            "tools": [self._memory.tool_schema(), self._past.tool_schema()],
        }

    def _greet(self) -> None:
        """The first lines of a start: where everything lies, and what is not as it should be with the settings."""
        values = self._settings.values
        limits = f"{values['memoryCharLimit']}/{values['userCharLimit']}"
        self._log.say(f"herma {__version__} started: memory in {values['memoryRoot']}, limits {limits}")
        for problem in self._settings.problems:
            self._log.say(f"warning: {problem.message}; {problem.hint}")

    def _system(self, parameters: Mapping[str, object]) -> object:
        """The texts that go behind the host's own system prompt."""
        session, base = _text(parameters, "session"), _text(parameters, "base", "")
        kind = parameters.get("kind")
        purpose = purpose_of(base, kind if isinstance(kind, str) else None)
        if purpose is Purpose.UNKNOWN:
            self._note_unknown(base, kind)
        if purpose is not Purpose.CONVERSATION:
            return {"texts": []}
        parent = _text(parameters, "parent", "") or None
        text = self._memory.system(self._person, session=session, parent=parent)
        self._pass_on_warnings()
        return {"texts": [_guided(text)]}

    def _turn(self, parameters: Mapping[str, object]) -> object:
        session = _text(parameters, "session")
        self._turns[session] = _text(parameters, "turn", "")
        self._turns.move_to_end(session)
        if len(self._turns) > _MOST_TURNS:
            self._turns.popitem(last=False)
        self._memory.turn_started(self._person, session=session)
        return {}

    def _tool(self, parameters: Mapping[str, object]) -> object:
        session, given = _text(parameters, "session"), parameters.get("arguments")
        arguments = given if isinstance(given, dict) else {}
        # Hosts fill in what a model leaves out, each in its own way.
        present = {name: value for name, value in arguments.items() if value not in _ABSENT}
        match parameters.get("name"):
            case memory_tool.NAME:
                turn = self._turns.get(session) or _text(parameters, "turn", "")
                text = self._memory.tool(self._person, session=session, turn=turn, arguments=present)
            case recall_tool.NAME:
                text = self._past.tool(self._person, session=session, arguments=present)
            case _:
                raise BadParameters("there is no such tool")
        self._pass_on_warnings()
        return {"text": text}

    def _deleted(self, parameters: Mapping[str, object]) -> object:
        session = _text(parameters, "session")
        self._turns.pop(session, None)
        self._memory.session_deleted(self._person, session=session)
        return {}

    def _note_unknown(self, base: str, kind: object) -> None:
        # Its digest and not its words: what a person has put into their prompt is theirs.
        digest = sha256(base.encode(errors="surrogatepass")).hexdigest()[:16]
        what = f"kind {str(kind)[:40]!r}" if kind is not None else f"base text of {len(base)} characters, {digest}"
        self._log.say_seldom("unknown", f"{UNKNOWN_REQUEST}: {what}; known are those of OpenCode {TESTED}")

    def _pass_on_warnings(self) -> None:
        for warning in (*self._memory.warnings(), *self._past.warnings()):
            self._log.say_seldom(warning, f"warning: {warning}")


def _guided(text: str) -> str:
    """Memory's text with the guidance of the search behind its own and before its blocks: the same for the same text.

    It is not frozen with it, so that a session that began before there was a search has it too.
    """
    own = blocks.GUIDANCE if text.startswith(blocks.GUIDANCE) else ""
    return "\n\n".join(filter(None, [own, recall_tool.GUIDANCE, text.removeprefix(own).removeprefix("\n\n")]))


def _text(parameters: Mapping[str, object], name: str, otherwise: str | None = None) -> str:
    value = parameters.get(name)
    if value is None and otherwise is not None:
        return otherwise
    if not isinstance(value, str) or (not value and otherwise is None):
        raise BadParameters(f"{name} is a text")
    return value
