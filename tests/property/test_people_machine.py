"""The people service against a model of who may do what: people, chats, asks, answers, time, changes and restarts.

The model decides by itself, from what happened, whether a call may run. Nothing runs without an allow or a living grant
for exactly this call; no grant comes of anybody but an owner who was asked and did not ask; nothing outlives the change
that took its ground away; every verdict has its row, and the rows verify.
"""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule
from tests.engine.people.bot import Bot, Post
from tests.engine.people.household import START, Clock, Randomness

from herma.core.people.principal import OPERATOR
from herma.core.people.records import Approval
from herma.core.people.verify import verify
from herma.engine.people.house import Settings
from herma.engine.people.starts import Started
from herma.engine.people.turns import Call
from herma.stores.people.reading import Trail

ANN, OLGA, BOB, CAT, GUS = "1", "2", "3", "4", "5"
PEOPLE = {ANN: "owner", OLGA: "owner", BOB: "member", CAT: "member", GUS: "guest"}
ROLES = ("owner", "member", "guest", "blocked")
ALLOWED = {"guest": {"web_search"}, "member": {"web_search", "manyhands_recall"}}
ASKED = {"terminal", "process"}
TOOLS = ("terminal", "terminal", "terminal", "process", "web_search", "manyhands_recall", "read_file")
ARGS: tuple[dict[str, Any], ...] = (
    {"command": "ls"},
    {"command": "ls"},
    {"command": "rm -rf /"},
    {"command": "ls", "n": 1},
)
PLACES = ("", "", "room")
LIFE = 120_000
# Thousands of commits that each wait for a disk are no part of what is under test.
_MEMORY = Path("/dev/shm")


class Granted:
    """What the model knows of one ask."""

    def __init__(self, ask: Approval, args: dict[str, Any]) -> None:
        self.ask = ask
        self.args = args
        self.by = ""
        self.uses = 0
        self.until = 0
        self.over = False

    def opens(self, who: str, tool: str, args: dict[str, Any], conversation: str, now: int) -> bool:
        """Whether this is a living grant for exactly this call."""
        exact = (self.ask.person_id, self.ask.tool, self.args, self.ask.conversation) == (who, tool, args, conversation)
        return exact and not self.over and self.uses > 0 and now < self.until


class Machine(RuleBasedStateMachine):
    """One bot, and the model beside it."""

    turns = Bundle("turns")
    codes = Bundle("codes")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=_MEMORY if _MEMORY.is_dir() else None))
        self.on = Bot(self.folder, Settings(), clock=Clock(), post=Post(), drawn=Randomness())
        self.roles = dict(PEOPLE)
        self.taken: set[tuple[str, str]] = set()
        self.muted: dict[str, int] = {}
        self.paused = False
        self.granted: dict[str, Granted] = {}
        # Of each turn of this process whose words are in it, and whether they were on the roster when they came.
        self.words: dict[str, list[tuple[bool, str]]] = {}

    def teardown(self) -> None:
        """The trail verifies, from its first row to its last."""
        self.on.close()
        with Trail(self.folder / "people.db") as trail:
            report = verify(trail.writers(), trail.rows(), trail.salts())
        assert report.intact, report.findings
        shutil.rmtree(self.folder)

    @initialize()
    def come_in(self) -> None:
        """Everybody is on the roster, and the owners have chats of their own."""
        for sender, role in PEOPLE.items():
            self.on.join(sender, f"N{sender}", role)
        self.on.clock.at = START

    # turns and calls

    @rule(target=turns, sender=st.sampled_from(tuple(PEOPLE)), room=st.sampled_from(PLACES))
    def speak(self, sender: str, room: str) -> Started:
        """Somebody writes."""
        return self._speak(sender, room)

    def _speak(self, sender: str, room: str) -> Started:
        turn = self.on.begin(sender, room=room)
        self.words[turn.live.turn_id] = [(sender in self.roles, sender)]
        role = self.roles.get(sender)
        assert bool(turn.refusal) == (role == "blocked" or (role is None and not self.paused))
        return turn

    @rule(turn=turns, tool=st.sampled_from(TOOLS), args=st.sampled_from(ARGS), stopped=st.booleans())
    def call(self, turn: Started, tool: str, args: dict[str, Any], *, stopped: bool) -> None:
        """The model makes a call in some turn, which may be an old one; something else may stop it then."""
        before = self._rows()
        call = self.on.call(turn)
        expected, grant = self._may(turn, tool, args)
        verdict = self.on.people.gate.judge(call, tool, args)
        assert verdict.allowed == expected, (verdict, grant)
        self._has_its_row(before, tool, runs=expected)
        if grant is not None and expected:
            grant.uses -= 1
            self._end(grant, call, tool, args, stopped=stopped)
        self._learn(args)

    @rule(
        target=turns,
        sender=st.sampled_from((BOB, BOB, CAT)),
        room=st.sampled_from(PLACES),
        tool=st.sampled_from(("terminal", "terminal", "process")),
        args=st.sampled_from(ARGS),
        by=st.sampled_from((ANN, ANN, OLGA, BOB, GUS, "seat", "")),
        uses=st.integers(1, 3),
        stopped=st.booleans(),
        between=st.sampled_from(("", "", "", "late", "show")),
        after=st.sampled_from(("", "", "late", "restart")),
    )
    def ask(  # noqa: PLR0913, PLR0917 - one ask and what follows
        self,
        sender: str,
        room: str,
        tool: str,
        args: dict[str, Any],
        by: str,
        uses: int,
        *,
        stopped: bool,
        between: str,
        after: str,
    ) -> Started:
        """A member writes and the model makes a call that needs a yes; perhaps somebody gives one, and it goes on."""
        turn = self._speak(sender, room)
        self.call(turn, tool, args, stopped=False)
        if by:
            code = self._newest()
            self._meanwhile(between, code)
            self.approve(code, by, uses, None)
            self._meanwhile(after, code)
            self.repeat(0, None, stopped=stopped)
        return turn

    def _meanwhile(self, what: str, code: str) -> None:
        if what == "late":
            self.wait(121)
        elif what == "show":
            self.show(code)
        elif what == "restart":
            self.restart()

    @rule(
        at=st.integers(0, 3), other=st.sampled_from((None, None, None, *ARGS)), stopped=st.sampled_from((False, True))
    )
    def repeat(self, at: int, other: dict[str, Any] | None, *, stopped: bool) -> None:
        """Somebody who was given leave writes again, and the model makes that call: as it was asked, or altered."""
        given = [each for each in self.granted.values() if each.by]
        if given:
            grant = given[-1 - at % len(given)]
            turn = self._speak(
                grant.ask.person_id.removeprefix("telegram:"), "room" if grant.ask.session_id == "room" else ""
            )
            self.call(turn, grant.ask.tool, grant.args if other is None else other, stopped=stopped)

    @rule(turn=turns, sender=st.sampled_from(tuple(PEOPLE)))
    def steer(self, turn: Started, sender: str) -> None:
        """Words of somebody come into a running turn in a room."""
        if turn.live.shared and turn.live.turn_id in self.words:
            self.on.people.steered(turn.live.turn_id, (f"telegram:{sender}",))
            words = self.words[turn.live.turn_id]
            if all(sender != known for _was, known in words):
                words.append((sender in self.roles, sender))
            self.call(turn, "terminal", ARGS[0], stopped=False)

    @rule(tool=st.sampled_from(TOOLS), args=st.sampled_from(ARGS), nested=st.booleans())
    def nobodys_call(self, tool: str, args: dict[str, Any], *, nested: bool) -> None:
        """A call without a turn that anybody began."""
        before = self._rows()
        call = Call(task_id="somewhere") if nested else Call("unknown", "unknown", "unknown", "c")
        verdict = self.on.people.gate.judge(call, tool, args)
        assert verdict.allowed == (self.paused or (tool == "web_search" and not nested))
        self._has_its_row(before, tool, runs=verdict.allowed)

    # answers

    @rule(target=codes)
    def newest(self) -> str:
        """A code that waits, if one does: the owners read them all."""
        return self._newest()

    def _newest(self) -> str:
        waiting = self.on.people.asks.pending()
        return waiting[-1].code if waiting else "ZZZZ"

    @rule(
        code=codes,
        by=st.sampled_from((*PEOPLE, "seat")),
        uses=st.integers(1, 2),
        minutes=st.sampled_from((None, 1, 60)),
    )
    def approve(self, code: str, by: str, uses: int, minutes: int | None) -> None:
        """Somebody says yes, perhaps to a code that is long over."""
        now, seconds = self.on.clock(), None if minutes is None else 60 * minutes
        standing = OPERATOR if by == "seat" else self.on.who(by)
        who = standing.person_id
        decided = self.on.people.asks.approve(code, by=standing, uses=uses, seconds=seconds)
        if decided.outcome != "approved":
            assert decided.outcome in ("unknown", "refused")
            return
        assert decided.approval is not None
        found = self.granted[decided.approval.approval_id]
        assert by == "seat" or self.roles.get(by) == "owner"
        assert who in found.ask.approvers
        assert who != found.ask.person_id
        assert not found.over
        assert not found.by, "decided once"
        assert now < found.ask.expires_at
        found.by, found.uses = who, uses
        found.until = now + (LIFE if seconds is None else 1_000 * seconds)

    @rule(code=consumes(codes), by=st.sampled_from(tuple(PEOPLE)))
    def deny(self, code: str, by: str) -> None:
        """Somebody says no."""
        decided = self.on.people.asks.deny(code, by=self.on.who(by))
        if decided.outcome == "denied":
            assert decided.approval is not None
            assert self.roles.get(by) == "owner"
            self.granted[decided.approval.approval_id].over = True

    @rule(code=codes)
    def show(self, code: str) -> None:
        """A code stands in a text that a model reads."""
        self.on.people.void_codes([f"the code is {code}!"])
        for found in self.granted.values():
            if found.ask.code == code and not found.by:
                found.over = True

    # changes

    @rule(sender=st.sampled_from(tuple(PEOPLE)), role=st.sampled_from((*ROLES, "", "", "", "")))
    def change(self, sender: str, role: str) -> None:
        """The seat gives somebody a role, their first one for none, or puts them on the roster again."""
        role = role or PEOPLE[sender]
        if self.roles.get(sender) == role:
            return
        known = sender in self.roles
        self._types(f"role telegram:{sender} {role}" if known else f"add telegram {sender} {role}")
        self.roles[sender] = role
        if not known:
            self.on.join(sender, f"N{sender}", role)
        self._void(f"telegram:{sender}")

    @rule(sender=st.sampled_from(tuple(PEOPLE)))
    def remove(self, sender: str) -> None:
        """The seat takes somebody off the roster."""
        if sender in self.roles:
            self._types(f"remove telegram:{sender}")
            del self.roles[sender]
            self.taken = {each for each in self.taken if each[0] != sender}
            self.muted.pop(sender, None)
            self._void(f"telegram:{sender}")

    @rule(sender=st.sampled_from((BOB, CAT)), tool=st.sampled_from(("terminal", "web_search")))
    def take(self, sender: str, tool: str) -> None:
        """The seat takes a tool away from somebody."""
        if self.roles.get(sender) in ("member", "guest"):
            self._types(f"tools telegram:{sender} remove {tool}")
            self.taken.add((sender, tool))
            self._void(f"telegram:{sender}")

    @rule(pause=st.sampled_from((False, False, False, True)))
    def switch(self, *, pause: bool) -> None:
        """Enforcement is switched off or on."""
        self._types("pause" if pause else "resume")
        if self.paused != pause:
            self.paused = pause
            self._void(None)

    @rule(session=st.sampled_from(("room", f"dm-{BOB}")))
    def new(self, session: str) -> None:
        """`/new` in some chat. The sessions here keep their ids, so what is asked later is asked in the same one."""
        with self.on.store.routine() as unit:
            known = unit.session(session)
        if self.on.people.starts.ended(session) and known:
            for found in self.granted.values():
                if found.ask.conversation == known.conversation:
                    found.over = True

    @rule(seconds=st.sampled_from((1, 30, 61, 121, 4_000, -5, -200)))
    def wait(self, seconds: int) -> None:
        """Time passes, or the clock is set back."""
        self.on.clock.pass_by(seconds=seconds)

    @rule()
    def tick(self) -> None:
        """What happens by itself."""
        self.on.people.watch.tick()

    @rule()
    def restart(self) -> None:
        """The process ends and another one begins. Turns of before are nobody's."""
        self.on = self.on.restarted()
        self.words = {}

    @rule(dead=st.sampled_from((False, False, False, True)))
    def outage(self, *, dead: bool) -> None:
        """The owners' platform takes messages, or does not."""
        self.on.post.dead = {f"telegram:{sender}": "down" for sender in PEOPLE} if dead else {}

    @invariant()
    def holds(self) -> None:
        """What the tables say of asks, whatever happened."""
        with self.on.store.routine() as unit:
            asks = [ask for sender in PEOPLE for ask in unit.asks(f"telegram:{sender}", since=0)]
            spent = dict(
                unit.execute(
                    "SELECT approval_id, count(*) FROM spends WHERE returned_at IS NULL GROUP BY approval_id"
                ).fetchall()
            )
        for ask in asks:
            assert ask.approvers
            assert ask.person_id not in ask.approvers
            assert spent.get(ask.approval_id, 0) <= ask.uses
            alive = ask.status == "pending" or (ask.status == "approved" and ask.uses_left > 0)
            assert not (alive and ask.person_id.removeprefix("telegram:") not in self.roles), "it outlived a removal"
            if ask.status in ("approved", "spent"):
                assert ask.decided_by in ask.approvers

    # the model

    def _may(self, turn: Started, tool: str, args: dict[str, Any]) -> tuple[bool, Granted | None]:
        """Whether the call may run, and by which grant."""
        live, words = turn.live, self.words.get(turn.live.turn_id)
        if words is None:
            return self._may_as_machine(turn), None
        people = [sender for _was, sender in words]
        roles = [self._role(sender, was=was) for was, sender in words]
        if self.paused and roles[0] != "blocked":
            return True, None
        if live.refusal:
            return False, None
        effects = [self._effect(sender, role, tool) for sender, role in zip(people, roles, strict=True)]
        if "never" in effects:
            return False, None
        if "ask" not in effects:
            return True, None
        asker = next((each for each in people if self.roles[each] != "owner"), people[0])
        asker = people[0] if roles[0] != "owner" else asker
        now = self.on.clock()
        open_to = (f"telegram:{asker}", tool, args, live.conversation, now)
        grant = min(
            (each for each in self.granted.values() if each.opens(*open_to)),
            key=lambda each: (each.until, each.ask.approval_id),
            default=None,
        )
        return grant is not None, grant

    def _may_as_machine(self, turn: Started) -> bool:
        """A turn of before a restart: everybody who ever spoke in that session has to be an owner."""
        with self.on.store.routine() as unit:
            speakers = [each.removeprefix("telegram:") for each in unit.speakers(turn.live.session_id)]
        first = self.roles.get(speakers[0], "guest")
        if self.paused:
            return first != "blocked"
        return all(self.roles.get(each) == "owner" for each in speakers)

    def _role(self, sender: str, *, was: bool) -> str:
        """Who was nobody when the words came is a guest at most; who was somebody and is gone may do nothing."""
        now = self.roles.get(sender, "blocked" if was else "guest")
        return now if was or now == "blocked" else "guest"

    def _effect(self, sender: str, role: str, tool: str) -> str:
        if role == "owner":
            return "allow"
        if role == "blocked" or (sender, tool) in self.taken:
            return "never"
        if tool in ALLOWED[role]:
            return "allow"
        return "ask" if role == "member" and tool in ASKED else "never"

    def _learn(self, args: dict[str, Any]) -> None:
        """Asks that are new, with what was asked."""
        with self.on.store.routine() as unit:
            asks = [ask for sender in PEOPLE for ask in unit.asks(f"telegram:{sender}", since=0)]
        for ask in asks:
            known = self.granted.setdefault(ask.approval_id, Granted(ask, args))
            if ask.status in ("superseded", "undeliverable"):
                known.over = True

    def _end(self, grant: Granted, call: Call, tool: str, args: dict[str, Any], *, stopped: bool) -> None:
        """The call has ended. Where it was stopped, a use of a grant that still lives comes back."""
        self.on.people.gate.ended(call, tool, args, blocked=stopped)
        if stopped and self.on.clock() < grant.until:
            grant.uses += 1

    def _void(self, person_id: str | None) -> None:
        """A change: what was asked by somebody, or granted by them, is over; for None everything is."""
        for found in self.granted.values():
            if person_id in (None, found.ask.person_id, found.by):
                found.over = True

    def _types(self, line: str) -> None:
        from herma.engine.people.where import Where  # noqa: PLC0415 - of this helper alone

        text = self.on.people.command(OPERATOR, line, Where(surface="terminal", person_present=True))
        assert not text.startswith(("There is", "I do not", "Usage")), text

    def _rows(self) -> int:
        with self.on.store.routine() as unit:
            return int(unit.execute("SELECT coalesce(max(id), 0) FROM audit").fetchone()[0])

    def _has_its_row(self, before: int, tool: str, *, runs: bool) -> None:
        """One verdict, and what the trail says of it."""
        with self.on.store.routine() as unit:
            rows = unit.execute("SELECT kind, tool, allowed FROM audit WHERE id > ?", (before,)).fetchall()
        assert rows
        assert {row[1] for row in rows} == {tool}
        assert [row[0] for row in rows].count("tool") == int(runs)
        assert all(row[2] == 1 for row in rows if row[0] == "tool")


TestMachine = Machine.TestCase
TestMachine.settings = settings(max_examples=300, stateful_step_count=40, derandomize=True, deadline=None)
