"""What a message is to the host: whose, where, which command, and whether a turn runs or a question waits there.

Every look at the host that may fail is one that the door can do without, and it then takes the side of refusing.
"""

import asyncio
from typing import Any
from weakref import ref

from herma.core.people.doors import MANY, Arrival, many_of
from herma.core.people.records import account_of

__all__ = ["Spoken", "account_at", "arrival_of", "is_busy", "key_of", "platform_of"]

# Words that both hosts take for an answer to their own questions; 0.22 adds those of the language in use.
_APPROVAL = frozenset(
    {"approve", "yes", "ok", "okay", "confirm", "y", "👍", "deny", "no", "reject", "cancel", "n", "👎", "always"}
    | {"approve always", "always approve", "session", "approve session", "session approve"}
)
_CONFIRM = frozenset({"approve", "approve once", "once", "yes", "ok", "confirm", "cancel", "nevermind", "no", "deny"})
_LASTING = frozenset({"always", "always approve", "remember"})
_MOST = 1_024
_EARLY = "\0early"


def platform_of(source: object) -> str:
    """A platform's name, as it stands in accounts."""
    platform = getattr(source, "platform", None)
    return str(getattr(platform, "value", platform) or "")


def key_of(gateway: Any, adapter: Any, event: Any) -> str:
    """The host's key of the session that a message belongs to; empty where it cannot be told."""
    derive = getattr(adapter, "_event_session_key", None)  # 0.22
    try:
        key = derive(event) if derive is not None else gateway._session_key_for_source(event.source)  # noqa: SLF001
    except Exception:  # noqa: BLE001 - a message of an odd shape
        return ""
    return str(key or "")


def is_busy(adapter: Any, key: str) -> bool:
    """Whether the session has a turn other than the one that this very message begins."""
    owner = (getattr(adapter, "_session_tasks", None) or {}).get(key)
    return owner is not None and owner is not _task() and not owner.done()


def arrival_of(gateway: Any, event: Any, key: str, *, busy: bool, own: bool) -> Arrival:
    """The message as the door sees it."""
    source = event.source
    command, arguments = _command(event)
    question, lasting = _question(gateway, event, key)
    return Arrival(
        platform=platform_of(source),
        sender_id=str(getattr(source, "user_id", None) or ""),
        text=str(event.text or ""),
        name=str(getattr(source, "user_name", None) or ""),
        is_bot=getattr(source, "is_bot", False) is not False,
        chat=str(getattr(source, "chat_id", None) or ""),
        chat_kind=str(getattr(source, "chat_type", None) or ""),
        command=command,
        arguments=arguments,
        has_media=bool(getattr(event, "media_urls", None)),
        busy=busy,
        own=own,
        question=question,
        lasting=lasting,
    )


class Spoken:
    """Whose words are in the turn that runs in a session. For the loop's thread alone."""

    def __init__(self) -> None:
        self._by_key: dict[str, tuple[ref[Any] | None, set[str]]] = {}

    def began(self, key: str, account: str) -> None:
        """This message is a turn of its own, in the task that runs now."""
        words = self._of(key, _task())
        words.discard(_EARLY)
        words.add(account)

    def joined(self, adapter: Any, key: str, account: str) -> None:
        """This message was let in while a turn runs."""
        self._of(key, (getattr(adapter, "_session_tasks", None) or {}).get(key)).add(account)

    def only(self, adapter: Any, key: str, account: str) -> bool:
        """Whether every word in the running turn is this account's. One that nobody was seen to begin is nobody's."""
        return self._of(key, (getattr(adapter, "_session_tasks", None) or {}).get(key)) <= {account}

    def _of(self, key: str, task: Any) -> set[str]:
        known = self._by_key.pop(key, None)
        if known is None or known[0] is None or known[0]() is not task:
            known = (ref(task) if task is not None else None, {_EARLY})
        self._by_key[key] = known
        while len(self._by_key) > _MOST:
            self._by_key.pop(next(iter(self._by_key)))
        return known[1]


def account_at(event: Any) -> str:
    """The account that a message is from."""
    return account_of(platform_of(event.source), str(getattr(event.source, "user_id", None) or ""))


def _command(event: Any) -> tuple[str, str]:
    """The host's own name of the command in a text, and what follows it."""
    many = many_of(str(event.text or ""))
    if many is not None:
        return MANY, many
    typed = event.get_command()
    if not typed:
        return "", ""
    return _resolved(str(typed)), str(event.get_command_args() or "")


def _resolved(typed: str) -> str:
    try:
        from hermes_cli.commands import resolve_command  # noqa: PLC0415 - exists only inside the host

        found = resolve_command(typed)
    except Exception:  # noqa: BLE001 - a name that is not on the list is shut anyway
        found = None
    return str(getattr(found, "name", "") or typed.replace("_", "-"))


def _question(gateway: Any, event: Any, key: str) -> tuple[str, bool]:
    """The question of the host that this text would answer in this session, and whether for all times."""
    if getattr(event, "prompt_response", None):
        return "approval", False
    text = str(event.text or "").strip().lower()
    said = text.lstrip("!/")
    if _approval_waits(key) and text in _APPROVAL | _more(gateway, "_plaintext_approval_words"):
        return "approval", False
    waiting = _confirmation(key)
    if waiting and said in _LASTING:
        return waiting, True
    if waiting and said in _CONFIRM | _more(gateway, "_slash_confirm_text_choices"):
        # A word of another language may mean always; only the known ones are taken for once.
        return waiting, said not in _CONFIRM
    return ("update", False) if _update_waits(gateway, key) else ("", False)


def _approval_waits(key: str) -> bool:
    try:
        from tools.approval import has_blocking_approval  # noqa: PLC0415 - exists only inside the host

        return bool(has_blocking_approval(key))
    except Exception:  # noqa: BLE001 - then every such word is taken for an answer
        return True


def _confirmation(key: str) -> str:
    try:
        from tools import slash_confirm  # noqa: PLC0415 - exists only inside the host

        waiting = slash_confirm.get_pending(key)
    except Exception:  # noqa: BLE001 - a host without such questions
        return ""
    return str(waiting.get("command") or "?") if isinstance(waiting, dict) else ""


def _update_waits(gateway: Any, key: str) -> bool:
    """Whether `/update` asked something in this session: it would take any text for the answer."""
    pending = getattr(gateway, "_update_prompt_pending", None)  # 0.19
    if isinstance(pending, dict):
        return bool(pending.get(key))
    peek = getattr(gateway, "_peek_session_state", None)  # 0.22
    state = peek(key) if peek is not None else None
    return getattr(getattr(state, "persistent", None), "update_prompt_pending", False) is True


def _more(gateway: Any, name: str) -> frozenset[str]:
    try:
        return frozenset(getattr(gateway, name)())
    except Exception:  # noqa: BLE001 - 0.19 has no such list
        return frozenset()


def _task() -> Any:
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None
