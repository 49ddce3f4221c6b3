"""One short visit to Codex's daemon: which threads it has loaded, and how each stands.

JSON-RPC in WebSocket frames on a unix socket. A visitor asks four questions and leaves; it never answers one, because
whoever stays is sent the requests for approval of sub-agents, and any answer to those would decide. What comes back is
bounded in time, bytes and number, whoever it is that listens there.
"""

from __future__ import annotations

import base64
import json
import os
import socket
import stat
import struct
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from contract import version, wire

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

PATIENCE_S = 2.0  # for the whole visit
MOST_BYTES = 4 << 20
LARGEST = 1 << 20  # of one message
LONGEST_HEAD = 4096
MOST_THREADS, MOST_LISTED = 64, 1024
LONGEST_ID = 64
LONGEST_PATH = 100  # of a socket; longer ones cannot be connected to
TEXT, CLOSE = 1, 8
FINAL, MASKED = 0x80, 0x80
SHORT, LONG = 126, 127  # in the place of a length: two or eight bytes follow


class Failed(Exception):  # noqa: N818 - an expected outcome
    """Nobody there, or nobody that speaks as we know it."""


class Told(NamedTuple):
    threads: list[dict[str, Any]]  # as the daemon describes them
    passed_over: frozenset[str]  # those of `skip` that are still there
    unread: frozenset[str] = frozenset()  # they are there, and could not be read: one that just begins cannot be


def visit(path: str, pid: int = 0, skip: Collection[str] = (), patience_s: float = PATIENCE_S) -> Told:
    """`pid`: of the process that must be the one who listens. `skip`: threads that nothing needs to be known of."""
    try:
        with _Line(path, pid, time.monotonic() + patience_s) as line:
            return _threads(line, skip)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Failed(type(error).__name__) from None


def _threads(line: _Line, skip: Collection[str]) -> Told:
    about = {"name": "yourturn", "title": "yourturn", "version": version.VERSION}
    line.ask("initialize", {"clientInfo": about})
    line.tell("initialized")
    listed = line.ask("thread/loaded/list", {"limit": MOST_LISTED})["data"]
    ids = [one for one in listed if isinstance(one, str) and len(one) <= LONGEST_ID][:MOST_LISTED]
    wanted = [one for one in ids if one not in skip][-MOST_THREADS:]
    told = line.ask_all("thread/read", [{"threadId": one} for one in wanted])
    found = [one["thread"] for one in told if one and isinstance(one.get("thread"), dict)]
    unread = frozenset(one for one, answer in zip(wanted, told, strict=True) if answer is None)
    return Told(found, frozenset(skip).intersection(ids), unread)


class _Line:
    """A connection with a deadline."""

    def __init__(self, path: str, pid: int, until: float) -> None:
        self._until, self._left, self._number, self._read = until, MOST_BYTES, 0, b""
        self._socket = _connected(path, pid, self._rest())
        try:
            self._shake_hands()
        except BaseException:
            self._socket.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        (answer,) = self.ask_all(method, [params])
        if answer is None:
            raise ValueError(method)
        return answer

    def ask_all(self, method: str, each: list[dict[str, Any]]) -> list[dict[str, Any] | None]:
        """One answer for each; None for an error: a thread may have been unloaded meanwhile."""
        first = self._number + 1
        self._number += len(each)
        frames = [_frame({"id": first + n, "method": method, "params": one}) for n, one in enumerate(each)]
        self._send(b"".join(frames))
        wanted: dict[int, dict[str, Any] | None] = {}
        while len(wanted) < len(each):
            told = self._next()
            number = told.get("id")
            # What has a method is a request or a notice of the daemon's: none of our business.
            if type(number) is int and first <= number <= self._number and "method" not in told:
                result = told.get("result")
                wanted[number] = result if isinstance(result, dict) else None
        return [wanted[first + n] for n in range(len(each))]

    def tell(self, method: str) -> None:
        self._send(_frame({"method": method}))

    def _next(self) -> dict[str, Any]:
        """The next message that is an object."""
        while True:
            head = self._exactly(2)
            size = head[1] & ~MASKED
            if size == SHORT:
                (size,) = struct.unpack(">H", self._exactly(2))
            elif size == LONG:
                (size,) = struct.unpack(">Q", self._exactly(8))
            if size > LARGEST or head[1] & MASKED or not head[0] & FINAL or head[0] & 15 == CLOSE:
                raise ValueError("frame")
            data = self._exactly(size)
            told = wire.decode(data) if head[0] & 15 == TEXT else None
            if isinstance(told, dict):
                return told

    def _shake_hands(self) -> None:
        key = base64.b64encode(os.urandom(16))
        self._send(
            b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key + b"\r\n\r\n"
        )
        while b"\r\n\r\n" not in self._read:
            if len(self._read) > LONGEST_HEAD:
                raise ValueError("head")
            self._receive()
        head, _, self._read = self._read.partition(b"\r\n\r\n")
        if b" 101 " not in head.partition(b"\r\n")[0]:
            raise ValueError("no upgrade")

    def _exactly(self, size: int) -> bytes:
        while len(self._read) < size:
            self._receive()
        data, self._read = self._read[:size], self._read[size:]
        return data

    def _receive(self) -> None:
        self._socket.settimeout(self._rest())
        data = self._socket.recv(1 << 16)
        self._left -= len(data)
        if not data or self._left < 0:
            raise ValueError("closed" if not data else "too much")
        self._read += data

    def _send(self, data: bytes) -> None:
        self._socket.settimeout(self._rest())
        self._socket.sendall(data)

    def _rest(self) -> float:
        rest = self._until - time.monotonic()
        if rest <= 0:
            raise TimeoutError
        return rest


def _connected(path: str, pid: int, patience_s: float) -> socket.socket:
    """Only to a socket of our own user, and of the process that is meant, where the system tells which one listens."""
    real = os.path.realpath(path)  # the client lays a link to a shorter path
    found = os.stat(real)
    if not stat.S_ISSOCK(found.st_mode) or found.st_uid != os.getuid() or len(os.fsencode(real)) > LONGEST_PATH:
        raise ValueError("socket")
    line = socket.socket(socket.AF_UNIX)
    try:
        line.settimeout(patience_s)
        line.connect(real)
        _check_peer(line, pid)
    except BaseException:
        line.close()
        raise
    return line


def _check_peer(line: socket.socket, pid: int) -> None:
    if sys.platform != "linux" or not pid:
        return
    told = line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    peer, user, _ = struct.unpack("3i", told)
    if peer not in (pid, 0) or user != os.getuid():
        raise ValueError("peer")


def _frame(message: dict[str, Any]) -> bytes:
    """Masked, as a client's frames have to be."""
    data, mask = json.dumps(message).encode(), os.urandom(4)
    head = bytes([FINAL | TEXT, MASKED | len(data)]) if len(data) < SHORT else _long_head(len(data))
    return head + mask + bytes(_masked(data, mask))


def _long_head(size: int) -> bytes:
    return bytes([FINAL | TEXT, MASKED | SHORT]) + struct.pack(">H", size)


def _masked(data: bytes, mask: bytes) -> Iterator[int]:
    return (byte ^ mask[place % 4] for place, byte in enumerate(data))
