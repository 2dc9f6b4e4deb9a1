"""read-once as a service: before a read it decides what the model should get, after it it learns what the model got.

`before` and `after` belong together, around one call of the host; both may be called from any thread. What
is outside (the file, the host's own record of reads) is asked without the lock held.
"""

from collections import Counter, OrderedDict
from collections.abc import Iterable
from threading import Lock

from herma.core.reading.note import note
from herma.core.reading.repeat import NO_MARK, Entry, Standing, Want, decide, replaceable
from herma.core.reading.request import ReadKey, key_of
from herma.core.reading.stats import Stats
from herma.core.reading.visibility import mark_of, seen_in
from herma.core.reading.window import EXACT, examine
from herma.engine.counters import Counters
from herma.engine.reads import Call, OnceSettings, Plan, Reads
from herma.engine.savings import Savings
from herma.engine.scopes import Scope, Scopes, Short
from herma.stores import rooted
from herma.stores.rooted import Content, Refusal

__all__ = ["SYSTEM", "Once"]

SYSTEM = "read-once"

_MOST_CHILDREN = 1_024
_MOST_REFRESHES = 128
# Nothing that was seen of the read speaks for the host when it says “unchanged” for one of these reasons.
_UNPROVED = frozenset(("refresh", "first_read", "changed", "not_visible"))
# For these reasons a read of an eligible file passes by unseen, and the host remembers it.
_UNSEEN = frozenset(
    (
        "missing_identity",
        "missing_tool_call_id",
        "non_local_backend",
        "terminal_policy_refused",
        "relative_path",
        "unknown_arg",
        "bad_args",
        "root_invalid",
        "symlink",
        "stat_failed",
        "open_failed",
        "hash_failed",
        "changed_during_hash",
    )
)


class Once:
    """The state of one profile in this process, and what is done with it."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self._lock = Lock()
        self._scopes = Scopes()
        self._savings = Savings()
        self._children: OrderedDict[str, None] = OrderedDict()
        self._refreshes: OrderedDict[str, tuple[int, int] | None] = OrderedDict()
        self._events: Counter[str] = Counter()

    def before(self, call: Call, settings: OnceSettings, host: Reads) -> Plan | str | None:
        """The note where the host need not be asked, else the plan for the read; None when it is none of ours."""
        key = self._admit(call, settings, host)
        if isinstance(key, str):
            self._pass_by(call, settings, key, host)
            return None
        scope = self._scopes.find(call.session)
        content = rooted.read(settings.root, key.path, seen=scope is not None and key in scope.entries)
        if isinstance(content, Refusal):
            self._pass_by(call, settings, content.reason, host)
            return None
        plan = self._decide(call, settings, key, content)
        if isinstance(plan, str):
            return plan
        if plan.want is not Want.NOTE:
            self._counters.count(SYSTEM, plan.reason)
        if settings.hits:
            self._prepare(plan, host)
        return plan

    def after(self, plan: Plan, result: object, host: Reads) -> object:
        """What the model gets in the end: the host's `result` itself, or the note in its place."""
        if plan.want is Want.NOTE:
            noted = self._note_instead(plan, result)
            if noted is not None:
                return noted
        self._learn(plan, result, host)
        return result

    def saw(self, session: str, task: str, request: str, body: object) -> None:
        """A request is about to be sent. One without a task, or of a child, ends what was visible in the session."""
        with self._lock:
            scope = self._scopes.find(session)
            if scope is None or not request:
                return
            if not task or session in self._children:
                scope.requests.clear()
                return
            index = scope.index
        seen = seen_in(body, index)
        with self._lock:
            scope.saw(request, {digest: call_id for digest, (call_id, _) in seen.items()})
            self._savings.settle(seen)

    def is_child(self, session: str) -> None:
        """This session belongs to a subagent; its reads are left alone."""
        with self._lock:
            self._children[session] = None
            if len(self._children) > _MOST_CHILDREN:
                self._children.popitem(last=False)

    def end(self, sessions: Iterable[str] | None) -> None:
        """Forget what is known of these sessions, or of all."""
        with self._lock:
            if sessions is None:
                self._scopes.end_all()
            else:
                self._scopes.end(sessions)

    def count(self, event: str) -> None:
        """Count an event of the host for the report."""
        with self._lock:
            self._events[event] += 1

    def refresh(self, path: str) -> int:
        """Let the next read of this file be fresh, by whatever name it is read; how many entries that ended."""
        true, inode = rooted.identity(path)
        ended = 0
        with self._lock:
            self._refreshes[true] = inode
            if len(self._refreshes) > _MOST_REFRESHES:
                self._refreshes.popitem(last=False)
            for scope in self._scopes:
                keys = [key for key, entry in scope.entries.items() if _is_of(entry, true, inode)]
                ended += sum(scope.entries[key].exact for key in keys)
                scope.blank(keys)
        return ended

    def stats(self) -> Stats:
        """The report, without its counters."""
        with self._lock:
            counts = [scope.counts() for scope in self._scopes]
            return Stats(
                epoch=self._scopes.epoch,
                scopes=len(counts),
                entries=sum(exact for exact, _ in counts),
                visible=sum(visible for _, visible in counts),
                events=dict(self._events),
                saved=self._savings.report(),
            )

    def _admit(self, call: Call, settings: OnceSettings, host: Reads) -> ReadKey | str:
        if not settings.root:
            return "root_unset"
        if not call.session or not call.task:
            return "missing_identity"
        if not call.call_id:
            return "missing_tool_call_id"
        if call.child or call.session in self._children:
            return "parent_id"
        if call.remote:
            return "non_local_backend"
        return host.elsewhere() or key_of(call.arguments, host.facts())

    def _pass_by(self, call: Call, settings: OnceSettings, reason: str, host: Reads) -> None:
        """A read that is none of ours. A script's own read gets content, for its earlier ones went to a script too."""
        self._counters.count(SYSTEM, reason)
        if reason not in _UNSEEN or not call.task:
            return
        if settings.hits and not call.call_id and rooted.is_below(settings.root, call.arguments.get("path")):
            host.forget(call.task)
        with self._lock:
            self._scopes.doubts.raise_for((call.task,))

    def _decide(self, call: Call, settings: OnceSettings, key: ReadKey, content: Content) -> Plan | str:
        """The plan for a read, or the note if the gates are behind us and the host has served this task before."""
        with self._lock:
            scope = self._scopes.of(call.session)
            entry = scope.entries.get(key)
            seen_as = scope.visible(call.request, entry)
            reason, want = decide(
                Standing(
                    entry,
                    content.version,
                    seen_as is not None,
                    scope.answered_short(key, call.turn, call.request),
                    bool(self._refreshes) and self._take_refresh(content),
                    settings.hits,
                )
            )
            if want is Want.NOTE and call.may_answer and entry is not None and entry.task == call.task:
                return self._give_note(scope, key, entry, call, seen_as)
            scope.serves(call.task)
        return Plan(call, settings.root, key, content, scope, entry, reason, want)

    def _take_refresh(self, content: Content) -> bool:
        """True for the first read of a file that was asked to be fresh."""
        inode = (content.version.device, content.version.inode)
        for true, marked in self._refreshes.items():
            if true == content.path or marked == inode:
                del self._refreshes[true]
                return True
        return False

    def _prepare(self, plan: Plan, host: Reads) -> None:
        """Keep the host from saying “unchanged” where that is not proved, and from refusing where it is."""
        task, doubts = plan.call.task, self._scopes.doubts
        if plan.want is not Want.CONTENT:
            host.calm(task)
            return
        remembered = plan.entry is not None or plan.reason == "refresh" or task in doubts or self._served_as_other(plan)
        if remembered and host.forget(task):
            with self._lock:
                doubts.settle(task)

    def _served_as_other(self, plan: Plan) -> bool:
        """True when this window of the same file was read by another path: to the host that is the same read."""
        key, path = plan.key, plan.content.path
        with self._lock:
            entries = list(plan.scope.entries.items())
        return any(entry.path == path and other[1:] == key[1:] for other, entry in entries if other != key)

    def _note_instead(self, plan: Plan, result: object) -> str | None:
        """The note in the place of the host's answer, or None when that has to stand; the reason is counted."""
        key, call, scope, entry = plan.key, plan.call, plan.scope, plan.entry
        if entry is None or not replaceable(result, entry, key.path):
            self._counters.count(SYSTEM, "other_answer")
            return None
        again = rooted.read(plan.root, key.path, seen=True)
        if isinstance(again, Refusal) or again.version != plan.content.version:
            self._counters.count(SYSTEM, "changed")
            return None
        with self._lock:
            current = scope.entries.get(key) if self._current(plan) else None
            held = current is not None and current._replace(task=entry.task) == entry
            if held and not scope.answered_short(key, call.turn, call.request):
                scope.entries[key] = entry._replace(task=call.task)
                return self._give_note(scope, key, entry, call, scope.visible(call.request, entry))
        self._counters.count(SYSTEM, "after_note" if held else "ended_meanwhile")
        return None

    def _give_note(self, scope: Scope, key: ReadKey, entry: Entry, call: Call, seen_as: str | None) -> str:
        """The note, counted. It names the call as whose result the text stands in the request. The lock is held."""
        text = note(seen_as or entry.call_id, key.path, entry.version.digest)
        scope.short[key] = Short(call.turn, call.request, noted=True)
        self._savings.hit(entry.mark, text)
        self._counters.count(SYSTEM, "hit")
        return text

    def _learn(self, plan: Plan, result: object, host: Reads) -> None:
        """Remember what the host answered, as far as it can be vouched for."""
        reason = examine(result, plan.content.data, plan.key)
        if reason == "host_stub" and plan.reason in _UNPROVED:
            self._counters.count(SYSTEM, "false_host_stub")
        if reason == EXACT:
            again = rooted.read(plan.root, plan.key.path, seen=True)
            if isinstance(again, Refusal) or again.version != plan.content.version:
                reason = "changed_during_read"
            elif host.elsewhere():
                reason = "backend_changed"
        with self._lock:
            if not self._current(plan):
                reason = "ended_meanwhile"
            else:
                self._remember(plan, result, reason)
        self._counters.count(SYSTEM, "seeded" if reason == EXACT else reason)

    def _remember(self, plan: Plan, result: object, reason: str) -> None:
        """Put down what the read was answered with, by the reason why it is or is not the exact window."""
        scope, key, call, content = plan.scope, plan.key, plan.call, plan.content
        found = scope.entries.get(key)
        blank = Entry(NO_MARK, call.call_id, content.path, content.version, exact=False, task=call.task)
        if reason == "host_stub":
            scope.put(key, found or blank)
            scope.short[key] = Short(call.turn, call.request, noted=False)
        elif reason in ("not_text", "error_result"):
            if found is None:
                scope.put(key, blank)
        elif reason in ("changed_during_read", "backend_changed") or not isinstance(result, str):
            scope.put(key, blank)
        else:
            mark = mark_of(result)
            short = scope.short.get(key)
            if plan.reason == "after_note" and found is not None and found.mark == mark and short and short.noted:
                self._savings.refetch(mark.digest)
            if reason != EXACT and found is not None and found.exact and found.version == content.version:
                scope.put(key, found)
            else:
                scope.put(key, blank._replace(mark=mark, exact=reason == EXACT))

    def _current(self, plan: Plan) -> bool:
        return self._scopes.find(plan.call.session) is plan.scope


def _is_of(entry: Entry, true: str, inode: tuple[int, int] | None) -> bool:
    """True when an entry is of the file of that true path, or of that device and inode."""
    return entry.path == true or inode == (entry.version.device, entry.version.inode)
