from pathlib import Path

import pytest

from tests.cli.conftest import ON, Herma, configure


@pytest.mark.usefixtures("env")
def test_a_broken_file_is_named_with_its_line_and_without_its_text(tmp_path: Path, herma: Herma) -> None:
    path = configure(tmp_path, "model:\n  api_key: SECRET\n  base: [SECRET\n")

    outcome = herma("doctor", "--json")

    assert outcome.check("config")["summary"] == f"{path} is not valid YAML near line 4"
    assert "SECRET" not in outcome.out
    assert {outcome.check(name)["status"] for name in ("switch-1", "switch-2", "settings")} == {"skip"}
    assert outcome.checks("still-full") == []


@pytest.mark.usefixtures("env")
@pytest.mark.parametrize("config", ["- a\n- b\n", "just words", "\x00"])
def test_a_file_without_settings_is_a_failure(config: str, tmp_path: Path, herma: Herma) -> None:
    configure(tmp_path, config)

    assert herma("doctor", "--json").check("config")["status"] == "fail"


@pytest.mark.usefixtures("env")
def test_a_file_that_is_no_text_is_a_failure(tmp_path: Path, herma: Herma) -> None:
    configure(tmp_path, "").write_bytes(b"\xff\xfe\x00")

    assert "is not valid YAML" in herma("doctor", "--json").check("config")["summary"]


@pytest.mark.usefixtures("env")
def test_a_folder_in_the_place_of_the_file_is_a_failure(tmp_path: Path, herma: Herma) -> None:
    (tmp_path / ".hermes" / "config.yaml").mkdir(parents=True)

    assert "cannot be read" in herma("doctor", "--json").check("config")["summary"]


@pytest.mark.usefixtures("env")
def test_a_home_without_the_file_has_both_switches_off(herma: Herma) -> None:
    outcome = herma("doctor", "--json")

    assert outcome.check("config")["status"] == "warn"
    assert outcome.check("still-full")["summary"].endswith("see switch-1 and switch-2 above")
    assert outcome.code == 2


@pytest.mark.usefixtures("env")
@pytest.mark.parametrize(
    "config, off, summary",
    [
        ({**ON, "plugins": {}}, "switch-1", "plugins.enabled does not list read-summarizer"),
        ({**ON, "plugins": {"enabled": ["other"]}}, "switch-1", "plugins.enabled does not list read-summarizer"),
        ({**ON, "plugins": {"enabled": "read-summarizer"}}, "switch-1", "plugins.enabled is not a list of names"),
        ({**ON, "plugins": {"enabled": [{"read-summarizer": True}]}}, "switch-1", "is not a list of names"),
        ({**ON, "plugins": ["read-summarizer"]}, "switch-1", "plugins.enabled does not list read-summarizer"),
        (
            {**ON, "plugins": {"enabled": ["read-summarizer"], "disabled": ["read-summarizer"]}},
            "switch-1",
            "plugins.disabled lists read-summarizer, and that wins",
        ),
        ({**ON, "read_summarizer": {}}, "switch-2", "read_summarizer.enabled is not set to true anywhere"),
        ({**ON, "read_summarizer": {"enabled": False}}, "switch-2", "is false in read_summarizer"),
    ],
)
def test_the_switch_that_is_off_is_named_and_the_other_passes(
    config: object, off: str, summary: str, tmp_path: Path, herma: Herma
) -> None:
    configure(tmp_path, config)

    outcome = herma("doctor", "--json")

    failed = [check for check in ("switch-1", "switch-2") if outcome.check(check)["status"] == "fail"]
    assert failed == [off]
    assert summary in outcome.check(off)["summary"]
    assert str(tmp_path / ".hermes" / "config.yaml") in outcome.check(off)["hint"]
    assert outcome.check("still-full")["summary"].endswith(f"see {off} above")


@pytest.mark.usefixtures("env")
def test_the_second_place_of_the_settings_counts_as_well(tmp_path: Path, herma: Herma) -> None:
    entry = {"settings": {"enabled": True, "tail_lines": 0}}
    configure(tmp_path, {"plugins": {"enabled": ["read-summarizer"], "entries": {"read-summarizer": entry}}})

    outcome = herma("doctor", "--json")

    assert outcome.check("switch-2")["summary"] == "plugins.entries.read-summarizer.settings.enabled is true"
    assert "tail_lines is 0 (plugins.entries" in outcome.check("tail-empty")["summary"]


@pytest.mark.usefixtures("env")
def test_an_administrators_file_wins(tmp_path: Path, herma: Herma) -> None:
    configure(tmp_path, ON)
    managed = tmp_path / "managed"
    managed.mkdir()
    (managed / "config.yaml").write_text("plugins: {disabled: [read-summarizer]}\n", encoding="utf-8")

    outcome = herma("doctor", "--json", HERMES_MANAGED_DIR=str(managed))

    assert f"with {managed}/config.yaml over it" in outcome.check("config")["summary"]
    assert "plugins.disabled lists" in outcome.check("switch-1")["summary"]


@pytest.mark.usefixtures("env")
@pytest.mark.parametrize(
    "block, status, summary",
    [
        ({"enabled": True, "treshold_bytes": 1}, "warn", "read_summarizer.treshold_bytes is not a setting"),
        ({"enabled": True, "head_lines": "many"}, "fail", "must be a whole number of at least 0, not str"),
        ({"enabled": True, "head_lines": {"a": {"b": {"c": 1}}}}, "fail", "not dict"),
        ({"enabled": True, "allowed_tools": [["read_file"]]}, "fail", "must be a list of names"),
        (["enabled"], "fail", "read_summarizer must be a block of settings, not list"),
    ],
)
def test_a_setting_that_is_wrong_is_named(
    block: object, status: str, summary: str, tmp_path: Path, herma: Herma
) -> None:
    configure(tmp_path, {**ON, "read_summarizer": block})

    found = herma("doctor", "--json").check("settings")

    assert found["status"] == status
    assert summary in found["summary"]
    assert found["hint"]


@pytest.mark.usefixtures("env")
def test_values_of_every_kind_that_yaml_has_are_survived(tmp_path: Path, herma: Herma) -> None:
    configure(
        tmp_path,
        "plugins: {enabled: [read-summarizer], entries: {read-summarizer: 7}}\n"
        "read_summarizer: &loop {enabled: true, head_lines: 2026-11-30, 7: .nan, self: *loop}\n",
    )

    found = herma("doctor", "--json").checks("settings")

    assert {check["status"] for check in found} == {"warn", "fail"}
    assert len(found) == 3
