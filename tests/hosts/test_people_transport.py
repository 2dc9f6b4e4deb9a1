"""What Hermes itself finds dangerous, put to an owner by the approval transport, in the real gateway of 0.22."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hosts.hermes import Hermes
from tests.hosts.home import Config
from tests.hosts.homes import Homes
from tests.hosts.model import call, say
from tests.hosts.people_house import ANNA, OLGA, House, code_in, house, lane

SETTINGS = {"roles": {"member": {"allow": ["terminal"]}}}
CONFIG: Config = {
    "approvals": {"mode": "manual", "timeout": 120},
    "security": {"approval": {"transport": "manyhands", "transport_fallback": "builtin"}},
}


@pytest.fixture(scope="module")
def made(hermes: Hermes, homes: Homes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    if hermes.version == "0.19.0":
        pytest.skip("Hermes 0.19 has no approval transports")
    with house(hermes, homes, tmp_path_factory.mktemp("transport"), settings=SETTINGS, config=CONFIG) as found:
        found.join(ANNA, "member")
        yield found


def begun(made: House, word: str) -> Path:
    """Anna's turn is begun: it wants to delete a folder, which Hermes asks about. The folder."""
    doomed = made.folder / word
    doomed.mkdir()
    made.model.lane(lane(word), call("terminal", command=f"rm -rf {doomed}"), say(f"{word} is done"))
    made.gateway.say(ANNA, word)
    return doomed


def test_a_dangerous_command_waits_for_the_owner_in_the_owners_own_chat_and_then_runs(made: House) -> None:
    since = made.said
    doomed = begun(made, "cleans-up")
    prompt = made.prompt("cleans-up")
    assert str(doomed) in prompt
    assert "loopchat:u-anna" in prompt
    assert doomed.exists()
    made.many(OLGA, f"approve {code_in(prompt)}", "(?i)approved")
    made.gateway.expect(ANNA.dm, "cleans-up is done")
    assert not doomed.exists()
    assert not any(code_in(prompt) in text for text in made.heard(ANNA.dm, since))
    assert made.sent(code_in(prompt)) == [], "no model ever saw the code"
    assert made.asks(ANNA, "terminal")[-1]["status"] == "spent"


def test_an_owners_no_keeps_it_from_running(made: House) -> None:
    doomed = begun(made, "stays-there")
    made.many(OLGA, f"deny {code_in(made.prompt('stays-there'))}", "Denied")
    made.gateway.expect(ANNA.dm, "stays-there is done")
    assert doomed.exists()
    assert made.asks(ANNA, "terminal")[-1]["status"] == "denied"
