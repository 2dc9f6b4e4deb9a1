import json
from collections.abc import Mapping
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herma.errors import SidecarError
from herma.rpc.client import Twin
from herma.rpc.server import BadParameters, answered, serve
from herma.rpc.wire import LONGEST, Call, Fault, call_of, line_of, result_of


def _echo(parameters: Mapping[str, object]) -> object:
    return dict(parameters)


def _refuse(_parameters: Mapping[str, object]) -> object:
    raise BadParameters("n is a number")


def _break(_parameters: Mapping[str, object]) -> object:
    raise RuntimeError("words of a person")


def _odd(_parameters: Mapping[str, object]) -> object:
    return object()


METHODS = {"echo": _echo, "refuse": _refuse, "break": _break, "odd": _odd}
GOOD = b'{"jsonrpc":"2.0","id":7,"method":"echo","params":{"a":1}}\n'


def _served(data: bytes) -> list[dict[str, object]]:
    sink = BytesIO()
    serve(BytesIO(data), sink, METHODS)
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def test_a_call_is_answered_under_its_id() -> None:
    assert _served(GOOD) == [{"jsonrpc": "2.0", "id": 7, "result": {"a": 1}}]


def test_calls_are_answered_in_order() -> None:
    lines = b"".join(line_of(Call("echo", {"n": n}, n)) for n in range(50))
    assert [answer["id"] for answer in _served(lines)] == list(range(50))


@pytest.mark.parametrize(
    "line,code",
    [
        (b"junk", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b"1", -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"echo"}', -32600),
        (b'{"jsonrpc":"2.0","id":1}', -32600),
        (b'{"jsonrpc":"2.0","id":[1],"method":"echo"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"echo","params":[1]}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"nobody"}', -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"refuse"}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"break"}', -32603),
        (b'{"jsonrpc":"2.0","id":1,"method":"odd"}', -32603),
        (b"x" * (LONGEST + 1), -32001),
        (b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":"' + b"x" * (3 * LONGEST) + b'"}}', -32001),
    ],
)
def test_what_is_wrong_gets_an_error_and_the_next_call_its_answer(line: bytes, code: int) -> None:
    bad, good = _served(line + b"\n" + GOOD)
    assert isinstance(bad["error"], dict)
    assert bad["error"]["code"] == code
    assert good["result"] == {"a": 1}


def test_an_error_does_not_carry_the_words_of_an_exception() -> None:
    (answer,) = _served(b'{"jsonrpc":"2.0","id":1,"method":"break"}\n')
    assert "words of a person" not in json.dumps(answer)
    assert "RuntimeError" in json.dumps(answer)


def test_a_notification_and_an_empty_line_get_no_answer() -> None:
    assert _served(b'\n  \n{"jsonrpc":"2.0","method":"echo"}\n{"jsonrpc":"2.0","method":"break"}\n') == []


def test_a_last_line_without_an_end_is_answered() -> None:
    assert len(_served(GOOD.rstrip())) == 1


def test_a_host_that_hung_up_ends_the_service_without_a_word() -> None:
    class Gone(BytesIO):
        def write(self, _data: object) -> int:
            raise BrokenPipeError

    serve(BytesIO(GOOD * 3), Gone(), METHODS)


@settings(derandomize=True, deadline=None, database=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_answered_with_lines_of_json(data: bytes) -> None:
    for answer in _served(data):
        assert set(answer) >= {"jsonrpc", "id"}


@settings(derandomize=True, deadline=None, database=None)
@given(st.dictionaries(st.text(max_size=5), st.text(st.characters(exclude_categories=()), max_size=9), max_size=4))
def test_any_text_survives_the_way_there_and_back(parameters: dict[str, str]) -> None:
    call = call_of(line_of(Call("echo", parameters, 3)))
    assert isinstance(call, Call)
    assert call.parameters == parameters
    assert result_of(answered(line_of(Call("echo", parameters, 3)), METHODS)) == (3, parameters)


def test_the_twin_answers_as_a_process_does() -> None:
    twin = Twin(METHODS)
    assert twin.call("echo", {"a": [1, None]}) == {"a": [1, None]}
    with pytest.raises(SidecarError, match="n is a number"):
        twin.call("refuse", {})


@pytest.mark.parametrize("line", [b"junk", b"[]", b'{"id":1}', b"["])
def test_an_answer_that_is_none_is_a_fault(line: bytes) -> None:
    assert isinstance(result_of(line), Fault)
