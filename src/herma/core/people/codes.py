"""Codes that people type: four characters for an ask, twelve (60 bits) for an invite or a claim.

The alphabet has no two signs that a reader takes for each other (no 0 or O, no 1 or I), and as it has 32 of them a
random byte picks one without bias. Of invites and claims only a digest is kept, so that whoever reads the database
learns no code.
"""

from collections.abc import Callable, Iterable
from hashlib import sha256
from hmac import compare_digest

__all__ = [
    "ALPHABET",
    "ASK_LENGTH",
    "INVITE_LENGTH",
    "approval_code",
    "canonical",
    "grouped",
    "invite_code",
    "opens",
    "sealed",
]

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
ASK_LENGTH = 4
INVITE_LENGTH = 12

_GROUP = 4
_BETWEEN = str.maketrans("", "", " -\u2013\u2014\t")  # phones make long dashes of two hyphens


def approval_code(random: Callable[[int], bytes]) -> str:
    """A code for an ask; `random` gives that many bytes."""
    return _spelled(random, ASK_LENGTH)


def invite_code(random: Callable[[int], bytes]) -> str:
    """A code for an invite or a claim, in its canonical form; `random` gives that many bytes."""
    return _spelled(random, INVITE_LENGTH)


def canonical(typed: str) -> str:
    """A code as it is compared: without blanks and hyphens, in capitals."""
    return typed.translate(_BETWEEN).upper()


def grouped(code: str) -> str:
    """A code as it is read out: `ABCD-EFGH-JKLM`."""
    return "-".join(code[start : start + _GROUP] for start in range(0, len(code), _GROUP))


def sealed(code: str) -> str:
    """What is kept of an invite or a claim code."""
    return sha256(b"herma code\0" + canonical(code).encode("utf-8", "surrogatepass")).hexdigest()


def opens(typed: str, kept: Iterable[str]) -> str:
    """The one of the digests `kept` that a typed code opens, else empty.

    All are compared, whichever it is, each in a time that says nothing about where it differs.
    """
    wanted, found = sealed(typed), ""
    for each in kept:
        if compare_digest(wanted.encode(), each.encode("utf-8", "surrogatepass")):
            found = each
    return found


def _spelled(random: Callable[[int], bytes], length: int) -> str:
    given = random(length)
    if len(given) < length:
        raise ValueError("too little randomness for a code")
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in given[:length])
