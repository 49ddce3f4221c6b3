"""Strangers can take up only so much: connections, time, memory. The server runs in this process, with small bounds."""

from __future__ import annotations

import contextlib
import socket
import time
from typing import TYPE_CHECKING

import pytest

from statusbar.web import server
from statusbar.web.access import Access
from statusbar.web.address import Address
from statusbar.web.latest_board import LatestBoard
from statusbar.web.routes import EVENTS, Routes
from statusbar.web.server import Server
from support.patience import PATIENCE_S, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Serve = Callable[[], "Running"]

SOON_S = 0.3
LONG = "x" * (1 << 20)


class Running:
    def __init__(self) -> None:
        listening = server.listening(Address("127.0.0.1", 0))
        self.where = Address("127.0.0.1", listening.getsockname()[1])
        self.access = Access("token", self.where.port, time.monotonic)
        self.latest = LatestBoard()
        self.latest.publish('"first"')
        self.server = Server(listening, Routes(self.access, self.where, frozenset()), self.latest)
        self.server.start()

    def connected(self) -> socket.socket:
        return socket.create_connection(self.where, timeout=PATIENCE_S)

    def asks(self, path: str) -> bytes:
        cookie = self.access.cookie.partition(";")[0]
        return f"GET {path} HTTP/1.1\r\nHost: {self.where}\r\nCookie: {cookie}\r\n\r\n".encode()


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Nothing is cut off before its time, unless the test says so."""
    for name in ("IDLE_S", "STUCK_S"):
        monkeypatch.setattr(server, name, PATIENCE_S)
    monkeypatch.setattr(server, "ENDING_S", PATIENCE_S)
    started: list[Running] = []

    def start() -> Running:
        started.append(Running())
        return started[-1]

    yield start
    for one in started:
        one.server.end()
        assert not one.server.is_alive


def is_closed(one: socket.socket) -> bool:
    one.setblocking(False)
    try:
        return one.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_one_connection_too_many_is_cut_off_and_the_others_stay(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 3)
    web = serve()
    with contextlib.ExitStack() as open_:
        those = [open_.enter_context(web.connected()) for _ in range(5)]
        until(lambda: sum(map(is_closed, those)) == 2, "the end of two")
        stays = next(one for one in those if not is_closed(one))
        stays.setblocking(True)
        stays.sendall(web.asks("/"))
        assert stays.recv(12) == b"HTTP/1.1 200"
        stays.close()
        until(lambda: not _is_refused(web), "room for another one")


def _is_refused(web: Running) -> bool:
    with web.connected() as one, contextlib.suppress(ConnectionError):
        one.sendall(web.asks("/"))
        return one.recv(12) != b"HTTP/1.1 200"
    return True


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nX: "], ids=["nothing", "half a request"])
def test_who_asks_for_nothing_is_cut_off(sent: bytes, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "IDLE_S", SOON_S)
    with serve().connected() as one:
        one.sendall(sent)
        until(lambda: is_closed(one), "its end")


def test_who_sends_a_request_a_byte_at_a_time_is_cut_off(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "IDLE_S", SOON_S)
    web = serve()
    with web.connected() as one:
        one.sendall(web.asks("/style.css"))
        assert one.recv(12) == b"HTTP/1.1 200"

        def dawdles() -> bool:
            """Whether it could still send."""
            with contextlib.suppress(OSError):
                one.send(b"G")
                return False
            return True

        until(dawdles, "its end")


def test_an_open_page_is_not_idle(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "IDLE_S", SOON_S)
    web = serve()
    with web.connected() as one, web.connected() as other:
        one.sendall(web.asks(EVENTS))
        until(lambda: is_closed(other), "the end of one that is")
        web.latest.publish('"second"')
        one.setblocking(True)
        said = b""
        while b'"second"' not in said:
            more = one.recv(1 << 16)
            assert more, said
            said += more


def test_who_takes_nothing_is_cut_off(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "STUCK_S", SOON_S)
    web = serve()
    with web.connected() as one:
        one.sendall(web.asks(EVENTS))
        assert one.recv(12) == b"HTTP/1.1 200"
        web.latest.publish(f'"{LONG * 8}"')  # more than both sides can buffer
        connections = web.server._server.server_state.connections
        until(lambda: not connections, "its end")


def test_it_ends_with_a_reader_that_takes_nothing(serve: Serve) -> None:
    web = serve()
    with web.connected() as one:
        one.sendall(web.asks(EVENTS))
        assert one.recv(12) == b"HTTP/1.1 200"
        web.latest.publish(f'"{LONG * 8}"')
        web.server.end()
        assert not web.server.is_alive
