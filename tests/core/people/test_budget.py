from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herma.core.people.budget import Budget, day_of, next_day
from herma.core.people.durations import moment, said, seconds_of


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.datetimes(datetime(1970, 1, 1), datetime(2399, 12, 31), timezones=st.just(UTC)))  # noqa: DTZ001 - naive bounds
def test_the_day_of_a_moment_is_the_calendars(when: datetime) -> None:
    assert day_of(int(when.timestamp()) * 1_000) == f"{when:%Y-%m-%d}"


@pytest.mark.parametrize(
    "at, day",
    [
        (0, "1970-01-01"),
        (86_399_999, "1970-01-01"),
        (86_400_000, "1970-01-02"),
        (951_782_400_000, "2000-02-29"),
        (1_709_164_800_000, "2024-02-29"),
        (1_798_761_599_999, "2026-12-31"),
    ],
)
def test_a_day_ends_with_its_last_millisecond_in_utc(at: int, day: str) -> None:
    assert day_of(at) == day


def test_budgets_start_anew_at_the_first_millisecond_of_the_next_day() -> None:
    at = 1_795_000_000_123
    assert day_of(next_day(at)) != day_of(at) == day_of(next_day(at) - 1)
    assert next_day(next_day(at)) - next_day(at) == 86_400_000


def test_a_budget_of_nothing_is_without_limit() -> None:
    assert Budget(0, 10**9).left is None
    assert not Budget(0, 10**9).spent


def test_what_is_left_never_falls_below_nothing() -> None:
    assert (Budget(100, 40).left, Budget(100, 40).spent) == (60, False)
    assert (Budget(100, 100).left, Budget(100, 100).spent) == (0, True)
    assert (Budget(100, 170).left, Budget(100, 170).spent) == (0, True)


@pytest.mark.parametrize("typed, seconds", [("90s", 90), ("15m", 900), ("1h", 3_600), ("2D", 172_800), (" 0s ", 0)])
def test_a_duration_is_a_number_with_its_unit(typed: str, seconds: int) -> None:
    assert seconds_of(typed) == seconds


@pytest.mark.parametrize("typed", ["", "1", "h", "-1h", "1.5h", "1h30m", "1 h", "1w", "٣h", "9999999s"])
def test_anything_else_is_no_duration(typed: str) -> None:
    assert seconds_of(typed) is None


def test_durations_are_said_in_their_two_largest_units() -> None:
    assert [said(each) for each in (0, 1, 120, 5_400, 90_061)] == [
        "0 seconds",
        "1 second",
        "2 minutes",
        "1 hour 30 minutes",
        "1 day 1 hour",
    ]


def test_a_moment_is_said_to_the_minute_in_utc() -> None:
    assert moment(1_798_761_599_999) == "2026-12-31 23:59 UTC"
