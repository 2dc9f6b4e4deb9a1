from collections import Counter
from functools import partial

import pytest

from herma.core.people.codes import ALPHABET, approval_code, canonical, grouped, invite_code, opens, sealed


def filled(byte: int, size: int) -> bytes:
    return bytes([byte]) * size


def ones(size: int) -> bytes:
    return bytes(range(1, size + 1))


def test_no_sign_of_the_alphabet_is_taken_for_another() -> None:
    assert not set("01IO") & set(ALPHABET)
    assert len(set(ALPHABET)) == 32


def test_every_byte_picks_a_sign_without_bias() -> None:
    counted = Counter(approval_code(partial(filled, byte))[0] for byte in range(256))
    assert set(counted.values()) == {8}


def test_the_code_of_an_ask_has_four_characters_and_one_of_an_invite_sixty_bits() -> None:
    assert len(approval_code(ones)) == 4
    assert len(invite_code(ones)) * (len(ALPHABET).bit_length() - 1) >= 60


def test_too_little_randomness_makes_no_code() -> None:
    with pytest.raises(ValueError, match="randomness"):
        invite_code(lambda _size: b"\1\2\3")


@pytest.mark.parametrize("typed", ["abcd-efgh-jkmn", "ABCDEFGHJKMN", " abcd efgh jkmn ", "abcd–efgh—jkmn"])
def test_a_code_is_the_same_however_it_is_spaced_and_written(typed: str) -> None:
    assert canonical(typed) == "ABCDEFGHJKMN"
    assert opens(typed, [sealed("ABCDEFGHJKMN")])


def test_a_code_is_read_out_in_groups_of_four() -> None:
    assert grouped("ABCDEFGHJKMN") == "ABCD-EFGH-JKMN"


def test_what_is_kept_of_an_invite_does_not_hold_the_code() -> None:
    assert "ABCD" not in sealed("ABCDEFGHJKMN").upper()


def test_a_wrong_code_opens_nothing_and_the_right_one_only_its_own() -> None:
    kept = [sealed("ABCDEFGHJKMN"), sealed("ABCDEFGHJKMP")]
    assert opens("ABCDEFGHJKMQ", kept) == ""
    assert opens("ABCDEFGHJKM", kept) == ""
    assert opens("ABCDEFGHJKMP", kept) == kept[1]


def test_the_digest_of_a_code_is_no_code() -> None:
    kept = sealed("ABCDEFGHJKMN")
    assert opens(kept, [kept]) == ""


def test_a_code_that_is_no_text_of_ours_is_compared_like_any_other() -> None:
    assert opens("\udcff\x00", [sealed("ABCDEFGHJKMN"), "ÿ"]) == ""
