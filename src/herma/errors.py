"""Every error Herma raises to a person, as one tree.

    HermaError
    ├── SettingError          a setting is unknown or has a value of the wrong kind
    ├── HostError             a host could not be found, run or understood
    │   ├── HostNotFound      nothing that looks like this host is where we looked
    │   ├── HostUnreadable    the host answered with something we do not understand
    │   └── HostSilent        the host did not answer in time, or ended without an answer
    ├── SidecarError          Herma's own process beside a host cannot be started, or did not answer
    ├── SetupError            something cannot be set up or taken out again
    │   ├── OddFile           a person's file is not one that a program should change
    │   ├── StepFailed        a step was begun and did not succeed
    │   └── ReceiptError      the record of what was set up cannot be read, written or had alone
    ├── SessionStoreError     a host's own record of its sessions cannot be read: rights, its kind
    │   ├── SessionsMissing   there is none where we looked
    │   ├── SessionsBusy      it was locked, or changed under our eyes, for longer than we wait
    │   ├── SessionsUnknown   it is laid out in a way that we do not know
    │   └── SessionsDamaged   it is not, or no longer, a database
    └── StoreError            a database cannot be used: its place, its owner, its rights
        ├── StoreLocked       others kept it busy for longer than we wait
        ├── StoreFull         there is no room left
        ├── StoreNewer        a later version of Herma has laid it out
        └── StoreDamaged      it is not, or no longer, a database that we understand

Each error carries a `hint`: the next thing the person who sees it can do. Hook callbacks never
raise any of these into a host; see `herma.engine.guard`.
"""

__all__ = [
    "Conflict",
    "HermaError",
    "HostError",
    "HostNotFound",
    "HostSilent",
    "HostUnreadable",
    "MemoryFailure",
    "OddFile",
    "ReceiptError",
    "SessionStoreError",
    "SessionsBusy",
    "SessionsDamaged",
    "SessionsMissing",
    "SessionsUnknown",
    "SettingError",
    "SetupError",
    "SidecarError",
    "StepFailed",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreLocked",
    "StoreNewer",
]


class HermaError(Exception):
    """Something a person has to know about. `hint` says what they can do next."""

    exit_code = 2

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class SettingError(HermaError):
    """A setting is unknown, or its value cannot be used. The message names the setting and its place."""


class HostError(HermaError):
    """A host program is missing, broken, or not what we expect."""


class HostNotFound(HostError):  # noqa: N818 - reads as the sentence it is printed in
    """Nothing that looks like this host is where we looked."""


class HostUnreadable(HostError):  # noqa: N818
    """The host answered, and the answer is not one we understand."""


class HostSilent(HostError):  # noqa: N818
    """The host did not answer within its time, or ended without an answer."""


class MemoryFailure(HermaError):  # noqa: N818 - reads as the sentence it is printed in
    """A memory could not be read or written. The message names the file; what was in it is still in it."""


class Unreadable(MemoryFailure):
    """The file is there and is not text that can be used: never taken for an empty one, never written over."""


class Conflict(MemoryFailure):
    """Others kept changing the file between our look at it and our write, or kept its lock."""


class SidecarError(HermaError):
    """Herma's own process beside a host cannot be started, or did not answer a call."""


class SetupError(HermaError):
    """Something cannot be set up or taken out again."""


class OddFile(SetupError):  # noqa: N818 - reads as the sentence it is printed in
    """A person's file is not one that a program should change. The message says why; nothing was changed."""


class StepFailed(SetupError):  # noqa: N818
    """A step was begun and did not succeed. What came before it stands, and is in the receipt."""


class ReceiptError(SetupError):
    """The record of what was set up cannot be read or written, or another process is using it."""


class SessionStoreError(HermaError):
    """The database in which a host keeps its sessions cannot be read. It is never written, here or elsewhere."""


class SessionsMissing(SessionStoreError):  # noqa: N818 - reads as the sentence it is printed in
    """There is no such database where we looked."""


class SessionsBusy(SessionStoreError):  # noqa: N818
    """The host kept it to itself, or changed it while it was read, for longer than we wait."""


class SessionsUnknown(SessionStoreError):  # noqa: N818
    """It is a database, and none whose layout we know: another program's, or a newer host's."""


class SessionsDamaged(SessionStoreError):  # noqa: N818
    """It is no database, or one whose content can no longer be read."""


class StoreError(HermaError):
    """A database cannot be opened, read or written. What was begun in it is undone."""


class StoreLocked(StoreError):  # noqa: N818
    """Another process, or another thread of this one, kept the database busy for longer than we wait."""


class StoreFull(StoreError):  # noqa: N818
    """There is no room for what has to be written. Nothing of it was."""


class StoreNewer(StoreError):  # noqa: N818
    """A later version of Herma has laid out the database, and this one does not touch it."""


class StoreDamaged(StoreError):  # noqa: N818
    """The file is no database, or one whose content can no longer be read. It was not changed."""
