"""A gateway that is restarted in the middle of things."""

import json

from tests.hosts.command import run_python
from tests.hosts.model import call
from tests.hosts.people_house import ANNA, BEN, GUS, OLGA, House, card_of, code_in, written


def test_what_was_asked_granted_and_kept_outlives_a_restart(household: House) -> None:
    granted, asked = household.folder / "granted.txt", household.folder / "asked.txt"
    write_granted = call("write_file", path=str(granted), content="x")
    write_asked = call("write_file", path=str(asked), content="y")
    household.results(ANNA, "restart-keeps", call("manyhands_remember", text="anna plays the oboe"))
    household.results(ANNA, "restart-granted", write_granted)
    household.approve("granted.txt", told=ANNA.dm)
    household.results(BEN, "restart-asked", write_asked)
    code = code_in(household.prompt("asked.txt"))
    before = household.trail()

    household.gateway.restart()

    assert household.trail()[: len(before)] == before
    [request] = household.turn(GUS, "restart-gus")
    assert card_of(GUS, "guest") in request.user_text
    first, second = household.results(ANNA, "restart-anna", write_granted, write_granted)
    assert '"error"' not in first
    assert '"error"' in second
    assert granted.read_text("utf-8") == "x"
    household.deny("granted.txt", told=ANNA.dm)
    household.many(OLGA, f"approve {code}", "(?i)approved")
    [ran] = household.results(BEN, "restart-ben", write_asked)
    assert '"error"' not in ran
    assert asked.read_text("utf-8") == "y"
    [recalled] = household.results(ANNA, "restart-recalls", call("manyhands_recall", query="oboe"))
    assert "oboe" in recalled
    assert "oboe" not in written(household.turn(BEN, "restart-other")[-1])


def test_the_trail_of_all_that_happened_verifies(household: House) -> None:
    """Another process may check it while the gateway writes."""
    household.turn(ANNA, "verified")
    checked = ["-m", "herma", "audit", "verify", "--home", str(household.home.path), "--json"]
    report = json.loads(run_python(household.hermes, household.home, checked).stdout)
    assert report["data"]["rows"] >= len(household.trail()) - 1
    assert report["warnings"] == []
