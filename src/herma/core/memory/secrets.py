"""Values that open doors, known by their shape: memory is sent with every request and is no place for them."""

import re
from typing import NamedTuple

__all__ = ["SHAPES", "Shape", "secret"]


class Shape(NamedTuple):
    """A kind of secret: how it looks, and pieces of which each has one, which is quicker to see."""

    kind: str
    pieces: tuple[str, ...]
    pattern: re.Pattern[str]


def _shape(kind: str, pieces: str, *pattern: str) -> Shape:
    return Shape(kind, tuple(pieces.split()), re.compile("".join(pattern)))


SHAPES: tuple[Shape, ...] = (
    _shape("private key", "PRIVATE", r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----"),
    _shape("model provider key", "sk-", r"\bsk-(?:[a-z]{2,12}-)?[A-Za-z0-9_-]{20,}"),
    _shape("GitHub token", "gh github_", r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})"),
    _shape("GitLab token", "glpat-", r"\bglpat-[A-Za-z0-9_-]{20,}"),
    _shape("AWS key", "AKIA ASIA", r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    _shape("Google key", "AIza", r"\bAIza[A-Za-z0-9_-]{35}"),
    _shape("Slack token", "xox", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    _shape("npm token", "npm_", r"\bnpm_[A-Za-z0-9]{36}\b"),
    _shape("package index token", "pypi-", r"\bpypi-[A-Za-z0-9_-]{50,}"),
    _shape("payment key", "_live_ _test_", r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    _shape("mail service key", "SG.", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    _shape("bot token", ":", r"\b\d{8,10}:[A-Za-z0-9_-]{35}\b"),
    _shape("signed token", "eyJ", r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    _shape("password in an address", "://", r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,80}:(?![$<{*])[^\s/@]{3,200}@"),
    _shape(
        "password",
        ": = is IS Is",
        r"(?i)\b(?:password|passwd|passphrase|secret|token|api[_ -]?key|access[_ -]?key)\b",
        r"\s{0,3}(?:[:=]|is\b)\s{0,3}[\"'`]?",
        r"(?=[^\s\"'`]{0,200}\d)(?=[^\s\"'`]{0,200}[A-Za-z])(?![$<{/~]|https?:|[0-9a-f]{40}\b)[^\s\"'`]{12,}",
    ),
)


_UNBROKEN = re.compile(r"\S{10}")  # every shape has at least so much in one piece


def secret(text: str) -> str:
    """What kind of secret `text` seems to hold, or "" for none."""
    if not _UNBROKEN.search(text):
        return ""
    for shape in SHAPES:
        if any(piece in text for piece in shape.pieces) and shape.pattern.search(text):
            return shape.kind
    return ""
