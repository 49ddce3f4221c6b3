"""A visit to the daemon: what it brings back, that it answers nothing, and that nobody there can hold it."""

from __future__ import annotations

import os
import struct
import time
from typing import TYPE_CHECKING

import pytest

from support.codex_daemon import TITLE_MAKER, FakeDaemon, greet, receive, send, thread
from watcher.clients.codex import visit as visits
from watcher.clients.codex.visit import Failed, visit

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from pathlib import Path

ASKS = ["initialize", "initialized", "thread/loaded/list", "thread/read"]


def test_it_brings_back_every_thread_that_is_loaded(tmp_path: Path) -> None:
    threads = [thread(1), thread(2, "active", "waitingOnApproval")]
    with FakeDaemon(tmp_path, threads) as daemon:
        assert visit(daemon.path, os.getpid()).threads == threads


def test_it_asks_four_questions_and_answers_none(tmp_path: Path) -> None:
    with FakeDaemon(tmp_path, [thread(1)]) as daemon:
        visit(daemon.path)
    assert [asked["method"] for asked in daemon.asked] == ASKS
    assert not any("result" in asked or "error" in asked for asked in daemon.asked)


def test_what_nothing_needs_to_be_known_of_is_not_asked_for(tmp_path: Path) -> None:
    helper = thread(2, ephemeral=True, id=TITLE_MAKER)
    with FakeDaemon(tmp_path, [thread(1), helper]) as daemon:
        told = visit(daemon.path, skip={TITLE_MAKER, "gone"})
    assert told == ([thread(1)], frozenset({TITLE_MAKER}), frozenset())


def test_a_thread_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    class Unloading(FakeDaemon):
        def _read(self, id_: str) -> dict[str, object]:
            return super()._read(id_) if id_ == thread(1)["id"] else {"error": {"code": -32600, "message": "gone"}}

    with Unloading(tmp_path, [thread(1), thread(2)]) as daemon:
        told = visit(daemon.path)
    assert [one["id"] for one in told.threads] == [thread(1)["id"]]
    assert told.unread == {thread(2)["id"]}


def test_of_too_many_threads_only_some_are_asked_for(tmp_path: Path) -> None:
    with FakeDaemon(tmp_path, [thread(number) for number in range(visits.MOST_THREADS + 5)]) as daemon:
        assert len(visit(daemon.path).threads) == visits.MOST_THREADS


def says_nothing(line: socket.socket) -> None:
    line.recv(1 << 16)
    line.recv(1 << 16)


def hangs_after_the_greeting(line: socket.socket) -> None:
    greet(line)
    while line.recv(1 << 16):
        pass


def closes(_line: socket.socket) -> None:
    return


def is_no_websocket(line: socket.socket) -> None:
    line.sendall(b"HTTP/1.1 403 Forbidden\r\n\r\n")


def has_an_endless_head(line: socket.socket) -> None:
    while True:
        line.sendall(b"x" * 4096)


def talks_without_end(line: socket.socket) -> None:
    greet(line)
    while True:
        send(line, {"method": "x", "params": "y" * 60_000})


def announces_a_huge_frame(line: socket.socket) -> None:
    greet(line)
    line.sendall(b"\x81\x7f" + struct.pack(">Q", 1 << 40))


def says_no_json(line: socket.socket) -> None:
    greet(line)
    send(line, b"{")


def is_nested_deep(line: socket.socket) -> None:
    greet(line)
    send(line, b"[" * 60_000)


def answers_with_other_types(line: socket.socket) -> None:
    greet(line)
    while True:
        send(line, {"id": receive(line).get("id"), "result": [1, 2]})


def lists_other_types(line: socket.socket) -> None:
    greet(line)
    while True:
        send(line, {"id": receive(line).get("id"), "result": {"data": 7}})


LIARS = [
    closes, is_no_websocket, has_an_endless_head, talks_without_end, announces_a_huge_frame, says_no_json,
    is_nested_deep, answers_with_other_types, lists_other_types,
]  # fmt: skip


@pytest.mark.parametrize("misbehave", LIARS)
def test_whoever_speaks_otherwise_has_told_nothing(misbehave: Callable[[socket.socket], None], tmp_path: Path) -> None:
    with FakeDaemon(tmp_path, [], misbehave) as daemon, pytest.raises(Failed):
        visit(daemon.path)


@pytest.mark.parametrize("misbehave", [says_nothing, hangs_after_the_greeting])
def test_nobody_holds_it_longer_than_it_may_last(misbehave: Callable[[socket.socket], None], tmp_path: Path) -> None:
    began = time.monotonic()
    with FakeDaemon(tmp_path, [], misbehave) as daemon:
        with pytest.raises(Failed, match="Timeout"):
            visit(daemon.path, patience_s=0.2)
        assert time.monotonic() - began >= 0.2


def test_a_socket_of_another_process_is_not_spoken_to(tmp_path: Path) -> None:
    with FakeDaemon(tmp_path, [thread(1)]) as daemon:
        with pytest.raises(Failed):
            visit(daemon.path, pid=1)
        assert daemon.asked == []


def test_what_is_no_socket_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name in ("fifo", "file", "loop", "nothing"):
        with pytest.raises(Failed):
            visit(str(tmp_path / name))
