"""Every error Herma raises to a person, as one tree.

    HermaError
    ├── SettingError          a setting is unknown or has a value of the wrong kind
    ├── HostError             a host could not be found, run or understood
    │   ├── HostNotFound      nothing that looks like this host is where we looked
    │   ├── HostUnreadable    the host answered with something we do not understand
    │   └── HostSilent        the host did not answer in time, or ended without an answer
    └── SetupError            something cannot be set up or taken out again
        ├── OddFile           a person's file is not one that a program should change
        ├── StepFailed        a step was begun and did not succeed
        └── ReceiptError      the record of what was set up cannot be read, written or had alone

Each error carries a `hint`: the next thing the person who sees it can do. Hook callbacks never
raise any of these into a host; see `herma.engine.guard`.
"""

__all__ = [
    "HermaError",
    "HostError",
    "HostNotFound",
    "HostSilent",
    "HostUnreadable",
    "OddFile",
    "ReceiptError",
    "SettingError",
    "SetupError",
    "StepFailed",
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


class SetupError(HermaError):
    """Something cannot be set up or taken out again."""


class OddFile(SetupError):  # noqa: N818 - reads as the sentence it is printed in
    """A person's file is not one that a program should change. The message says why; nothing was changed."""


class StepFailed(SetupError):  # noqa: N818
    """A step was begun and did not succeed. What came before it stands, and is in the receipt."""


class ReceiptError(SetupError):
    """The record of what was set up cannot be read or written, or another process is using it."""
