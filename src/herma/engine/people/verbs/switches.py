"""Verbs that switch enforcement off and on again. Both leave a loud row and void everything that was open."""

from herma.engine.people.change import Change, changing
from herma.engine.people.verbs.call import Call, Table

__all__ = ["TABLE"]


def _pause(call: Call) -> str:
    return _switched(
        call,
        "1",
        "PAUSED: enforcement is off",
        "Enforcement is PAUSED: every tool runs for everybody until /many resume. People are still told apart, and the "
        "owner's notes stay withheld.",
        "Enforcement is paused already; /many resume switches it on.",
    )


def _resume(call: Call) -> str:
    return _switched(
        call,
        "0",
        "RESUMED: enforcement is on",
        "Enforcement is on again.",
        "Enforcement is on already.",
    )


def _switched(call: Call, value: str, row: str, done: str, already: str) -> str:
    def work(change: Change) -> str:
        if call.house.paused(change.roster) == (value == "1"):
            return already
        change.unit.put_setting("paused", value)
        voided = change.void(None)
        change.audit(row)
        return f"{done}{voided.said}"

    return changing(call.hand, call.typed.verb.name, work)


TABLE: Table = {"pause": _pause, "resume": _resume}
