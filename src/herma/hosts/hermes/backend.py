"""Whether Hermes reads files of this machine, as far as it shows that.

It passes no backend to plugins. Two signals exist: the variable TERMINAL_ENV of the process, and from 0.22
on a ContextVar that holds the terminal policy of the turn's profile and then decides alone. The ContextVar
is found by its name among those that are set, so nothing of the host is imported. 0.19 has none.
"""

import os
from collections.abc import Mapping
from contextvars import ContextVar, copy_context
from typing import Any

__all__ = ["SCOPE", "elsewhere", "shown"]

SCOPE = "hermes_terminal_scope"

_REFUSAL = "TerminalPolicyRefusal"
_found: list[ContextVar[Any]] = []


def elsewhere() -> str | None:
    """The id of the reason why a read may not be of a local file, or None."""
    scope = _scope()
    if scope is None:
        return None if os.environ.get("TERMINAL_ENV", "local") == "local" else "non_local_backend"
    if any(each.__name__ == _REFUSAL for each in type(scope).__mro__):
        return "terminal_policy_refused"
    named = scope.get("TERMINAL_ENV") if isinstance(scope, Mapping) else ""
    return None if named in (None, "local") else "non_local_backend"


def shown() -> bool:
    """Whether the terminal policy of a turn has been seen in this process."""
    _scope()
    return bool(_found)


def _scope() -> object:
    """What the ContextVar holds here; None where it is not set or does not exist."""
    if not _found:
        _found.extend(each for each in copy_context() if each.name == SCOPE)
    return _found[0].get(None) if _found else None
