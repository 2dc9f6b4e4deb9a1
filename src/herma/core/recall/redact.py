"""Secrets taken out of a text by their shape, before anything of it is indexed.

What must survive: digests in hexadecimal, UUIDs, ids of sessions and messages, paths, addresses and names from code.
"""

import re
from itertools import pairwise

from herma.core.memory.secrets import SHAPES

__all__ = ["redacted"]

# Of every text that any shape below can match, one of these is true; both are quick to see.
_LONG = re.compile(r"\s\S{20}")
_WORDS = ("pass", "secret", "token", "key", "bearer", "xox", "://")
_KEY_BLOCK = re.compile(
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\Z)", re.DOTALL
)
_GIVEN = re.compile(
    r"(?i)\b([a-z0-9_-]{0,40}(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)[a-z0-9_]{0,40}"
    r"[\"']?\s{0,3}[:=]\s{0,3}[\"'`]?)(?![$<{\[(])(?=[^\s\"'`,;()\[\]{}]{0,200}\d)(?=[^\s\"'`,;()\[\]{}]{0,200}[A-Za-z])([^\s\"'`,;()\[\]{}]{8,})"
)
_BEARER = re.compile(r"(?i)\b(authorization:\s*(?:bearer|basic)\s+|bearer\s+)([A-Za-z0-9_.+/=-]{16,})")
# A key without a mark of its own: long, unbroken, and mixed as no word, name or digest is.
_BARE = re.compile(r"(?<![A-Za-z0-9_./+=@:%-])[A-Za-z0-9_.+=-]{32,512}(?![A-Za-z0-9_/@-])")
_NAMED = re.compile(r"(?i)(?:sha\d{1,3}-|[a-z]{2,8}_[0-9a-z]{20,40}$)")
_LEAST = 4  # digits, capitals and small letters each
_TURNS = 8  # changes between them


def redacted(text: str) -> str:
    """`text` with each secret as `[redacted: kind]`."""
    if not _may(text):
        return text
    if "PRIVATE" in text:
        text = _KEY_BLOCK.sub("[redacted: private key]", text)
    for shape in SHAPES:
        if any(piece in text for piece in shape.pieces):
            text = shape.pattern.sub(f"[redacted: {shape.kind}]", text)
    text = _GIVEN.sub(r"\1[redacted: password]", text)
    text = _BEARER.sub(r"\1[redacted: token]", text)
    return _BARE.sub(_bare, text)


def _may(text: str) -> bool:
    low = text.lower()
    for word in _WORDS:  # not `any`: this is done for every message there is
        if word in low:
            return True
    return bool(_LONG.search(f" {text}"))


def _bare(found: re.Match[str]) -> str:
    text = found.group()
    kinds = ["0" if char.isdigit() else "A" if char.isupper() else "a" for char in text if char.isalnum()]
    turns = sum(one != other for one, other in pairwise(kinds))
    mixed = min(kinds.count(kind) for kind in "0Aa") >= _LEAST and turns >= _TURNS
    return "[redacted: key]" if mixed and not _NAMED.match(text) else text
