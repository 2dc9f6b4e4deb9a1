"""The table of turns: found by what the host attests, bounded, and never by who spoke last."""

from herma.core.people.principal import NOBODY, OPERATOR, Standing
from herma.engine.people.turns import Call, Live, Turns

MEMBER = Standing("telegram:222", "member", "person", "Minh", "telegram:222")
GUEST = Standing("telegram:333", "guest", "person", "Gast", "telegram:333")


def _begun(turns: Turns, turn: str, standing: Standing, session: str = "s", task: str = "t") -> Live:
    live = Live(turn, session, standing)
    turns.begin(live, task_id=task)
    return live


def test_a_call_belongs_to_the_turn_it_names_whoever_spoke_later() -> None:
    turns = Turns()
    first = _begun(turns, "1", MEMBER)
    _begun(turns, "2", OPERATOR)
    assert turns.find(Call("1", "s", "t", "c"), NOBODY) is first


def test_a_call_that_names_no_turn_is_never_the_last_speakers() -> None:
    turns = Turns()
    _begun(turns, "1", OPERATOR)
    for call in (Call("", "s", "t", "c"), Call("x", "s", "t"), Call("", "s"), Call("x"), Call()):
        assert turns.find(call, NOBODY).standing == NOBODY


def test_only_a_task_and_nothing_else_is_a_script_inside_the_running_turn_of_that_task() -> None:
    turns = Turns()
    _begun(turns, "1", MEMBER)
    inner = turns.find(Call(task_id="t"), NOBODY)
    assert inner.standing == MEMBER._replace(kind="nested")
    assert turns.find(Call(task_id="other"), OPERATOR).standing == OPERATOR._replace(kind="nested")


def test_an_unknown_turn_of_a_known_session_is_what_the_service_says_of_the_session() -> None:
    turns = Turns()
    turns.machine = lambda session: GUEST._replace(kind="machine") if session == "s" else None
    assert turns.find(Call("x", "s"), NOBODY).standing.kind == "machine"
    assert turns.find(Call("x", "other"), NOBODY).standing == NOBODY
    assert turns.find(Call("x", ""), NOBODY).standing == NOBODY


def test_a_subagents_call_is_its_parents() -> None:
    turns = Turns()
    _begun(turns, "1", MEMBER)
    turns.child("child", "1")
    assert turns.find(Call("x", "child"), NOBODY).standing == MEMBER._replace(kind="subagent")
    turns.child("lost", "no such turn")
    assert turns.find(Call("x", "lost"), NOBODY).standing == NOBODY


def test_words_of_others_come_into_the_turn_they_were_sent_into_and_into_no_other() -> None:
    turns = Turns()
    first, second = _begun(turns, "1", MEMBER), _begun(turns, "2", MEMBER)
    assert turns.mix("1", (GUEST,)) == MEMBER._replace(others=(GUEST,))
    assert turns.mix("1", (GUEST, MEMBER)) == first.standing == MEMBER._replace(others=(GUEST,))
    assert second.standing == MEMBER
    assert turns.mix("x", (GUEST,)) is None


def test_it_forgets_the_oldest_and_what_is_forgotten_has_no_authority() -> None:
    turns = Turns()
    for number in range(5_000):
        _begun(turns, f"turn-{number}", OPERATOR, f"s-{number}", f"t-{number}")
        turns.child(f"child-{number}", f"turn-{number}")
    assert turns.turn("turn-0") is None
    assert turns.find(Call("turn-0", "s-0"), NOBODY).standing == NOBODY
    assert turns.find(Call(task_id="t-0"), NOBODY).standing.role == "guest"
    assert turns.find(Call("", "child-0"), NOBODY).standing == NOBODY
    assert turns.turn("turn-4999") is not None


def test_a_turn_without_an_id_is_not_kept() -> None:
    turns = Turns()
    _begun(turns, "", OPERATOR, "", "")
    assert turns.turn("") is None
    assert turns.running("") is None
    assert turns.parent("anything") is None
    assert turns.find(Call(task_id="anything"), NOBODY).standing.role == "guest"
