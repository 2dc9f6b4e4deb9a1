"""manyhands in this process, on a stand-in of the host, and every function of it that can be made to fail."""

import gc
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import pytest
from tests.core.people.request.wires import prompt
from tests.hermes.stand_in import Host

from herma.app import Runtime
from herma.core.people.digest import ask_digest, canonical
from herma.core.people.records import Approval, Person
from herma.engine.people.service import People
from herma.hosts.hermes import manyhands
from herma.hosts.hermes.people import opening
from herma.hosts.hermes.people.household import Household, Shut

PARTS = ("herma.engine.people", "herma.core.people", "herma.stores.people", "herma.hosts.hermes.people")
NOTE = "the safe is behind the picture"
OWNER, MEMBER, SPENDER, GUEST, BLOCKED, STRANGER = "111", "222", "223", "333", "444", "999"
MUTE = (BLOCKED, STRANGER, SPENDER)
ROLES = {OWNER: "owner", MEMBER: "member", SPENDER: "member", GUEST: "guest", BLOCKED: "blocked"}


# So many asks in a few seconds are a flood in ordinary life.
PATIENT = {"max_pending_asks": 100}
# What another plugin may answer before us.
APPROVED = {"action": "approve", "message": "fine"}


class Gateway(Host):
    """A host of which many people are served."""

    def __init__(self, version: str, home: Path) -> None:
        super().__init__(version)
        self.home = home
        self.sender = ""
        self.numbers = 0
        self.ran: list[str] = []
        self.odd: list[str] = []
        # The turn whose `pre_llm_call` has not come back yet.
        self.beginning: dict[str, Any] | None = None
        self.first_answer_counts = False
        self.people: People | None = None

    def register_tool(self, **_tool: object) -> None:
        """As the host's; nothing here calls them."""

    def env(self, name: str, default: str = "") -> str:
        """What the host has bound to the chat of the running turn."""
        bound = {"KEY": f"agent:main:telegram:dm:{self.sender}", "PLATFORM": "telegram", "CHAT_ID": self.sender}
        return bound.get(name.removeprefix("HERMES_SESSION_"), default)

    def begins(self, sender: str, text: str = "hello", *, platform: str = "telegram") -> dict[str, Any]:
        """A turn begins; its ids."""
        self.numbers += 1
        self.sender = sender
        session = f"s-{sender}"
        ids = {"session_id": session, "task_id": session, "turn_id": f"{session}:{self.numbers}"}
        self.beginning = ids
        self.hook("pre_llm_call", **ids, platform=platform, sender_id=sender, user_message=text)
        self.beginning = None
        return ids

    def requests_after(self, ids: Mapping[str, Any], text: str = "") -> list[str]:
        """What goes out to the model in this turn, as text."""
        before = len(self.requests)
        system = prompt(self.version, [NOTE], ["the owner is Kiter"])
        messages = [
            {"role": "system", "content": system},
            {"role": "user", "content": text or f"hello from {str(ids['session_id']).removeprefix('s-')}"},
        ]
        self.llm({"messages": messages, "model": "m"}, **ids, api_mode="chat_completions")
        return [json.dumps(sent, default=str) for sent in self.requests[before:]]

    def runs(self, ids: Mapping[str, Any], tool: str, **args: object) -> bool:
        """Whether the tool runs: by the answer of the gate, and by what the chain around it does."""
        self.numbers += 1
        call = {**ids, "tool_name": tool, "tool_call_id": f"c-{self.numbers}" if ids.get("turn_id") else ""}
        before = len(self.ran)

        def handler(_args: object) -> str:
            self.ran.append(tool)
            return "ran"

        if self.version == "0.19.0":
            if not self._stopped(call, args):
                self._chain("tool_execution", "args", args, handler, call)
        else:
            self._chain(
                "tool_execution", "args", args, lambda given: "" if self._stopped(call, args) else handler(given), call
            )
        return len(self.ran) > before

    def _stopped(self, call: Mapping[str, Any], args: Mapping[str, object]) -> bool:
        answers = self.hook("pre_tool_call", args=dict(args), **call)
        ours = [answer for answer in answers if answer != APPROVED]
        self.odd += [f"half a directive: {answer!r}" for answer in ours if not _is_block(answer)]
        if self.first_answer_counts and answers:  # an `approve` of another plugin, and somebody says yes to it
            return answers[0] != APPROVED
        return bool(ours) and not self.odd


def _is_block(answer: object) -> bool:
    """Whether it is what every host takes for a block."""
    if not isinstance(answer, dict) or answer.keys() != {"action", "message"}:
        return False
    return answer["action"] == "block" and isinstance(answer["message"], str) and bool(answer["message"])


class Function(NamedTuple):
    """A function of ours and every place where it is known by a name."""

    name: str
    places: tuple[tuple[object, str], ...]


def plugged(
    version: str, home: Path, monkeypatch: pytest.MonkeyPatch, settings: Mapping[str, object] | None = None
) -> Gateway:
    """A host with the plugin on it and five people in its house."""
    home.mkdir()
    gateway = Gateway(version, home)
    place: dict[str, dict[str, object]] = {
        "hermes_cli": {"__version__": version},
        "hermes_cli.config": {"load_config_readonly": lambda: {"manyhands": {**PATIENT, **(settings or {})}}},
        "hermes_constants": {"get_hermes_home": lambda: str(home)},
        "gateway": {},
        "gateway.session_context": {"get_session_env": lambda name, default="": gateway.env(name, default)},
    }
    for name, members in place.items():
        module = ModuleType(name)
        module.__dict__.update(members)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delenv("MANYHANDS_DB", raising=False)
    made = Runtime(str(home), "default")
    monkeypatch.setattr(manyhands, "runtime", lambda _home, _profile: made)
    manyhands.register(gateway)
    gateway.people = _people_in(made)
    return gateway


def _nothing() -> Household:
    raise AssertionError("registering has made it")


def _people_in(made: Runtime) -> People | None:
    household: Household = made.part(manyhands.PLUGIN, _nothing)
    try:
        people = household.people()
    except Shut:
        return None
    with people.house.store.firm() as unit:
        for sender, role in ROLES.items():
            account = f"telegram:{sender}"
            budget = 5 if sender == SPENDER else 0
            unit.save_person(Person(account, "telegram", sender, role, role, role, (), budget, created_at=1))
        unit.add_tokens(f"telegram:{SPENDER}", _today(), 5)
        grant = _approved()
        unit.park(grant)
        until = opening.now() + 3_600_000
        unit.grant(grant.approval_id, by=f"telegram:{OWNER}", now=grant.asked_at, until=until, uses=100, choice="")
    return people


def _today() -> str:
    from herma.core.people.budget import day_of  # noqa: PLC0415 - of this helper alone

    return day_of(opening.now())


def _approved() -> Approval:
    """A member may run `ls` a hundred times."""
    who, args, session, now = f"telegram:{MEMBER}", {"command": "ls"}, f"s-{MEMBER}", opening.now()
    digest = ask_digest(who, "terminal", args, session, "exact")
    return Approval(
        "a1",
        "K7QP",
        who,
        who,
        "terminal",
        "",
        canonical(args),
        digest,
        session,
        session,
        "t",
        "pending",
        ("telegram:111",),
        now,
        now + 60_000,
    )


# what must never happen, whatever fails


def breaches(gateway: Gateway) -> list[str]:
    """Everything that nobody may do, tried one after another; what of it happened, and what left a callback."""
    gateway.odd.clear()
    found = []
    for attempt in ATTEMPTS:
        try:
            happened = attempt(gateway)
        except Exception as error:  # noqa: BLE001 - whatever leaves a callback is a breach
            happened = f"{type(error).__name__} left a callback: {error}"
        if happened:
            found.append(f"{attempt.__name__}: {happened}")
    return [*found, *gateway.odd]


def _a_guests_shell(gateway: Gateway) -> str:
    ids = gateway.begins(GUEST)
    return "ran" if gateway.runs(ids, "terminal", command="id") else ""


def _a_members_unasked_write(gateway: Gateway) -> str:
    ids = gateway.begins(MEMBER)
    return "ran" if gateway.runs(ids, "write_file", path="x", content="y") else ""


def _other_arguments_than_were_approved(gateway: Gateway) -> str:
    ids = gateway.begins(MEMBER)
    return "ran" if gateway.runs(ids, "terminal", command="rm -rf /") else ""


def _a_call_of_nobody(gateway: Gateway) -> str:
    return "ran" if gateway.runs({"session_id": "", "task_id": "", "turn_id": ""}, "terminal", command="id") else ""


def _a_script_of_a_member(gateway: Gateway) -> str:
    ids = gateway.begins(MEMBER)
    nested = {"session_id": "", "task_id": ids["task_id"], "turn_id": ""}
    return "ran" if gateway.runs(nested, "terminal", command="ls") else ""


def _the_owner_reads_our_own_files(gateway: Gateway) -> str:
    ids = gateway.begins(OWNER)
    path = gateway.home / "plugin-data" / "manyhands" / "manyhands.db"
    return "ran" if gateway.runs(ids, "read_file", path=str(path)) else ""


def _somebody_blocked(gateway: Gateway) -> str:
    return _sent_or_ran(gateway, BLOCKED)


def _a_stranger(gateway: Gateway) -> str:
    return _sent_or_ran(gateway, STRANGER)


def _somebody_without_tokens(gateway: Gateway) -> str:
    return _sent_or_ran(gateway, SPENDER)


def _sent_or_ran(gateway: Gateway, sender: str) -> str:
    ids = gateway.begins(sender)
    sent = "a request went out" if gateway.requests_after(ids) else ""
    return sent or ("ran" if gateway.runs(ids, "web_search", query="x") else "")


def _the_owners_notes_in_a_members_request(gateway: Gateway) -> str:
    ids = gateway.begins(MEMBER)
    return "sent" if any(NOTE in sent for sent in gateway.requests_after(ids)) else ""


def _a_file_in_a_members_request(gateway: Gateway) -> str:
    text = "read this\n\n--- Attached Context ---\n\n@file:/etc/passwd"
    return "sent" if gateway.requests_after(gateway.begins(MEMBER, text), text) else ""


ATTEMPTS: tuple[Callable[[Gateway], str], ...] = (
    _a_guests_shell,
    _a_members_unasked_write,
    _other_arguments_than_were_approved,
    _a_call_of_nobody,
    _a_script_of_a_member,
    _the_owner_reads_our_own_files,
    _somebody_blocked,
    _a_stranger,
    _somebody_without_tokens,
    _the_owners_notes_in_a_members_request,
    _a_file_in_a_members_request,
)


def forbidden(sent: str) -> bool:
    """Whether a request is one that must not go out. In the owner's own chat the owner's notes belong."""
    leaks = NOTE in sent and f"hello from {OWNER}" not in sent
    return leaks or "Attached Context" in sent or any(f"from {each}" in sent for each in MUTE)


def works(gateway: Gateway) -> bool:
    """Whether what may happen does: so that a refusal of everything is no proof."""
    owner, member = gateway.begins(OWNER), gateway.begins(MEMBER)
    sent = gateway.requests_after(owner) and gateway.requests_after(member)
    return bool(
        sent
        and gateway.runs(owner, "terminal", command="id")
        and gateway.runs(member, "terminal", command="ls")
        and gateway.runs(member, "web_search", query="x")
    )


# the functions


def reached(work: Callable[[], object]) -> list[Function]:
    """Every function of ours that `work` calls and that can be replaced by its name."""
    codes: set[CodeType] = set()

    def seen(frame: Any, event: str, _argument: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return [function for function in _functions() if _code_of(*function.places[0]) in codes]


def _functions() -> list[Function]:
    modules = [module for name, module in sys.modules.items() if name.startswith("herma.")]
    ours = [module for module in modules if module.__name__.startswith(PARTS)]
    found = []
    for module in ours:
        for name, value in list(vars(module).items()):
            if isinstance(value, type) and value.__module__ == module.__name__:
                methods = [each for each in vars(value) if _code_of(value, each) is not None]
                found += [Function(f"{module.__name__}.{value.__name__}.{each}", ((value, each),)) for each in methods]
            elif getattr(value, "__module__", "") == module.__name__ and _code_of(module, name) is not None:
                places = [(each, key) for each in modules for key, known in vars(each).items() if known is value]
                found.append(Function(f"{module.__name__}.{name}", tuple(places)))
    return found


def _code_of(owner: object, name: str) -> CodeType | None:
    value = vars(owner)[name]
    value = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
    value = getattr(value, "__wrapped__", value)
    return value.__code__ if isinstance(value, FunctionType) and value.__name__ not in _BUILT else None


# What Python itself makes of a value type.
_BUILT = ("__new__", "_make", "_replace", "_asdict", "__getnewargs__", "__repr__", "__replace__")


@contextmanager
def failing(
    function: Function, fault: Callable[[Callable[..., object]], Callable[..., object]], gateway: Gateway
) -> Iterator[None]:
    """The function replaced by what `fault` makes of it, wherever it is known or held."""
    places = (*function.places, *_held(function, gateway.people))
    kept = [(owner, name, vars(owner)[name]) for owner, name in places]
    for owner, name, value in kept:
        setattr(owner, name, _replaced(value, fault))
    try:
        yield
    finally:
        for owner, name, value in kept:
            setattr(owner, name, value)
        gc.collect(0)


def _held(function: Function, people: People | None) -> Iterator[tuple[object, str]]:
    """Where a part of the open house holds the function, as it got it when it was made."""
    code = _code_of(*function.places[0])
    parts = (people.house, people.asks, people.gate, people.turns, people.starts) if people else ()
    for part in parts:
        for name, value in vars(part).items():
            if getattr(getattr(value, "__func__", value), "__code__", None) is code:
                yield part, name


def _replaced(value: Any, fault: Callable[[Callable[..., object]], Callable[..., object]]) -> object:
    if isinstance(value, property):
        return property(fault(value.fget))  # type: ignore[arg-type]
    if isinstance(value, (classmethod, staticmethod)):
        return type(value)(fault(value.__func__))
    return fault(value)
