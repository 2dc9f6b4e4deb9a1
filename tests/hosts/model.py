"""A scripted model: an OpenAI-compatible server on loopback, inside the test's own process.

    with ScriptedModel() as model:
        model.lane("alice", call("read_file", path="notes.txt"), say("Two lines."))
        ...
        request = model.wait_for(lambda r: r.lane == "alice" and r.tool_results())

A lane is chosen by a word or a regular expression (case does not matter) in the newest user message, else in the
older ones, newest first, else in the system prompt: so the name of a gateway's sender works as a lane. A request with
tools that no lane matches takes the next of `replies`; one without tools (a title, a summary) takes the next of `aux`.
"""

from collections.abc import Callable
from threading import Condition, Event, Thread
from types import TracebackType
from typing import Any, Self

from tests.hosts.endpoint import Endpoint
from tests.hosts.replies import Reply, ToolUse, Usage, call, calls, fail, say
from tests.hosts.request import Request
from tests.hosts.script import Answer, Script

__all__ = ["Answer", "Reply", "Request", "ScriptedModel", "ToolUse", "Usage", "call", "calls", "fail", "say"]


class ScriptedModel:
    """The server, its script, and the record of what it was asked. Closing it releases every held reply."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._script = Script()
        self._requests: list[Request] = []
        self._count = 0
        self._gates: list[Event] = []
        self._closing = False
        self.errors: list[BaseException] = []
        self._endpoint = Endpoint(self.answer, failed=self.errors.append)
        self._thread = Thread(target=self._endpoint.serve_forever, args=(0.05,), name="scripted-model")

    def __enter__(self) -> Self:
        """Starts serving."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stops; an error inside a reply that was a function is raised here, unless another is on its way."""
        self.close()
        if self.errors and error is None:
            raise self.errors[0]

    @property
    def url(self) -> str:
        """The base URL that a host is configured with."""
        return f"http://127.0.0.1:{self._endpoint.server_port}/v1"

    @property
    def requests(self) -> list[Request]:
        """Every request so far, oldest first."""
        with self._changed:
            return list(self._requests)

    def lane(self, match: str, *replies: Answer, default: Answer | None = None, aux: bool = False) -> None:
        """Adds replies to the lane of `match`; `aux` makes a lane for requests without tools."""
        with self._changed:
            self._script.lane(match, aux=aux).add(replies, default)

    def replies(self, *replies: Answer, default: Answer | None = None) -> None:
        """Adds replies for requests with tools that no lane matches."""
        with self._changed:
            self._script.main.add(replies, default)

    def aux(self, *replies: Answer, default: Answer | None = None) -> None:
        """Adds replies for requests without tools that no lane matches."""
        with self._changed:
            self._script.side.add(replies, default)

    def clear(self) -> None:
        """Forgets the script and the record: a fresh start for the next test beside the same gateway."""
        with self._changed:
            self._script = Script()
            self._requests.clear()

    def left(self) -> dict[str, int]:
        """The replies that nobody asked for, by lane."""
        with self._changed:
            return self._script.left()

    def of(self, lane: str) -> list[Request]:
        """The requests that one lane answered."""
        return [request for request in self.requests if request.lane == lane]

    def wait_for(self, predicate: Callable[[Request], object], timeout: float = 60) -> Request:
        """Blocks until a recorded request satisfies `predicate` and returns the first that does."""
        with self._changed:
            found = self._changed.wait_for(
                lambda: next((each for each in self._requests if predicate(each)), None), timeout
            )
        if found is None:
            raise AssertionError(f"no such request within {timeout} s; seen:\n{self.story()}")
        return found

    def story(self, last: int = 20) -> str:
        """The newest requests, one line each, for the text of a failure."""
        lines = (
            f"  #{each.n} [{each.lane}] {each.user_text[-100:]!r} after {len(each.tool_results())} tool results"
            for each in self.requests[-last:]
        )
        return "\n".join(lines) or "  (none)"

    def answer(self, body: dict[str, Any]) -> tuple[int, Reply]:
        """Records a request and returns its number and the reply, waiting while that is held."""
        request, answer = self._record(body)
        reply = self._resolve(answer, request)
        if reply.gate is not None:
            self._wait(reply.gate)
        return request.n, reply

    def close(self) -> None:
        """Releases held replies, stops the server and waits for its threads."""
        with self._changed:
            self._closing = True
            for gate in self._gates:
                gate.set()
        self._endpoint.shutdown()
        self._endpoint.server_close()
        self._thread.join()

    def _record(self, body: dict[str, Any]) -> tuple[Request, Answer | None]:
        with self._changed:
            self._count += 1  # never starts again: the ids of tool calls are made from it
            bare = Request(self._count, "", bool(body.get("stream")), not body.get("tools"), body)
            lane = self._script.choose(bare)
            request = bare._replace(lane=lane.name)
            self._requests.append(request)
            self._changed.notify_all()
            return request, lane.take()

    def _wait(self, gate: Event) -> None:
        with self._changed:
            self._gates.append(gate)
            closing = self._closing
        if not closing:
            gate.wait()

    def _resolve(self, answer: Answer | None, request: Request) -> Reply:
        if answer is None:
            return say(f"Nothing is scripted for lane {request.lane!r} (request {request.n}).")
        if isinstance(answer, Reply):
            return answer
        try:
            return answer(request)
        except BaseException as error:  # noqa: BLE001 - a test's own code: kept, and raised when the model is closed
            self.errors.append(error)
            # 400 and not 500: a host does not try again, so the test ends at once.
            return fail(400, f"the scripted reply raised {error!r}")
