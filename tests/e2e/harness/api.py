"""A scripted stand-in for the model APIs on loopback, in threads of this process.

The path of a request says which wire format it has (see ``e2e.harness.dialects``). Each prompt carries its own script,
or names one of ``scripts`` (see ``e2e.harness.script``). Calls that are no agent's turn (titles, summaries) have no
tools: they get a harmless word.
"""

from __future__ import annotations

import json
import sys
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from e2e.harness.dialects import anthropic, spoken_at
from e2e.harness.patience import PATIENCE_S
from e2e.harness.script import place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from e2e.harness.dialects import Dialect
    from e2e.harness.dialects.event import Event
    from e2e.harness.script import Step


SUMMARY = "create a detailed summary"  # how the client asks for one


class Asked(NamedTuple):
    """One request of the client, and the step that answers it."""

    step: Step
    place: int
    body: dict[str, Any]
    dialect: Dialect


class Gate:
    """Where an answer waits for the test, and the test for the client."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.opened = threading.Event()

    def pass_through(self) -> None:
        self.reached.set()
        self.opened.wait()


class Api:
    """The server; a context manager. ``asked`` is the log of all requests."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.scripts: dict[str, list[Step]] = {}  # by the name that a prompt may give instead of a script
        self.is_aside: Callable[[dict[str, Any]], bool] = lambda _body: False  # of a helper with tools, not an agent
        self.trouble: list[BaseException] = []
        self.judgements: list[bool] = []  # of a goal, whenever the client asks whether it is met; then always yes
        self.closing = threading.Event()
        self.summary: Step | None = None  # what a compaction gets; without it, the next step of the script
        self._gates: dict[str, Gate] = {}
        self._failed: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name="scripted-api")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def turns(self) -> list[Asked]:
        """The requests of agents, without those for titles and summaries: an old client makes more of these."""
        return [asked for asked in self.asked if asked.body.get("tools")]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self.closing.set()
            for gate in self._gates.values():
                gate.opened.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        if self.trouble:
            raise ExceptionGroup("the scripted API broke", [e for e in self.trouble if isinstance(e, Exception)])

    def release(self, name: str) -> None:
        self.gate(name).opened.set()

    def reached(self, name: str, seconds: float = PATIENCE_S) -> None:
        """Wait until the client has asked for the step that holds or pauses at this name."""
        if not self.gate(name).reached.wait(seconds):
            raise TimeoutError(f"the client never asked for {name!r}")

    def gate(self, name: str) -> Gate:
        with self._lock:
            gate = self._gates.setdefault(name, Gate())
            if self.closing.is_set():
                gate.opened.set()
            return gate

    def take(self, body: dict[str, Any], dialect: Dialect) -> Asked:
        is_turn = body.get("tools") and not self.is_aside(body)
        steps, index = place(dialect.conversation(body), self.scripts) if is_turn else ([], 0)
        step = steps[index] if index < len(steps) else {"text": "done"}
        with self._lock:
            asked = Asked(self._aside(body) or step, index, body, dialect)
            self.asked.append(asked)
        return asked

    def _aside(self, body: dict[str, Any]) -> Step | None:
        """The answer to what the client asks for its own sake, in words of its own."""
        if _is_judged(body):
            return self._judgement()
        if _is_titled(body):
            return {"text": json.dumps({"title": "done"})}
        return self.summary if SUMMARY in json.dumps(body.get("messages", [])[-1:]) else None

    def _judgement(self) -> Step:
        met = self.judgements.pop(0) if self.judgements else True
        return {"text": json.dumps({"ok": met, "reason": "scripted"})}

    def fails(self, asked: Asked) -> bool:
        """Whether this request meets the step's error, or comes after its last ``times``."""
        if "status" not in asked.step:
            return False
        key = json.dumps([asked.step, asked.place])
        with self._lock:
            self._failed[key] += 1
            return self._failed[key] <= int(asked.step.get("times", self._failed[key]))


def _is_judged(body: dict[str, Any]) -> bool:
    """Whether the client asks for a judgement, such as whether a goal is met."""
    form = body.get("output_config", {}).get("format", {})
    return "ok" in form.get("schema", {}).get("properties", {})


def _is_titled(body: dict[str, Any]) -> bool:
    """Whether it asks for a title, and for nothing around it."""
    text = body.get("text")
    return isinstance(text, dict) and "title" in text.get("format", {}).get("schema", {}).get("properties", {})


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, api: Api) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.api = api

    def handle_error(self, request: Any, client_address: Any) -> None:
        trouble = sys.exception()
        # A client that hangs up was interrupted or killed: that is what the tests do.
        if trouble is not None and not isinstance(trouble, ConnectionError):
            self.api.trouble.append(trouble)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: Any) -> None:
        """Say nothing: stderr belongs to pytest."""

    def do_HEAD(self) -> None:
        self._json(200, {})

    def do_GET(self) -> None:
        self._json(404, anthropic.error("not_found_error"))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        path = self.path.partition("?")[0]
        dialect = spoken_at(path)
        if path.endswith("/count_tokens"):
            self._json(200, {"input_tokens": 1000})
        elif dialect:
            self._answer(self.server.api.take(body, dialect), is_streamed=dialect.is_streamed(path, body))
        else:
            self._json(404, anthropic.error("not_found_error"))

    def _answer(self, asked: Asked, *, is_streamed: bool) -> None:
        api, step, dialect, model = self.server.api, asked.step, asked.dialect, str(asked.body.get("model"))
        if "hold" in step:
            api.gate(step["hold"]).pass_through()
        api.closing.wait(step.get("delay", 0))
        if api.fails(asked):
            self._json(step["status"], dialect.error(step.get("error", "api_error"), step.get("message", "scripted")))
        elif is_streamed:
            self._stream(step, dialect.stream(step, model))
        else:
            self._json(200, dialect.message(step, model))

    def _json(self, code: int, value: dict[str, Any]) -> None:
        raw = json.dumps(value).encode()
        self.send_response(code)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(raw)

    def _stream(self, step: Step, events: Iterator[Event]) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for event in events:
            if event.rest_before:
                self._rest(step)
            self.wfile.write(event.encoded())
            self.wfile.flush()

    def _rest(self, step: Step) -> None:
        if "pause" in step:
            self.server.api.gate(step["pause"]).pass_through()
        self.server.api.closing.wait(step.get("drip", 0))
