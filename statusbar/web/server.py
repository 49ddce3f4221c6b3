"""The page over HTTP, in a thread of its own: uvicorn, with bounds on what strangers can take up.

uvicorn alone, without starlette: there are four addresses, and what else a request is asked stands in `routes.py`. It
starts in 100 ms instead of 120, with three packages instead of seven.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from statusbar.web import request, stream
from statusbar.web.response import page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statusbar.web.address import Address
    from statusbar.web.latest_board import LatestBoard
    from statusbar.web.response import Response
    from statusbar.web.routes import Routes
    from statusbar.web.stream import Receive, Send

MOST_CONNECTIONS, MOST_STREAMS = 256, 128
IDLE_S = 10.0  # for a whole request to come
STUCK_S = 30.0  # for a reader that takes nothing
LARGEST_REQUEST = 16 << 10
UNSENT = 64 << 10  # bytes that the system may keep for one reader: what is kept there is not the newest any more
ENDING_S = 0.7
BUSY = "Too many pages are open. Close some of them."


class Connection(H11Protocol):
    """One connection. It is cut off if it is one too many, asks for nothing, or takes nothing."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._stuck: asyncio.TimerHandle | None = None
        self._asked: Any = None
        self._idle = self.loop.call_later(IDLE_S, self._look)
        transport.set_write_buffer_limits(high=0)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._idle.cancel()
        self._go_on()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        self._stuck = self._stuck or self.loop.call_later(STUCK_S, self.transport.abort)
        super().pause_writing()

    def resume_writing(self) -> None:
        self._go_on()
        super().resume_writing()

    def _go_on(self) -> None:
        if self._stuck:
            self._stuck.cancel()
            self._stuck = None

    def _look(self) -> None:
        """Between requests for so long: it may be sending the next one a byte at a time."""
        is_between = self.cycle is None or self.cycle.response_complete
        if is_between and self.cycle is self._asked:
            self.transport.abort()
            return
        self._asked = self.cycle
        self._idle = self.loop.call_later(IDLE_S, self._look)


class App:
    """The routes as uvicorn calls them (ASGI)."""

    def __init__(self, routes: Routes, latest: LatestBoard) -> None:
        self._routes, self._latest = routes, latest
        self._streams = 0

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        asked = request.of(scope)
        answer = self._routes.answer(asked)
        if answer.is_stream and self._streams >= MOST_STREAMS:
            answer = page(503, "Too many pages", BUSY, ("retry-after", "30"))
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        if answer.is_stream and asked.method == "GET":
            await self._stream(receive, send)
        await _finish(answer, send)

    async def _stream(self, receive: Receive, send: Send) -> None:
        self._streams += 1
        try:
            await stream.run(self._latest, receive, send)
        finally:
            self._streams -= 1


async def _finish(answer: Response, send: Send) -> None:
    """To a HEAD, uvicorn sends no body."""
    await send({"type": "http.response.body", "body": answer.body, "more_body": False})


class Server:
    def __init__(self, listening: socket.socket, routes: Routes, latest: LatestBoard) -> None:
        self._latest = latest
        self._listening = listening
        config = uvicorn.Config(
            App(routes, latest), http=Connection, ws="none", lifespan="off", loop="asyncio", log_config=None,
            log_level="error", access_log=False, server_header=False, proxy_headers=False,
            h11_max_incomplete_event_size=LARGEST_REQUEST,
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def end(self) -> None:
        """Soon, whoever is still there: an open page notices, and tries again by itself."""
        self._server.should_exit = self._server.force_exit = True
        if self._loop and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._cut_off)
        self._thread.join(ENDING_S)
        self._listening.close()

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._latest.belongs_to(self._loop)
        await self._server.serve(sockets=[self._listening])

    def _cut_off(self) -> None:
        for connection in [*self._server.server_state.connections]:
            connection.transport.abort()


def listening(address: Address) -> socket.socket:
    """A socket at this address. Raises OSError."""
    family, *_, where = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)[0]
    made = socket.create_server(where[:2], family=family, backlog=MOST_CONNECTIONS)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT)
    return made
