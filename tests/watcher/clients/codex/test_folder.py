"""The sessions of the daemon as the watcher lists them, and how often it is visited for that."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from processes.table import Probe
from support.codex_daemon import FakeDaemon, thread
from watcher.clients.codex import folder as folders
from watcher.clients.codex.daemon_file import decode
from watcher.clients.codex.folder import CodexFolder
from watcher.clients.codex.terminals import Terminal, Terminals
from watcher.clients.codex.visitor import Visitor
from watcher.clock import Clock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from watcher.clients.base import Entry

NOW = 2_000_000_000.0
APPROVAL = "waitingOnApproval"


def at_once(work: Callable[[], None]) -> None:
    work()


class Known(Terminals):
    """Terminals that the test names."""

    def __init__(self) -> None:
        self.there: tuple[Terminal, ...] = ()

    def forget(self) -> None:
        return

    def look(self, *_: object) -> tuple[Terminal, ...]:
        return self.there


class Stage:
    def __init__(self, path: Path) -> None:
        self.config = path / ".codex"
        self.daemon = FakeDaemon(self.config, [])
        self.folder = CodexFolder(str(self.config), Probe(), Clock(), Visitor(at_once))
        self.terminals = self.folder._terminals = Known()
        self.now = NOW

    def lock(self, number: int = 1) -> None:
        locks = self.config / "thread-writer-locks"
        locks.mkdir(exist_ok=True)
        (locks / f"{thread(number)['id']}.lock").touch()

    def poll(self, after: float = 0.0) -> dict[str, Entry]:
        """Two looks: one begins a visit, the next one hears of it."""
        self.now += after
        self.folder.entries(self.now, {})
        return {entry.session_id[-2:]: entry for entry in self.folder.entries(self.now, {})}

    def visits(self, after: float) -> int:
        """How many there are in so many seconds, if somebody looks all the time."""
        before, end = self._count(), self.now + after
        while self.now < end:
            self.now += 0.05
            self.folder.entries(self.now, {}, ())
        return self._count() - before

    def _count(self) -> int:
        return sum(asked["method"] == "initialize" for asked in self.daemon.asked)


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(tmp_path)
    with stage.daemon:
        yield stage


def test_a_daemon_is_never_visited_before_it_has_a_thread(stage: Stage) -> None:
    stage.daemon.threads = [thread(1)]
    assert stage.poll() == {}
    assert stage.poll(after=100) == {}
    assert stage.daemon.asked == []
    stage.lock()
    stage.poll()
    assert list(stage.poll(after=1)) == ["01"]


def test_each_session_is_listed_with_the_daemons_process(stage: Stage) -> None:
    stage.lock()
    stage.daemon.threads = [thread(1), thread(2, "active"), thread(3, "active", APPROVAL, name="a title")]
    stage.poll()
    found = stage.poll(after=1)
    assert {name: entry.status for name, entry in found.items()} == {"01": "idle", "02": "busy", "03": "waiting"}
    assert (found["03"].pid, found["03"].waiting_for, found["03"].title) == (
        os.getpid(),
        "permission prompt",
        "a title",
    )


def test_a_session_stands_so_since_before_it_was_seen(stage: Stage) -> None:
    """What is asked after a visit that said otherwise may be open now."""
    stage.lock()
    stage.daemon.threads = [thread(1)]
    stage.poll()
    stage.poll(after=1)
    visited = stage.folder.complete_at
    stage.daemon.threads = [thread(1, "active")]
    stage.folder.heard(stage.now)
    assert stage.poll(after=1)["01"].status_at == max(visited, stage.now - 1 - folders.TOLD_S)


def test_one_that_cannot_be_read_for_a_moment_stays_as_it_was(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.lock()
    stage.daemon.threads = [thread(1)]
    stage.poll()
    assert stage.poll(after=1)["01"].status == "idle"
    monkeypatch.setattr(stage.daemon, "_read", lambda _id: {"error": {"code": -32600, "message": "no rollout yet"}})
    stage.folder.heard(stage.now)
    assert stage.poll(after=1)["01"].status == "idle"


def test_without_a_daemon_nobody_is_listed(stage: Stage) -> None:
    stage.lock()
    stage.daemon.threads = [thread(1)]
    stage.poll()
    assert stage.poll(after=1)
    (stage.config / "app-server-daemon" / "daemon.pid").unlink()
    assert stage.poll(after=1) == {}
    assert stage.folder.rest(stage.now) is None


def test_a_socket_that_fails_is_asked_less_and_less_and_what_it_said_is_no_present_any_more(stage: Stage) -> None:
    stage.lock()
    stage.daemon.threads = [thread(1, "active")]
    stage.poll()
    assert stage.poll(after=1)["01"].status == "busy"
    os.unlink(stage.daemon.path)
    for _ in range(20):
        stage.poll(after=2)
    assert stage.poll()["01"].status is None
    assert stage.folder._failures < 9


def test_it_is_visited_when_something_can_have_changed_and_seldom_else(stage: Stage) -> None:
    stage.lock()
    stage.daemon.threads = [thread(1)]
    stage.poll()
    stage.visits(2)
    assert stage.visits(60) <= 4
    stage.folder.heard(stage.now)
    assert stage.visits(1.5) == 2
    stage.daemon.threads = [thread(1, "active", APPROVAL)]
    stage.folder.heard(stage.now)
    assert stage.visits(4) >= 7
    assert stage.visits(40) < 90
    assert stage.visits(10) <= 10


def shown(stage: Stage, *threads: dict[str, Any]) -> dict[str, tuple[int, bool, bool]]:
    stage.lock()
    stage.daemon.threads = list(threads)
    stage.poll()
    found = stage.poll(after=1)
    return {name: (entry.shown_by, entry.is_unseen, entry.is_left) for name, entry in found.items()}


def test_the_only_terminal_of_its_folder_shows_the_one_that_was_used_last(stage: Stage) -> None:
    stage.terminals.there = (Terminal(50, "1", "/home/me/proj"),)
    assert shown(stage, thread(1), thread(2)) == {"01": (50, False, True), "02": (50, False, False)}


def test_of_two_terminals_nobody_knows_which_shows_what(stage: Stage) -> None:
    stage.terminals.there = (Terminal(50, "1", "/home/me/proj"), Terminal(51, "1", ""))
    told = shown(stage, thread(1), thread(2), thread(3))
    assert set(told.values()) == {(0, False, False)}


def test_without_a_terminal_who_rests_is_left_and_who_asks_is_not_seen(stage: Stage) -> None:
    told = shown(stage, thread(1), thread(2, "active"), thread(3, "active", APPROVAL))
    assert told == {"01": (0, True, True), "02": (0, True, False), "03": (0, True, False)}


def test_one_of_another_program_is_where_that_shows_it(stage: Stage) -> None:
    assert shown(stage, thread(1, originator="codex_vscode")) == {"01": (0, False, False)}


@pytest.mark.parametrize(
    "odd",
    [b"", b"{", b"[]", b"7", b'{"pid":true}', b'{"pid":-1}', b'{"pid":"7"}', b'{"pid":1' + b" " * 99_999 + b"}"],
)
def test_a_pid_file_that_names_no_process_is_none(odd: bytes) -> None:
    assert decode(odd, "/s") is None


def test_a_daemon_of_an_earlier_boot_is_none() -> None:
    other = {"pid": 7, "processIdentity": {"bootId": "another", "startTicks": 5}}
    assert decode(json.dumps(other).encode(), "/s") is None
    assert decode(b'{"pid":7,"processIdentity":{"startTicks":"x"}}', "/s") == (7, "", "/s", 0.0)
