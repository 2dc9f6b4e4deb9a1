"""Counting is exact, also when many threads count at once."""

from threading import Barrier, Thread

import pytest

from herma.core.reasons import of_system
from herma.engine.counters import Counters, Outcome

SYSTEM = "read-summarizer"
THREADS, EACH = 8, 2_000


def _outcome(number: int, reason: str = "shortened") -> Outcome:
    return Outcome(SYSTEM, reason, "read_file", f"call_{number}", 100, 10)


def test_nothing_was_counted_at_first() -> None:
    counters = Counters()
    assert counters.reasons(SYSTEM) == {}
    assert list(counters.latest()) == []


def test_every_reason_is_counted_under_its_own_system_only() -> None:
    counters = Counters()
    for n, reason in enumerate(of_system(SYSTEM), 1):
        for _ in range(n):
            counters.count(SYSTEM, reason.id)
    assert counters.reasons(SYSTEM) == {reason.id: n for n, reason in enumerate(of_system(SYSTEM), 1)}
    assert counters.reasons("manyhands") == {}


def test_an_outcome_without_a_known_reason_is_neither_counted_nor_kept() -> None:
    counters = Counters()
    with pytest.raises(KeyError):
        counters.record(_outcome(1, "made up"))
    assert counters.reasons(SYSTEM) == {}
    assert list(counters.latest()) == []


def test_the_latest_outcomes_are_kept_in_their_order_and_no_more_than_256() -> None:
    counters = Counters()
    for number in range(300):
        counters.record(_outcome(number))
    assert [outcome.call_id for outcome in counters.latest()] == [f"call_{number}" for number in range(44, 300)]
    assert counters.reasons(SYSTEM) == {"shortened": 300}


def test_what_was_handed_out_does_not_change_when_counting_goes_on() -> None:
    counters = Counters()
    counters.record(_outcome(1))
    seen, reasons = counters.latest(), counters.reasons(SYSTEM)
    counters.record(_outcome(2))
    assert [outcome.call_id for outcome in seen] == ["call_1"]
    assert reasons == {"shortened": 1}


def test_threads_that_count_at_once_lose_nothing() -> None:
    counters, start = Counters(), Barrier(THREADS)
    read: list[int] = []

    def work(number: int) -> None:
        start.wait(timeout=30)
        for n in range(EACH):
            counters.record(_outcome(number * EACH + n, "shortened" if n % 2 else "small"))
            if n % 100 == 0:
                read.append(sum(counters.reasons(SYSTEM).values()))
                assert len(list(counters.latest())) <= 256

    threads = [Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    assert counters.reasons(SYSTEM) == {"shortened": THREADS * EACH // 2, "small": THREADS * EACH // 2}
    assert len(read) == THREADS * EACH // 100
    assert len(list(counters.latest())) == 256
