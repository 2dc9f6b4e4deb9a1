"""The lines of the protocol: what a line says, and the line that answers it. Pure."""

import json
from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["LONGEST", "Call", "Fault", "answer", "call_of", "failure", "line_of", "result_of"]

LONGEST = 1_048_576  # bytes of a line without its end; a host's whole system prompt is a twentieth of that

_VERSION = "2.0"


class Call(NamedTuple):
    """A request, or with `wants_answer` False a notification."""

    method: str
    parameters: Mapping[str, object]
    id: object = None
    wants_answer: bool = True


class Fault(NamedTuple):
    """An error as the wire has it. The codes below -32000 are the protocol's own."""

    code: int
    message: str
    id: object = None


def call_of(line: bytes) -> Call | Fault:
    """What a line asks for, or what is wrong with it. Never raises."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return Fault(-32700, "this line is not JSON")
    if not isinstance(record, dict) or record.get("jsonrpc") != _VERSION or not isinstance(record.get("method"), str):
        return Fault(-32600, "this is not a JSON-RPC 2.0 request")
    id_ = record.get("id")
    if id_ is not None and not isinstance(id_, str | int):
        return Fault(-32600, "an id is a text or a whole number")
    parameters = record.get("params", {})
    if not isinstance(parameters, dict):
        return Fault(-32602, "parameters are an object", id_)
    return Call(record["method"], parameters, id_, wants_answer="id" in record)


def line_of(call: Call) -> bytes:
    """The line that makes a call."""
    record: dict[str, object] = {"jsonrpc": _VERSION, "method": call.method, "params": dict(call.parameters)}
    return _line({**record, "id": call.id} if call.wants_answer else record)


def answer(id_: object, result: object) -> bytes:
    """The line that answers a call. Raises `ValueError` or `TypeError` for a result that is no JSON."""
    return _line({"jsonrpc": _VERSION, "id": id_, "result": result})


def failure(fault: Fault) -> bytes:
    """The line that says what went wrong."""
    return _line({"jsonrpc": _VERSION, "id": fault.id, "error": {"code": fault.code, "message": fault.message}})


def result_of(line: bytes) -> tuple[object, object] | Fault:
    """The id and the result of an answer, or the fault that it reports or is. Never raises."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return Fault(-32700, "the answer is not JSON")
    if not isinstance(record, dict) or not ({"result", "error"} & set(record)):
        return Fault(-32600, "the answer is not one of JSON-RPC 2.0")
    error = record.get("error")
    if isinstance(error, dict):
        code = error.get("code")
        return Fault(code if isinstance(code, int) else -32603, str(error.get("message", "")), record.get("id"))
    return record.get("id"), record.get("result")


def _line(record: Mapping[str, object]) -> bytes:
    # ASCII only: a lone surrogate, which a host's text may hold, has no other form that survives the way.
    return json.dumps(record, separators=(",", ":"), allow_nan=False).encode() + b"\n"
