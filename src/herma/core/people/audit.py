"""The audit trail as chains that notice what is done to them: one chain a writer, one writer a process's opening.

A row's hash is SHA-256 over its body, which is this JSON array without spaces, every character beyond ASCII escaped:

    ["herma/audit/1", writer, seq, prev, ts, who, kind, tool, allowed, needs_approval, approved, tokens, surface, host]

`prev` is the hash of the writer's row before it; the first row's is the hash of the writer's record, which names the
newest rows of other writers that it found, so that a writer cannot be dropped unseen. `who` is SHA-256 over a salt and
the person, session and turn. Neither they nor `note` are in the body, so a person can be erased (NULL in their place,
the salt deleted) and the chain still verifies. Bytes are written as lower-case hex.

What this does not find: rows cut from the end of a chain after its record was last updated, a trail that somebody
who may write the file computed anew from some row on, and a changed `note`. Only newest hashes that are kept elsewhere,
such as signed checkpoints, show the first two.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from json import dumps
from json.encoder import encode_basestring_ascii as quoted
from typing import NamedTuple

__all__ = ["Link", "Row", "Writer", "body_of", "exported", "genesis_of", "hash_of", "who_of"]

_ROW = "herma/audit/1"
_WRITER = "herma/writer/1"
_WHO = b"herma/who/1\0"
_FLAGS = {None: "null", 0: "0", 1: "1"}


class Link(NamedTuple):
    """The newest row of another writer, as a new writer found it."""

    writer: str
    seq: int
    hash: bytes


class Writer(NamedTuple):
    """One opening by one process. `seq` and `hash` are the newest row when the record was last updated; 0 for none."""

    writer: str
    surface: str
    host: str
    pid: int
    home: str
    profile: str
    started_at: int
    links: Sequence[Link] = ()
    seq: int = 0
    hash: bytes = b""


class Row(NamedTuple):
    """A row as it is kept. A person, session or turn that is None was erased."""

    id: int
    ts: int
    person_id: str | None
    session_id: str | None
    turn_id: str | None
    kind: str
    tool: str
    allowed: int | None
    needs_approval: int | None
    approved: int | None
    tokens: int
    note: str
    writer: str
    seq: int
    surface: str
    host: str
    who: bytes
    prev: bytes
    hash: bytes = b""


def who_of(salt: bytes, person_id: str, session_id: str, turn_id: str) -> bytes:
    """The commitment that stands for a person in a session's turn."""
    return sha256(b"%b%b[%b]" % (_WHO, salt, _joined(person_id, session_id, turn_id))).digest()


def body_of(row: Row) -> str:
    """What is hashed of a row."""
    _, ts, _, _, _, kind, tool, allowed, asked, approved, tokens, _, writer, seq, surface, host, who, prev, _ = row
    return (
        f'["{_ROW}",{quoted(writer)},{seq:d},"{prev.hex()}",{ts:d},"{who.hex()}",{quoted(kind)},{quoted(tool)},'
        f"{_FLAGS.get(allowed) or int(allowed or 0)},{_FLAGS.get(asked) or int(asked or 0)},"
        f"{_FLAGS.get(approved) or int(approved or 0)},{tokens:d},{quoted(surface)},{quoted(host)}]"
    )


def hash_of(row: Row) -> bytes:
    """The hash that a row must have."""
    return sha256(body_of(row).encode()).digest()


def genesis_of(writer: Writer) -> bytes:
    """What the first row of a writer follows from."""
    links = [[link.writer, link.seq, link.hash.hex()] for link in writer.links]
    return sha256(dumps([_WRITER, *writer[:7], links], separators=(",", ":")).encode()).digest()


def exported(row: Row) -> Mapping[str, object]:
    """A row for a program, with all that it takes to compute its hash again."""
    return {name: value.hex() if isinstance(value, bytes) else value for name, value in row._asdict().items()}


def _joined(*texts: str) -> bytes:
    return ",".join(map(quoted, texts)).encode()
