"""The exact form of a call's arguments, and the digest that binds a grant to what was asked."""

import hashlib
import json
import math

__all__ = ["MOST_CHARACTERS", "MOST_DEEP", "MOST_PARTS", "Uncanonical", "ask_digest", "canonical", "has_form"]

MOST_DEEP = 32
MOST_PARTS = 10_000
MOST_CHARACTERS = 4_000_000
_MOST_BITS = 1_024

# Says what is hashed, so that no other digest of ours can stand for this one.
_DOMAIN = "herma/ask/1"


class Uncanonical(ValueError):  # noqa: N818 - reads as the sentence it is printed in
    """The value has no exact form: something in it is no JSON, or it is too deep or too large."""


def canonical(args: object) -> str:
    """The one text for a value of JSON: two values have the same text exactly when they are the same.

    Keys are sorted; texts stay as they are, without any normalisation; 1, 1.0, true and "1" are four values. A tuple
    is a list. Raises `Uncanonical` for anything else, and for no other reason.
    """
    _measure(args, MOST_DEEP)
    return json.dumps(args, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def has_form(args: object) -> bool:
    """Whether `args` are the arguments of a call, a mapping that `canonical` has a text for."""
    if not isinstance(args, dict):
        return False
    try:
        _measure(args, MOST_DEEP)
    except Uncanonical:
        return False
    return True


def ask_digest(person: str, tool: str, args: object, conversation: str, scope: str) -> str:
    """SHA-256 in hex over all that an approval is for. Raises `Uncanonical` when the arguments have no exact form."""
    digest = hashlib.sha256()
    for part in (_DOMAIN, person, tool, canonical(args), conversation, scope):
        # A name of a file that is no text holds halves of pairs; they too have bytes of their own.
        written = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:%b" % (len(written), written))
    return digest.hexdigest()


def _measure(value: object, deep: int) -> None:
    """Raise unless `value` can be written exactly, within the limits. No recursion: what comes in may be hostile."""
    layer, parts, characters = [value], 0, 0
    while layer:
        if deep < 0:
            raise Uncanonical("the arguments are nested too deeply")
        below: list[object] = []
        for each in layer:
            parts += 1
            characters += _open(each, below)
            # What waits is counted too: a list that holds itself many times over would grow without end.
            if parts + len(below) > MOST_PARTS or characters > MOST_CHARACTERS:
                raise Uncanonical("the arguments are too large")
        layer, deep = below, deep - 1


def _open(value: object, below: list[object]) -> int:
    """How many characters `value` has by itself; what it holds goes to `below`."""
    if type(value) is str:
        return len(value)
    if isinstance(value, dict):
        below += value.values()
        return sum(map(_key, value))
    if isinstance(value, (list, tuple)):
        below += value
        return 0
    if value is None or type(value) is bool or _is_exact_number(value):
        return 0
    raise Uncanonical(f"{type(value).__name__} is no value of JSON, or not one that can be written exactly")


def _key(key: object) -> int:
    if type(key) is str:
        return len(key)
    raise Uncanonical("a key is no text")


def _is_exact_number(value: object) -> bool:
    if type(value) is int:
        return value.bit_length() <= _MOST_BITS
    return type(value) is float and math.isfinite(value)
