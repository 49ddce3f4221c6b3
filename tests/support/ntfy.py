"""A server on loopback that takes messages as ntfy does: JSON, posted to its root (https://docs.ntfy.sh/publish)."""

from __future__ import annotations

import contextlib
import http.server
import json
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

KNOWN = {"topic", "title", "message", "priority", "tags"}


class Ntfy(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.messages: list[dict[str, Any]] = []
        self.tokens: list[str | None] = []  # as they came with each request
        self.wants = ""  # the token without which nothing is taken
        self.redirects_to = ""
        self.drips = threading.Event()  # it sends its answer a byte at a time, for ever

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def refusal(self, path: str, body: bytes, token: str | None) -> int:
        """The status with which the real one answers what it does not take; 0 for what it takes."""
        if self.wants and token != f"Bearer {self.wants}":
            return 401
        told = json.loads(body)
        if path != "/" or not told.get("topic") or set(told) - KNOWN or not 1 <= told["priority"] <= 5:
            return 400
        self.messages.append(told)
        return 0


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Ntfy

    def do_POST(self) -> None:
        token = self.headers.get("Authorization")
        self.server.tokens.append(token)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.server.redirects_to:
            self.send_response(307)
            self.send_header("Location", self.server.redirects_to)
            self.end_headers()
            return
        if self.server.drips.is_set():
            self._drip()
            return
        refused = self.server.refusal(self.path, body, token)
        self.send_response(refused or 200)
        self.end_headers()
        self.wfile.write(b'{"error": "refused"}' if refused else b'{"id": "hwQ2YpKdmg", "event": "message"}')

    def _drip(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        with contextlib.suppress(OSError):
            while self.server.drips.wait():
                self.wfile.write(b"x")
                threading.Event().wait(0.02)

    def log_message(self, *_: Any) -> None: ...


@contextlib.contextmanager
def ntfy() -> Iterator[Ntfy]:
    made = Ntfy()
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    try:
        yield made
    finally:
        made.shutdown()
        thread.join()
        made.server_close()
