"""The scripted model's door: an HTTP server on loopback that speaks the chat-completions format."""

import json
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.hosts import wire
from tests.hosts.replies import Reply

Answers = Callable[[dict[str, Any]], tuple[int, Reply]]
SILENT_CLIENT_SECONDS = 30


class Endpoint(ThreadingHTTPServer):
    """Asks `answers` for the number and the reply of each request; what goes wrong is handed to `failed`."""

    daemon_threads = False  # closing waits for them
    request_queue_size = 64

    def __init__(self, answers: Answers, *, failed: Callable[[BaseException], None]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers = answers
        self._failed = failed

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 - the library's signature
        """Keeps an error, except that of a client which hung up: a host does when a turn is interrupted."""
        error = sys.exception()
        if error is not None and not isinstance(error, ConnectionError):
            self._failed(error)


class _Handler(BaseHTTPRequestHandler):
    """One request a connection (HTTP/1.0), so that no thread waits for a client that stays."""

    server: Endpoint
    timeout = SILENT_CLIENT_SECONDS

    def do_GET(self) -> None:
        self._send(200, wire.models())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        n, reply = self.server.answers(body)
        if reply.status != 200:
            self._send(reply.status, wire.error(reply))
        elif body.get("stream"):
            self._stream(reply, n, usage=bool((body.get("stream_options") or {}).get("include_usage")))
        else:
            self._send(200, wire.whole(reply, n))

    def log_message(self, *_: Any) -> None:
        """Says nothing: the requests are on record."""

    def _send(self, status: int, body: dict[str, Any]) -> None:
        self._begin(status, "application/json")
        self.wfile.write(json.dumps(body).encode())

    def _stream(self, reply: Reply, n: int, *, usage: bool) -> None:
        self._begin(200, "text/event-stream")
        for event in wire.streamed(reply, n, usage=usage):
            self.wfile.write(event)

    def _begin(self, status: int, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.end_headers()
