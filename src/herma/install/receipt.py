"""What was set up in each environment, on disk: written before each step and again after it."""

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Self

from herma.errors import ReceiptError, SetupError
from herma.install.files import kept, put, unmake
from herma.install.machine import Machine
from herma.install.steps import Step, as_record, step_of

__all__ = ["Entry", "Receipt", "Receipts"]

SCHEMA = "herma/receipt/1"

_LOOK = "look at it; what it names can be undone by hand, and then it can be deleted"


class Entry(NamedTuple):
    """A step that was begun, and whether it was seen to the end."""

    step: Step
    done: bool


class Receipt(NamedTuple):
    """All that was set up in one environment, whose folder is free of links, and not taken out since, oldest first."""

    environment: str
    python: str
    entries: tuple[Entry, ...] = ()

    def begun(self, step: Step) -> Self:
        """With one more step, not done yet."""
        return self._replace(entries=(*self.entries, Entry(step, done=False)))

    def done(self) -> Self:
        """With the last step done."""
        return self._replace(entries=(*self.entries[:-1], self.entries[-1]._replace(done=True)))

    def without(self, steps: Sequence[Step]) -> Self:
        """Without these steps."""
        return self._replace(entries=tuple(entry for entry in self.entries if entry.step not in steps))


class Receipts:
    """The receipts of a person for one host, one file an environment."""

    def __init__(self, machine: Machine, host: str = "hermes") -> None:
        self._host = host
        named = machine.environ.get("XDG_STATE_HOME", "")
        base = Path(named) if os.path.isabs(named) else machine.home / ".local" / "state"  # noqa: PTH117 - "" is none
        self.folder = base / "herma" / "receipts"

    def all(self) -> list[Receipt]:
        """Every receipt. Raises `ReceiptError` for one that cannot be read."""
        return [_read(path) for path in sorted(self.folder.glob(f"{self._host}-*.json"))]

    def of(self, environment: Path) -> Receipt | None:
        """The receipt of an environment; None where nothing is set up there."""
        path = self.path(os.path.realpath(environment))
        return _read(path) if path.exists() else None

    def write(self, receipt: Receipt) -> None:
        """Keep a receipt in the place of the one before; one without entries is deleted. Raises `ReceiptError`."""
        path = self.path(receipt.environment)
        fields = {**receipt._asdict(), "entries": [{"done": done, **as_record(step)} for step, done in receipt.entries]}
        text = json.dumps({"schema": SCHEMA, **fields}, indent=1) + "\n"
        try:
            put(kept(path), text.encode() if receipt.entries else None)
        except SetupError as error:
            raise ReceiptError(f"the receipt {path} cannot be written: {error}", hint=error.hint) from None

    def path(self, environment: str) -> Path:
        """Where the receipt of an environment is kept."""
        return self.folder / f"{self._host}-{sha256(os.fsencode(environment)).hexdigest()[:16]}.json"

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keeps other processes from setting up or removing meanwhile. Raises `ReceiptError` if one is at it."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(self.folder, os.O_RDONLY)
        except OSError as error:
            raise ReceiptError(
                f"{self.folder} cannot be used: {error.strerror}", hint="set XDG_STATE_HOME to a folder of your own"
            ) from None
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                hint = "wait until it has ended, then run the command again"
                raise ReceiptError("another herma is setting up or removing right now", hint=hint) from None
            yield
            for draft in self.folder.glob(".*.herma-tmp"):  # of a run that was cut off
                draft.unlink(missing_ok=True)
            unmake((str(self.folder.parent), str(self.folder)))  # nothing stays where nothing is set up
        finally:
            os.close(lock)


def _read(path: Path) -> Receipt:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if record.pop("schema") != SCHEMA:
            raise ReceiptError(f"{path} is of another version of Herma", hint="use the version that wrote it")
        entries = [Entry(done=entry.pop("done"), step=step_of(entry)) for entry in record.pop("entries")]
        return Receipt(entries=tuple(entries), **record)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise ReceiptError(f"the receipt {path} cannot be read", hint=_LOOK) from None
