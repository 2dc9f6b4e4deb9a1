"""How the tests are shared out between workers."""

import re

from tests.hosts.hermes import VERSIONS


def piece_of_work(nodeid: str) -> str:
    """The piece of work that a test belongs to; one worker takes a piece as a whole.

    All tests of one host version are one piece, so that two hosts of a version never start at once and what they share
    (a template home, a gateway) is made once. Every other test belongs to its file.
    """
    path, _, test = nodeid.partition("::")
    parameters = re.split(r"[-\[\]]", test)
    return next((f"hermes-{version}" for version in VERSIONS if version in parameters), path)
