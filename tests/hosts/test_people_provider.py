"""A provider of memory beside manyhands: what it recalls is the operator's, and reaches nobody else's model."""

from pathlib import Path

from tests.hosts.hermes import Hermes
from tests.hosts.homes import Homes
from tests.hosts.people_house import ANNA, OLGA, house, written

REMEMBERER = Path(__file__).parent / "plugins" / "rememberer"
KEY = "the spare key lies under the third pot"


def test_what_a_memory_provider_recalls_is_in_the_owners_own_requests_alone(
    hermes: Hermes, homes: Homes, tmp_path: Path
) -> None:
    config = {"memory": {"provider": "rememberer"}}
    with house(hermes, homes, tmp_path / "work", config=config, plugins=(REMEMBERER,)) as household:
        household.join(ANNA, "member")
        for word in ("first", "second"):
            [request] = household.turn(ANNA, f"anna-{word}")
            assert "third pot" not in written(request)
            assert f"anna-{word}" in written(request)
        [own] = household.turn(OLGA, "olga-asks")
        assert KEY in own.user_text, "the provider is at work"
        [shared] = household.turn(OLGA, "olga-in-the-room", chat="room")
        [other] = household.turn(ANNA, "anna-in-the-room", chat="room")
        assert "third pot" not in written(shared) + written(other)
