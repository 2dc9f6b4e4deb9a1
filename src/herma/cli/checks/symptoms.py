"""What people notice about a system when something is amiss, and what it comes from in this home."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from herma.cli.report import Check, Status
from herma.core.settings import Resolved
from herma.install.logs import Warned

__all__ = ["Signs", "symptoms"]

_LARGEST_PAGE = 2_000  # lines; no read of any tested Hermes returns more
_FEW_LINES = 10


class Signs(NamedTuple):
    """What there is to go by. `off` names the failed checks that leave every result whole, or is empty."""

    resolved: Resolved
    off: str
    warned: Warned | None
    config_changed: str
    logs: str

    def number(self, setting: str) -> int:
        """The value of a setting that is a number."""
        value = self.resolved.values[setting]
        return value if isinstance(value, int) else 0

    def named(self, setting: str) -> str:
        """A setting with its value and where that comes from."""
        return f"{setting} is {self.number(setting)} ({self.resolved.places[setting]})"


def symptoms(system: str, signs: Signs) -> list[Check]:
    """One check a symptom of the system. What cannot be seen from outside a turn is skipped, and the hint stands."""
    return [_check(identity, look(signs)) for identity, look in _SYMPTOMS.get(system, ())]


_Look = Callable[[Signs], tuple[Status, str, str]]


def _check(identity: str, found: tuple[Status, str, str]) -> Check:
    return Check(identity, *found)


def _still_full(signs: Signs) -> tuple[Status, str, str]:
    if signs.off:
        return Status.SKIP, f"every result stays whole; see {signs.off} above", ""
    if signs.number("head_lines") + signs.number("tail_lines") >= _LARGEST_PAGE:
        summary = f"{signs.named('head_lines')}, {signs.named('tail_lines')}: together that is all a read returns"
        return Status.WARN, summary, f"keep fewer than {_LARGEST_PAGE} lines in all"
    return (
        Status.PASS,
        f"what has more bytes is shortened: {signs.named('threshold_bytes')}",
        "smaller files, reads that name their own offset or limit, and calls inside execute_code stay whole",
    )


def _no_marker(signs: Signs) -> tuple[Status, str, str]:
    tools = signs.resolved.values["allowed_tools"]
    if isinstance(tools, tuple) and "read_file" in tools:
        return Status.PASS, f"allowed_tools has read_file ({signs.resolved.places['allowed_tools']})", ""
    summary = f"allowed_tools has no read_file ({signs.resolved.places['allowed_tools']})"
    return Status.WARN, summary, "add read_file: it is the tool that Hermes reads files with"


def _few_lines(signs: Signs, *, setting: str, part: str) -> tuple[Status, str, str]:
    lines = signs.number(setting)
    if lines >= _FEW_LINES:
        return Status.PASS, signs.named(setting), ""
    left = f"nothing of a file's {part} is kept" if lines == 0 else f"little of a file's {part} is kept"
    return Status.WARN, f"{signs.named(setting)}: {left}", f"raise {setting}"


def _wrong_count(_signs: Signs) -> tuple[Status, str, str]:
    return (
        Status.SKIP,
        "a marker's line count can only be judged beside the file",
        "if it is wrong, the file changed between two reads: read again with an explicit offset",
    )


def _not_saved(signs: Signs) -> tuple[Status, str, str]:
    if signs.warned is None:
        return Status.SKIP, f"there is no log to read in {signs.logs}", ""
    times, last = signs.warned
    if not times:
        return Status.PASS, "the logs have no warning about read-summarizer", ""
    summary = f"{times} warning{'s' if times > 1 else ''} about read-summarizer in the logs, the last at {last}"
    if last < signs.config_changed:
        return Status.PASS, f"{summary}, before config.yaml was last changed", ""
    return Status.WARN, summary, f"a result that cannot be shortened passes whole; see errors.log in {signs.logs}"


_SYMPTOMS: Mapping[str, tuple[tuple[str, _Look], ...]] = {
    "read-summarizer": (
        ("still-full", _still_full),
        ("no-marker", _no_marker),
        ("head-empty", partial(_few_lines, setting="head_lines", part="start")),
        ("tail-empty", partial(_few_lines, setting="tail_lines", part="end")),
        ("wrong-count", _wrong_count),
        ("not-saved", _not_saved),
    ),
}
