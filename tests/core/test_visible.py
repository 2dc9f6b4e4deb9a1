import sys
from unicodedata import category

import pytest

from herma.core.visible import visible

# Format characters that are drawn: signs that stand before or around digits and words.
DRAWN = {0x06DD, 0x070F, 0x08E2, 0x110BD, 0x110CD, *range(0x0600, 0x0606), *range(0x0890, 0x0892)}
# Letters and marks that are not drawn.
BLANK = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10)}


@pytest.mark.parametrize(
    "name",
    [
        "/home/u/a b.txt",
        "naïve café",
        "日本語のファイル",
        "שלום",
        "العربية",
        "e\u0301 combined",
        "🙂 smile",
        "a\\b",
        "{x} 100%",
    ],
)
def test_ordinary_names_of_every_script_stay_as_they_are(name: str) -> None:
    assert visible(name) == name


@pytest.mark.parametrize(
    "hostile, shown",
    [
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("one\nhint: two\r\t", "one\\x0ahint: two\\x0d\\x09"),
        ("\x9b2J", "\\x9b2J"),
        ("evil\u202etxt.exe", "evil\\u202etxt.exe"),
        ("\u2066a\u2069", "\\u2066a\\u2069"),
        ("read\u200b-summarizer", "read\\u200b-summarizer"),
        ("\ufeffname", "\\ufeffname"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("caf\udce9", "caf\\udce9"),
    ],
)
def test_what_a_terminal_obeys_or_hides_becomes_an_escape(hostile: str, shown: str) -> None:
    assert visible(hostile) == shown


def test_every_control_format_and_separator_character_is_escaped_and_no_drawn_one_is() -> None:
    hidden = {code for code in range(sys.maxunicode + 1) if visible(chr(code)) != chr(code)}
    kinds = {code: category(chr(code)) for code in range(sys.maxunicode + 1)}
    must = {code for code, kind in kinds.items() if kind in ("Cc", "Cf", "Cs", "Zl", "Zp")} - DRAWN
    drawn = {code for code, kind in kinds.items() if kind[0] in "LMNPSZ" and kind not in ("Zl", "Zp")} - BLANK

    assert must - hidden == set()
    assert {code for code in hidden & drawn if code < 0xE0000} == set()


def test_what_is_visible_already_is_not_changed_again() -> None:
    text = "".join(map(chr, range(0x3000))) + "\U000e0041"

    assert visible(visible(text)) == visible(text)
