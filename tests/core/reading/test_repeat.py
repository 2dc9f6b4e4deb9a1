"""The rules for a read that may be a repeat."""

import json
from itertools import product

import pytest

from herma.core.reading.repeat import NO_MARK, Entry, Standing, Verdict, Version, Want, decide, replaceable
from herma.core.reading.visibility import mark_of

VERSION = Version(b"d" * 32, 11, 1, 2, 3)
TEXT = '{"content": "1|alpha"}'
ENTRY = Entry(mark_of(TEXT), "call_1", "/a", VERSION, exact=True, task="t")
REPEAT = Standing(ENTRY, VERSION, visible=True, short=False, refresh=False, hits=True)
BLOCKED = {"error": "BLOCKED: You have called read_file 3 times", "path": "/a", "already_read": 3}
UNCHANGED = {"status": "unchanged", "dedup": True, "path": "/a"}


@pytest.mark.parametrize(
    "changes, verdict",
    [
        ({}, Verdict("hit", Want.NOTE)),
        ({"hits": False}, Verdict("observing", Want.HOST)),
        ({"entry": ENTRY._replace(exact=False)}, Verdict("not_exact", Want.HOST)),
        ({"short": True}, Verdict("after_note", Want.CONTENT)),
        ({"visible": False}, Verdict("not_visible", Want.CONTENT)),
        ({"version": VERSION._replace(digest=b"e" * 32)}, Verdict("changed", Want.CONTENT)),
        ({"version": VERSION._replace(size=12)}, Verdict("changed", Want.CONTENT)),
        ({"version": VERSION._replace(mtime_ns=9)}, Verdict("changed", Want.CONTENT)),
        ({"version": VERSION._replace(device=9)}, Verdict("changed", Want.CONTENT)),
        ({"version": VERSION._replace(inode=9)}, Verdict("changed", Want.CONTENT)),
        ({"entry": None, "visible": False}, Verdict("first_read", Want.CONTENT)),
        ({"refresh": True}, Verdict("refresh", Want.CONTENT)),
    ],
)
def test_one_thing_that_does_not_hold_decides(changes: dict[str, object], verdict: Verdict) -> None:
    assert decide(Standing(**{**REPEAT._asdict(), **changes})) == verdict


def test_the_note_is_wanted_only_where_everything_holds() -> None:
    entries: tuple[Entry | None, ...] = (None, ENTRY, ENTRY._replace(exact=False), ENTRY._replace(mark=NO_MARK))
    known = product(entries, (VERSION, VERSION._replace(size=12)))
    for (entry, version), (visible, short, refresh, hits) in product(known, product((True, False), repeat=4)):
        verdict = decide(Standing(entry, version, visible=visible, short=short, refresh=refresh, hits=hits))
        all_hold = entry is not None and entry.exact and version == VERSION and visible and hits
        assert (verdict.want is Want.NOTE) == (all_hold and not short and not refresh), verdict


@pytest.mark.parametrize("result", [TEXT, json.dumps(UNCHANGED), json.dumps(BLOCKED)])
def test_the_recorded_text_and_the_hosts_own_answers_to_a_repeat_may_be_replaced(result: str) -> None:
    assert replaceable(result, ENTRY, "/a")


@pytest.mark.parametrize(
    "result",
    [
        TEXT + " ",
        '{"content": "1|alphA"}',
        json.dumps({"error": "vetoed"}),
        json.dumps({"error": "BLOCKED: User denied this", "path": "/a"}),
        json.dumps({**BLOCKED, "path": "/b"}),
        json.dumps({**UNCHANGED, "path": "/b"}),
        json.dumps({"error": "BLOCKED", "already_read": 3}),
        json.dumps({"status": "unchanged", "path": "/a"}),
        json.dumps([UNCHANGED]),
        "another plugin's text",
        "",
        None,
        UNCHANGED,
        7,
    ],
)
def test_anything_else_stands(result: object) -> None:
    assert not replaceable(result, ENTRY, "/a")
