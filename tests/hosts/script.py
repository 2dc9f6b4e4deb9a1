"""Which reply answers which request: lanes, the main queue, and the queue for side work."""

import re
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tests.hosts.replies import Reply, say
from tests.hosts.request import Request

Answer = Reply | Callable[[Request], Reply]


class Lane(NamedTuple):
    """A queue of replies for the requests that `pattern` finds; `default` answers when it is empty."""

    name: str
    pattern: re.Pattern[str]
    queue: deque[Answer]
    default: list[Answer]
    aux: bool

    @property
    def left(self) -> int:
        """How many replies were scripted and never asked for."""
        return len(self.queue)

    def add(self, replies: Sequence[Answer], default: Answer | None) -> None:
        """Appends `replies`; a `default` replaces the one before."""
        self.queue.extend(replies)
        if default is not None:
            self.default[:] = [default]

    def take(self) -> Answer | None:
        """The next reply, else the default, else nothing."""
        if self.queue:
            return self.queue.popleft()
        return self.default[0] if self.default else None


def _lane(match: str, *, aux: bool) -> Lane:
    return Lane(match, re.compile(match, re.IGNORECASE | re.DOTALL), deque(), [], aux)


class Script:
    """The lanes in the order they were made, and the two queues for what no lane matches."""

    def __init__(self) -> None:
        self.lanes: dict[str, Lane] = {}
        self.main = _lane("main", aux=False)
        self.side = _lane("aux", aux=True)
        self.side.default.append(say("aux"))

    def lane(self, match: str, *, aux: bool) -> Lane:
        """The lane of this pattern, made on first use."""
        return self.lanes.setdefault(match, _lane(match, aux=aux))

    def choose(self, request: Request) -> Lane:
        """The lane for a request; requests without tools reach only lanes made for them."""
        for text in request.prompts():
            for lane in self.lanes.values():
                if lane.aux == request.aux and lane.pattern.search(text):
                    return lane
        return self.side if request.aux else self.main

    def left(self) -> dict[str, int]:
        """How many replies wait in each queue that is not empty."""
        every = (*self.lanes.values(), self.main, self.side)
        return {lane.name: lane.left for lane in every if lane.left}
