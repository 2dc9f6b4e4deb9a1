"""The report."""

from herma.core.reading.stats import Mode, Saved, Stats, report
from herma.core.reasons import of_system

SAVED = Saved(hits=3, refetches=1, approx=120, net=77, method="some method (approx)")
STATS = Stats(epoch=2, scopes=1, entries=4, visible=3, events={"turns": 5}, saved=SAVED)


def _lines(mode: Mode | None = None, counts: dict[str, int] | None = None) -> list[str]:
    return report(mode or Mode("/srv/files", hits=True, notice="quiet"), STATS, counts or {}).split("\n")


def test_the_line_of_tokens_is_exact() -> None:
    assert "approx tokens not resent this session: 120 (approx)" in _lines()


def test_the_second_count_names_its_method_and_what_it_is_net_of() -> None:
    line = next(line for line in _lines() if "some method (approx)" in line)
    assert "77" in line
    assert "3 notes" in line
    assert "1 re-fetches" in line


def test_it_shows_mode_notice_root_epoch_hits_and_entries() -> None:
    text = "\n".join(_lines())
    for part in ("answering repeats", "notice: quiet", "root: /srv/files", "epoch: 2", "hits: 3", "entries: 4 in 1"):
        assert part in text
    assert "3 of them in the latest request" in text
    assert "turns 5" in text


def test_it_says_why_nothing_is_answered() -> None:
    assert "READ_ONCE_HITS is not 1" in _lines(Mode("/srv", hits=False, notice="off"))[0]
    assert "READ_ONCE_ROOT is not set" in _lines(Mode("", hits=True, notice="off"))[0]


def test_every_reason_is_shown_in_its_own_list_with_its_count() -> None:
    reasons = [reason for reason in of_system("read-once") if reason.group]
    counts = {reason.id: n for n, reason in enumerate(reasons, 1)}
    lines = {line.split(":")[0]: line for line in _lines(counts=counts)}
    titles = {"bypass": "bypassed", "miss": "misses", "not_seeded": "not seeded", "host": "of the host"}
    for reason in reasons:
        assert f"{reason.id} {counts[reason.id]}" in lines[titles[reason.group]]


def test_it_makes_no_claim_in_percent_or_money() -> None:
    assert not {"%", "$", "€"} & set("\n".join(_lines()))
