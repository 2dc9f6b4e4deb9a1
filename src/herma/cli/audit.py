"""`herma audit`: the trail of people, looked at from outside. It writes nothing, whatever it finds."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from herma.cli.command import Command
from herma.cli.output import say, say_json
from herma.core.people.audit import Row, exported
from herma.core.people.verify import Report, verify
from herma.install.home import home_in_force
from herma.install.machine import Machine
from herma.stores.people.place import default
from herma.stores.people.reading import Trail

__all__ = ["COMMAND"]

_SCHEMA = "herma/audit/1"
_BROKEN = 1
_PERSONAL = ("person_id", "session_id", "turn_id", "note")


def _configure(parser: ArgumentParser) -> None:
    parser.description = "Check, show or export the audit trail of people. Nothing is written."
    parser.add_argument(
        "what", choices=tuple(_RUN), help="check every row, show the newest, or print all as JSON lines"
    )
    parser.add_argument("--database", metavar="PATH", help="the database (default: MANYHANDS_DB, else the home's own)")
    parser.add_argument("--home", metavar="PATH", help="the Hermes home to look into (default: the one in force)")
    parser.add_argument(
        "--rows", metavar="N", type=int, default=20, help="how many rows to show (default: %(default)d)"
    )
    parser.add_argument("--anonymous", action="store_true", help="export no person, session, turn or note")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")


def _run(arguments: Namespace, machine: Machine) -> int:
    with Trail(_database(arguments, machine)) as trail:
        return _RUN[arguments.what](trail, arguments)


def _database(arguments: Namespace, machine: Machine) -> Path:
    named = arguments.database or machine.environ.get("MANYHANDS_DB", "").strip()
    return Path(named) if named else default(home_in_force(machine, arguments.home))


def _verify(trail: Trail, arguments: Namespace) -> int:
    report = verify(trail.writers(), trail.rows(), trail.salts())
    if arguments.json:
        findings = [finding._asdict() for finding in report.findings]
        say_json(_SCHEMA, {**report._asdict(), "findings": findings, "intact": report.intact})
    else:
        say(_lines(report))
    return 0 if report.intact else _BROKEN


def _lines(report: Report) -> list[str]:
    writers = f"{report.writers:,} writer{'' if report.writers == 1 else 's'}"
    counted = f"{report.rows:,} rows of {writers}, {report.erased:,} of them about people since erased"
    if report.intact:
        return [f"intact: {counted}", "whether the newest rows were cut off cannot be told from the trail alone"]
    more = [f"… and {report.more:,} more"] if report.more else []
    return [f"not intact: {counted}", *(f"  {each.kind}: {each.said}" for each in report.findings), *more]


def _show(trail: Trail, arguments: Namespace) -> int:
    rows = trail.newest(max(0, arguments.rows))
    if arguments.json:
        say_json(_SCHEMA, {"rows": [exported(row) for row in rows]})
    else:
        say(map(_line, rows))
    return 0


def _line(row: Row) -> str:
    decided = {None: "", 0: "refused", 1: "allowed"}.get(row.allowed, "")
    asked = {None: "", 0: "", 1: "asked"}.get(row.needs_approval, "")
    tokens = f"{row.tokens:,} tokens" if row.tokens else ""
    who = "(erased)" if row.person_id is None else row.person_id or "-"
    parts = (_time(row.ts), row.surface, who, row.kind, row.tool, decided, asked, tokens, row.note)
    return "  ".join(part for part in parts if part)


def _export(trail: Trail, arguments: Namespace) -> int:
    """All rows, one JSON object a line, with all that it takes to check the hashes elsewhere."""
    for row in trail.rows():
        shown = dict(exported(row))
        for name in _PERSONAL if arguments.anonymous else ():
            del shown[name]
        sys.stdout.write(json.dumps(shown).replace("\x7f", "\\u007f") + "\n")
    return 0


def _time(milliseconds: int) -> str:
    try:
        return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M:%S}Z"
    except (OverflowError, ValueError, OSError):
        return "a time that is none"


_RUN: dict[str, Callable[[Trail, Namespace], int]] = {"verify": _verify, "show": _show, "export": _export}

COMMAND = Command("audit", "check, show or export the audit trail of people", _configure, _run)
