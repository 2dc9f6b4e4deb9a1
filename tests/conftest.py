"""What holds for all tests: how they are shared out under `pytest -n`."""

from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped] # it carries no types

from tests.hosts.sharing import piece_of_work


class ByHost(LoadScopeScheduling):  # type: ignore[misc] # the same
    """Shares tests out by host version.

    xdist's own groups cannot be used: under pytest 9.2, where the id of a test is no longer a field that can be
    written, it loses them without a word.
    """

    def _split_scope(self, nodeid: str) -> str:
        return piece_of_work(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByHost:
    """Takes the place of whatever `--dist` names."""
    return ByHost(config, log)
