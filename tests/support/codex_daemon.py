"""What stands for Codex's daemon: its pid file, and a socket that answers a visitor as the real one was seen to.

Also as a process of its own, for measurements: `main` serves so many threads that rest.
"""

from __future__ import annotations

import json
import os
import socket
import struct
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from processes.identity import start_of

if TYPE_CHECKING:
    from collections.abc import Callable

    Message = dict[str, Any]

TITLE_MAKER = "00000000-0000-7000-8000-00000000ffff"


def thread(number: int, status: str = "idle", *flags: str, **more: Any) -> Message:
    """As `thread/read` describes one."""
    id_ = f"01a1e3c5-d222-77d1-b9a2-{number:012d}"
    state = {"type": status, **({"activeFlags": list(flags)} if status == "active" else {})}
    known = {"id": id_, "sessionId": id_, "parentThreadId": None, "ephemeral": False, "cwd": "/home/me/proj"}
    told = {"preview": "x" * 200, "createdAt": 1_794_822_754 + number, "originator": "codex-tui", "name": None}
    return {**known, **told, "status": state, "path": f"/home/me/rollout-{id_}.jsonl", **more}


class FakeDaemon:
    """`asked` has every message that came, so that a test can say that nothing was ever answered."""

    def __init__(
        self, folder: Path, threads: list[Message], misbehave: Callable[[socket.socket], None] | None = None
    ) -> None:
        self.threads, self.asked, self._misbehave = threads, list[dict[str, Any]](), misbehave
        control = folder / "app-server-control"
        control.mkdir(parents=True)
        self.path = str(control / "app-server-control.sock")
        self._socket = socket.socket(socket.AF_UNIX)
        self._short = tempfile.TemporaryDirectory()  # the path of a socket may not be long
        self._socket.bind(f"{self._short.name}/socket")
        os.symlink(f"{self._short.name}/socket", self.path)
        self._socket.listen()
        (folder / "app-server-daemon").mkdir()
        identity = {"startTicks": int(start_of(os.getpid()) or 0)} if sys.platform == "linux" else {}
        pid_file = {"pid": os.getpid(), "processIdentity": identity}
        (folder / "app-server-daemon" / "daemon.pid").write_text(json.dumps(pid_file))
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()
        self._short.cleanup()

    def _serve(self) -> None:
        while True:
            try:
                line, _ = self._socket.accept()
            except OSError:
                return
            with line, suppress(OSError, EOFError):
                (self._misbehave or self._answer)(line)

    def _answer(self, line: socket.socket) -> None:
        greet(line)
        send(line, {"method": "remoteControl/status/changed", "params": {}})
        # To whoever stays the real one sends requests that an answer would decide.
        send(line, {"id": 1, "method": "item/commandExecution/requestApproval", "params": {"threadId": "t"}})
        while True:
            asked = receive(line)
            self.asked.append(asked)
            if "id" in asked:
                send(line, {"id": asked["id"], **self._result(asked)})

    def _result(self, asked: Message) -> Message:
        if asked["method"] == "thread/loaded/list":
            return {"result": {"data": [one["id"] for one in self.threads], "nextCursor": None}}
        if asked["method"] == "thread/read":
            return self._read(asked["params"]["threadId"])
        return {"result": {"userAgent": "fake"}}

    def _read(self, id_: str) -> Message:
        found = [one for one in self.threads if one["id"] == id_]
        return {"result": {"thread": found[0]}} if found else {"error": {"code": -32600, "message": "no such"}}


def greet(line: socket.socket) -> None:
    head = b""
    while b"\r\n\r\n" not in head:
        head += _exactly(line, 1)
    line.sendall(b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n")


def send(line: socket.socket, message: Any) -> None:
    data = message if isinstance(message, bytes) else json.dumps(message).encode()
    size = bytes([len(data)]) if len(data) < 126 else b"\x7e" + struct.pack(">H", len(data))
    line.sendall(b"\x81" + size + data)


def receive(line: socket.socket) -> Message:
    """A client's frame: masked."""
    head = _exactly(line, 2)
    size = head[1] & 127
    if size == 126:
        (size,) = struct.unpack(">H", _exactly(line, 2))
    mask, data = _exactly(line, 4), _exactly(line, size)
    told: Message = json.loads(bytes(byte ^ mask[place % 4] for place, byte in enumerate(data)))
    return told


def _exactly(line: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = line.recv(size - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def main(folder: str, number: str) -> None:
    """Until its input ends."""
    threads = [thread(one) for one in range(int(number))]
    locks = Path(folder) / "thread-writer-locks"
    locks.mkdir(parents=True)
    with FakeDaemon(Path(folder), threads):
        for one in threads:
            (locks / f"{one['id']}.lock").touch()
        print("ready", flush=True)
        sys.stdin.read()
