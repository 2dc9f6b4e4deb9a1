"""How the tests are shared out between workers."""

import re

from tests.hosts.hermes import VERSIONS
from tests.hosts.opencode.program import VERSION as OPENCODE

PIECES = {**{version: f"hermes-{version}" for version in VERSIONS}, OPENCODE: f"opencode-{OPENCODE}"}


def piece_of_work(nodeid: str) -> str:
    """The piece of work that a test belongs to; one worker takes a piece as a whole.

    All tests of one host version are one piece, so that two hosts of a version never start at once and what they share
    (a template home, a gateway) is made once. Every other test belongs to its file.
    """
    path, _, test = nodeid.partition("::")
    parameters = re.split(r"[-\[\]]", test)
    return next((piece for version, piece in PIECES.items() if version in parameters), path)
