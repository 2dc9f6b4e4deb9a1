import os
from pathlib import Path

from herma.install.logs import Warned, changed_at, warnings_about

OURS = "{time},123 WARNING [20261130_1] herma: read-summarizer: KeyError in _page, line 7; fails open\n"


def _log(home: Path, name: str, *lines: str) -> None:
    (home / "logs").mkdir(parents=True, exist_ok=True)
    with (home / "logs" / name).open("a", encoding="utf-8") as log:
        log.writelines(lines)


def test_a_home_without_logs_says_nothing(tmp_path: Path) -> None:
    assert warnings_about("read-summarizer", tmp_path) is None


def test_a_warning_that_stands_in_both_logs_counts_once(tmp_path: Path) -> None:
    lines = [OURS.format(time="2026-11-29 08:00:00"), OURS.format(time="2026-11-30 09:30:01")]
    _log(tmp_path, "agent.log", *lines)
    _log(tmp_path, "errors.log", *lines)

    assert warnings_about("read-summarizer", tmp_path) == Warned(2, "2026-11-30 09:30:01")


def test_other_lines_do_not_count(tmp_path: Path) -> None:
    _log(
        tmp_path,
        "agent.log",
        "2026-11-30 09:30:01,000 INFO hermes_cli.plugins: Loaded read-summarizer\n",
        "2026-11-30 09:30:01,000 WARNING agent: another plugin\n",
        "WARNING read-summarizer in a text that goes on over lines\n",
        "\x00\xff",
    )

    assert warnings_about("read-summarizer", tmp_path) == Warned(0, "")


def test_a_file_is_dated_as_the_host_dates_its_lines(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").touch()
    os.utime(tmp_path / "config.yaml", (1_000_000_000, 1_000_000_000))

    assert changed_at(tmp_path / "config.yaml").startswith("2001-09-0")
    assert changed_at(tmp_path / "missing") == ""
