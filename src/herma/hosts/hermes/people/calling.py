"""The call that a tool's handler belongs to: the host gives a handler no turn."""

from contextvars import ContextVar

from herma.engine.people.turns import Call

__all__ = ["CALLING"]

# Set around the host's own way to the handler, by the one middleware that is told the turn. None: nobody's call.
CALLING: ContextVar[Call | None] = ContextVar("herma_manyhands_call", default=None)
