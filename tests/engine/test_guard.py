"""A feature that fails gives its own answer to a failure, and nothing of a file's text gets out."""

import logging

import pytest

from herma.engine.counters import Counters
from herma.engine.guard import Feature, Guard, Kind

SYSTEM = "read-summarizer"
ECONOMY: Feature[str | None] = Feature(SYSTEM, Kind.ECONOMY, None)
PERMISSION: Feature[str | None] = Feature(SYSTEM, Kind.PERMISSION, "refused: ask the owner")
WORDS = "hunter2 from line 7 of the file"


class SecretError(Exception):
    """Carries the words of a file."""


def _raise(error: BaseException) -> str:
    raise error


def test_a_step_that_does_not_fail_gives_its_answer_and_counts_nothing() -> None:
    counters = Counters()
    assert Guard(counters).run(PERMISSION, lambda: "allowed") == "allowed"
    assert Guard(counters).run(ECONOMY, lambda: None) is None
    assert counters.reasons(SYSTEM) == {}


@pytest.mark.parametrize(
    "error",
    [
        ValueError(WORDS),
        KeyError(WORDS),
        RecursionError(WORDS),
        MemoryError(WORDS),
        SecretError(WORDS),
        StopIteration(),
    ],
)
def test_an_economy_that_fails_changes_nothing_and_a_permission_that_fails_refuses(error: Exception) -> None:
    counters = Counters()
    assert Guard(counters).run(ECONOMY, lambda: _raise(error)) is None
    assert Guard(counters).run(PERMISSION, lambda: _raise(error)) == "refused: ask the owner"
    assert counters.reasons(SYSTEM) == {"failed": 2}


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
def test_a_request_to_end_the_process_is_no_failure(error: BaseException) -> None:
    counters = Counters()
    with pytest.raises(type(error)):
        Guard(counters).run(ECONOMY, lambda: _raise(error))
    assert counters.reasons(SYSTEM) == {}


def test_the_log_names_the_kind_and_the_place_of_a_failure_and_not_its_words(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        Guard(Counters()).run(PERMISSION, lambda: _raise(SecretError(WORDS)))
    (record,) = caplog.records
    said = record.getMessage()
    assert record.levelno == logging.WARNING
    assert said.startswith("read-summarizer: SecretError in _raise, line ")
    assert said.endswith("fails closed: the call is refused")
    assert record.exc_info is None
    assert "hunter2" not in caplog.text


class BrokenError(Exception):
    """Cannot even be shown."""

    def __str__(self) -> str:
        raise ValueError(WORDS)

    __repr__ = __str__


def test_an_exception_that_cannot_be_shown_is_a_failure_like_any_other(caplog: pytest.LogCaptureFixture) -> None:
    counters = Counters()
    assert Guard(counters).run(PERMISSION, lambda: _raise(BrokenError())) == "refused: ask the owner"
    assert counters.reasons(SYSTEM) == {"failed": 1}
    assert "BrokenError in _raise" in caplog.text


def test_a_failure_that_cannot_be_noted_still_gives_the_features_answer() -> None:
    unknown: Feature[str] = Feature("a system without reasons", Kind.PERMISSION, "refused")
    assert Guard(Counters()).run(unknown, lambda: _raise(ValueError())) == "refused"


def test_a_log_that_cannot_be_written_does_not_open_a_door(caplog: pytest.LogCaptureFixture) -> None:
    def broken(_record: logging.LogRecord) -> bool:
        raise OSError("no space left")

    caplog.handler.addFilter(broken)
    try:
        assert Guard(Counters()).run(PERMISSION, lambda: _raise(ValueError())) == "refused: ask the owner"
    finally:
        caplog.handler.removeFilter(broken)
