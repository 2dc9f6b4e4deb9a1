import pytest

from herma.core.people.confusable import looks_like, marked, resembles, skeleton


@pytest.mark.parametrize(
    "name",
    [
        "Mаrk",
        "Маrk",
        "MARK",
        " mark ",
        "Ｍａｒｋ",
        "𝓜𝓪𝓻𝓴",
        "Ma\u200brk",
        "\u202eMark",
        "Mark\u2060",
        "Μark",
        "ᎷArk",
    ],
)
def test_a_name_that_looks_like_one_on_the_roster_is_found(name: str) -> None:
    assert looks_like(name, ["Kiter", "Mark", "Minh"]) == "Mark"


@pytest.mark.parametrize(
    "one,other", [("Ian", "lan"), ("Bi11", "Bill"), ("B0b", "Bob"), ("Arnold", "Amold"), ("vvim", "wim")]
)
def test_digits_and_letters_that_people_mix_up_are_one(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    "one,other",
    [
        ("Minh", "Mính"),
        ("Jose", "José"),
        ("Mark", "Marc"),
        ("Анна", "Anna"),
        ("李", "季"),
        ("Ann", "Anne"),
        ("a b", "ab"),
    ],
)
def test_names_that_people_can_tell_apart_stay_apart(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_one_name_in_two_normal_forms_is_one() -> None:
    assert skeleton("José") == skeleton("Jose\u0301")


def test_a_name_of_nothing_looks_like_nobody() -> None:
    assert looks_like("\u200b", ["", "\u2060"]) is None
    assert looks_like("Mark", []) is None


@pytest.mark.parametrize(
    "character,like", [("а", "a"), ("Ｒ", "R"), ("；", ";"), ("–", "-"), ("a", None), ("я", None), ("漢", None)]
)
def test_a_character_resembles_the_ascii_that_it_is_taken_for(character: str, like: str | None) -> None:
    assert resembles(character) == like


@pytest.mark.parametrize(
    "text",
    [
        "",
        "git status --porcelain",
        "for (i = 0; i < 3; i++) { }",
        "привет, мир",
        "γειά κόσμε",
        "xin chào Việt Nam",
        "naïve café — so",
        "漢字 かな 한글",
        "🙂",
        " " * 16 + "deep",
    ],
)
def test_a_text_that_is_what_it_seems_stays_as_it_is(text: str) -> None:
    assert marked(text) == text


@pytest.mark.parametrize(
    "text,shown",
    [
        ("rm -rf ./dоc", "rm -rf ./dо⟨U+043E like o⟩c"),
        ("соса", "с⟨U+0441 like c⟩о⟨U+043E like o⟩с⟨U+0441 like c⟩а⟨U+0430 like a⟩"),
        ("pаyя", "pа⟨U+0430 like a⟩yя"),
        ("ｒｍ", "ｒ⟨U+FF52 like r⟩ｍ⟨U+FF4D like m⟩"),
        ("σου", "σ⟨U+03C3 like o⟩ο⟨U+03BF like o⟩υ⟨U+03C5 like u⟩"),
        ("ls； id", "ls；⟨U+FF1B like ;⟩ id"),
        ("ls −a", "ls −⟨U+2212 like -⟩a"),
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("a\u200bb\ufeff", "a⟨U+200B⟩b⟨U+FEFF⟩"),
        ("\x1b[2J\x07", "⟨U+001B⟩[2J⟨U+0007⟩"),
        ("a\nb\r\t", "a⟨U+000A⟩b⟨U+000D⟩⟨U+0009⟩"),
        ("git\u00a0status\u3000x", "git⟨U+00A0⟩status⟨U+3000⟩x"),
        ("tag\U000e0041", "tag⟨U+E0041⟩"),
        ("\ud800", "⟨U+D800⟩"),
        ("\ue000", "⟨U+E000⟩"),
        ("ok" + " " * 17 + "; rm", "ok⟨17 spaces⟩; rm"),
        ("⟨U+202E⟩", "⟨U+27E8⟩U+202E⟨U+27E9⟩"),
    ],
)
def test_what_is_not_what_it_seems_is_named(text: str, shown: str) -> None:
    assert marked(text) == shown
