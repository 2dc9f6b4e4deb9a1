"""Asks in a real gateway: sent to the owner's own chat, opened by a human word, spent once by exactly that call."""

from pathlib import Path

from tests.hosts.model import Reply, call
from tests.hosts.people_house import ANNA, BEN, GUS, OLGA, House, code_in, written


def write(path: Path, text: str) -> Reply:
    """A reply that writes a file."""
    return call("write_file", path=str(path), content=text)


def test_an_approved_ask_runs_exactly_once(household: House) -> None:
    path = household.folder / "once.txt"
    [parked] = household.results(ANNA, "once-asks", write(path, "first"))
    assert '"error"' in parked
    assert not path.exists()
    code = household.approve("once.txt", told=ANNA.dm)
    [ran] = household.results(ANNA, "once-runs", write(path, "first"))
    assert '"error"' not in ran
    assert path.read_text("utf-8") == "first"
    path.unlink()
    [again] = household.results(ANNA, "once-again", write(path, "first"))
    assert '"error"' in again
    assert not path.exists()
    household.deny("once.txt", told=ANNA.dm)
    assert household.sent(code) == [], "no model ever saw the code"
    assert [ask["status"] for ask in household.asks(ANNA, "write_file")][-2:] == ["spent", "denied"]


def test_the_prompt_shows_the_whole_call_in_the_owners_own_chat(household: House) -> None:
    text = "line one\nline two \u202eevil\u202c `x`"
    household.results(ANNA, "whole-asks", write(household.folder / "whole.txt", text))
    prompt = household.prompt("whole.txt")
    assert "Anna" in prompt
    assert "loopchat:u-anna" in prompt
    assert "line one" in prompt
    assert "line two" in prompt
    assert "\u202e" not in prompt
    assert "U+202E" in prompt
    said_to_anna = [each.text for each in household.gateway.messages if each.chat == ANNA.dm]
    assert not any(code_in(prompt) in text for text in said_to_anna)
    household.many(OLGA, f"deny {code_in(prompt)}", "Denied")
    household.gateway.expect(ANNA.dm, "said no")


def test_other_arguments_are_asked_for_anew_and_take_the_place_of_the_first(household: House) -> None:
    allowed, other = household.folder / "allowed.txt", household.folder / "other.txt"
    household.results(ANNA, "args-asks", write(allowed, "good"))
    household.approve("allowed.txt", told=ANNA.dm)
    [changed] = household.results(ANNA, "args-changed", write(other, "bad"))
    assert '"error"' in changed
    assert not other.exists()
    first = code_in(household.prompt("| bad"))
    household.results(ANNA, "args-third", write(other, "worse"))
    second = code_in(household.prompt("| worse"))
    household.many(OLGA, f"approve {first}", "(?i)no|not|superseded")
    household.many(OLGA, f"approve {second}", "(?i)approved")
    household.gateway.expect(ANNA.dm, "(?i)approved")
    [bad, worse] = household.results(ANNA, "args-both", write(other, "bad"), write(other, "worse"))
    assert '"error"' in bad
    assert '"error"' not in worse
    assert other.read_text("utf-8") == "worse"
    assert "superseded" in [ask["status"] for ask in household.asks(ANNA, "write_file")]


def test_a_denied_ask_is_told_apart_and_not_asked_again_within_the_hour(household: House) -> None:
    path = household.folder / "denied.txt"
    household.results(BEN, "deny-asks", write(path, "x"))
    household.deny("denied.txt", told=BEN.dm)
    [request] = household.turn(BEN, "deny-learns")
    assert "An owner said no" in written(request)
    since = household.said
    [again] = household.results(BEN, "deny-again", write(path, "x"))
    assert "said no" in again
    household.many(OLGA, "whoami", "(?i)owner")
    assert len(household.heard(OLGA.dm, since)) == 1, "the owner is not asked again"
    assert not path.exists()


def test_two_asks_at_once_each_open_only_their_own_call(household: House) -> None:
    of_anna, of_ben = household.folder / "anna.txt", household.folder / "ben.txt"
    household.results(ANNA, "both-anna", write(of_anna, "anna"))
    prompt_of_anna = household.prompt("| anna")
    household.results(BEN, "both-ben", write(of_ben, "ben"))
    prompt_of_ben = household.prompt("| ben")
    assert "Anna" in prompt_of_anna
    assert "Ben" in prompt_of_ben
    household.many(OLGA, "approve", "(?s)Anna.*Ben")
    household.many(OLGA, f"approve {code_in(prompt_of_ben)}", "(?i)approved")
    household.gateway.expect(BEN.dm, "(?i)approved")
    [anna] = household.results(ANNA, "both-anna-tries", write(of_ben, "ben"))
    [ben] = household.results(BEN, "both-ben-runs", write(of_ben, "ben"))
    assert '"error"' in anna
    assert '"error"' not in ben
    assert of_ben.read_text("utf-8") == "ben"
    assert not of_anna.exists()


def test_nobody_but_an_owner_approves(household: House) -> None:
    path = household.folder / "nobody.txt"
    household.results(ANNA, "nobody-asks", write(path, "x"))
    code = code_in(household.prompt("nobody.txt"))
    for person in (ANNA, BEN, GUS):
        household.many(person, f"approve {code}", "only the owner")
        household.gateway.exchange(person, f"/approve {code}", "(?i)not available")
        household.gateway.exchange(person, "/approve", "(?i)not available")
    assert code not in household.many(BEN, "approve", "Nothing of yours|waits")
    assert code in household.many(ANNA, "approve", "waits for")
    [still] = household.results(ANNA, "nobody-tries", write(path, "x"))
    assert '"error"' in still
    assert not path.exists()
    household.many(OLGA, f"deny {code}", "Denied")
    household.gateway.expect(ANNA.dm, "said no")


def test_a_guest_does_not_ask(household: House) -> None:
    since = household.said
    [told] = household.results(GUS, "guest-asks", call("terminal", command="touch guest.txt"))
    assert "guest" in told
    household.many(OLGA, "whoami", "(?i)owner")
    assert len(household.heard(OLGA.dm, since)) == 1
    assert household.asks(GUS, "terminal") == []
    assert not (household.folder / "guest.txt").exists()


def test_an_ask_that_cannot_be_delivered_is_a_no_until_an_owner_can_be_reached(household: House) -> None:
    path = household.folder / "unreached.txt"
    with household.gateway.shut(OLGA.dm):
        [told] = household.results(ANNA, "unreached-asks", write(path, "x"))
    assert "could not be delivered to any owner" in told
    assert not path.exists()
    assert household.asks(ANNA, "write_file")[-1]["status"] == "undeliverable"
    household.many(OLGA, "approve", "(?s)Could not be delivered, and so was denied.*unreached.txt")
    household.results(ANNA, "unreached-again", write(path, "x"))
    household.approve("unreached.txt", told=ANNA.dm)
    household.results(ANNA, "unreached-runs", write(path, "x"))
    assert path.read_text("utf-8") == "x"


def test_more_uses_are_the_approvers_own_word(household: House) -> None:
    path = household.folder / "uses.txt"
    household.results(ANNA, "uses-asks", write(path, "x"))
    household.approve("uses.txt", told=ANNA.dm, uses="uses=2")
    results = household.results(ANNA, "uses-runs", write(path, "x"), write(path, "x"), write(path, "x"))
    assert ['"error"' in text for text in results] == [False, False, True]
    household.deny("uses.txt", told=ANNA.dm)
