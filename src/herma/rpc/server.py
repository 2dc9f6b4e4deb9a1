"""Answering calls, one after another, until the other side closes. Nothing that comes in can end it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import IO

from herma.rpc.wire import LONGEST, Call, Fault, answer, call_of, failure

__all__ = ["BadParameters", "Method", "answered", "serve"]

Method = Callable[[Mapping[str, object]], object]


class BadParameters(Exception):  # noqa: N818 - reads as the sentence it is raised in
    """A call's parameters are not what the method takes. The text goes to the caller."""


def serve(source: IO[bytes], sink: IO[bytes], methods: Mapping[str, Method]) -> None:
    """Answer each line of `source` on `sink` until the source ends or the sink is gone."""
    with suppress(BrokenPipeError):
        for line in _lines(source):
            reply = failure(Fault(-32001, f"a line is at most {LONGEST} bytes")) if line is None else None
            reply = reply or (answered(line or b"", methods) if line and line.strip() else b"")
            if reply:
                sink.write(reply)
                sink.flush()


def answered(line: bytes, methods: Mapping[str, Method]) -> bytes:
    """The line that answers this one; empty for a notification. Never raises.

    An error's message names the exception's type only: its text may carry words of a person.
    """
    call = call_of(line)
    if isinstance(call, Fault):
        return failure(call)
    reply = _carried_out(call, methods)
    return reply if call.wants_answer else b""


def _carried_out(call: Call, methods: Mapping[str, Method]) -> bytes:
    method = methods.get(call.method)
    if method is None:
        return failure(Fault(-32601, "there is no such method", call.id))
    try:
        return answer(call.id, method(call.parameters))
    except BadParameters as bad:
        return failure(Fault(-32602, str(bad), call.id))
    except Exception as error:  # noqa: BLE001 - the place where everything is caught
        return failure(Fault(-32603, f"the method failed with {type(error).__name__}", call.id))


def _lines(source: IO[bytes]) -> Iterator[bytes | None]:
    """Each line; None for one that is too long, of which no more than the limit is ever held."""
    while line := source.readline(LONGEST + 1):
        if line.endswith(b"\n") or len(line) <= LONGEST:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(LONGEST + 1)
        yield None
