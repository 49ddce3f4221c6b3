"""Ends of processes, told as they happen."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from processes import exits
from processes.exits import Exits
from support.patience import PATIENCE_S

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has descriptors for processes")


class Heard:
    def __init__(self) -> None:
        self.event, self.times = threading.Event(), 0
        self.exits = Exits(self._hear)

    def _hear(self) -> None:
        self.times += 1
        self.event.set()


@pytest.fixture
def heard() -> Iterator[Heard]:
    made = Heard()
    made.exits.start()
    yield made
    made.exits.stop()


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "600"]) as made:
        yield made
        made.kill()


def test_an_end_is_told_at_once_though_nobody_has_waited_for_the_process(
    heard: Heard, process: subprocess.Popen[bytes]
) -> None:
    heard.exits.watch({process.pid})
    assert not heard.event.is_set()
    process.kill()
    assert heard.event.wait(PATIENCE_S)


def test_an_end_is_told_once(heard: Heard, process: subprocess.Popen[bytes]) -> None:
    with subprocess.Popen(["sleep", "600"]) as second:
        heard.exits.watch({process.pid, second.pid})
        process.kill()
        assert heard.event.wait(PATIENCE_S)
        heard.event.clear()
        second.kill()
        assert heard.event.wait(PATIENCE_S)
    assert heard.times == 2


def test_an_end_is_not_told_again_while_nobody_waits_for_the_process(
    heard: Heard, process: subprocess.Popen[bytes]
) -> None:
    heard.exits.watch({process.pid})
    process.kill()
    assert heard.event.wait(PATIENCE_S)
    with subprocess.Popen(["sleep", "600"]) as second:
        for _ in range(100):
            heard.exits.watch({process.pid, second.pid})
        heard.event.clear()
        second.kill()
        assert heard.event.wait(PATIENCE_S)
    assert heard.times == 2


def test_who_is_not_watched_any_more_is_not_told_of(heard: Heard, process: subprocess.Popen[bytes]) -> None:
    with subprocess.Popen(["sleep", "600"]) as second:
        heard.exits.watch({process.pid})
        heard.exits.watch({second.pid})
        process.kill()
        process.wait()
        second.kill()
        assert heard.event.wait(PATIENCE_S)
    assert heard.times == 1


def test_no_descriptor_is_left_behind_and_never_too_many_are_taken(
    heard: Heard, process: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def count() -> int:
        return len(os.listdir("/proc/self/fd"))

    before = count()
    ended = subprocess.Popen(["true"])
    ended.wait()
    heard.exits.watch({os.getpid(), ended.pid})
    assert count() == before + 1, "one that is gone takes none"
    monkeypatch.setattr(exits, "MOST", 1)
    heard.exits.watch({os.getpid(), process.pid})
    assert count() == before + 1
    heard.exits.watch(set())
    assert count() == before


def test_those_that_are_gone_take_nobodys_place(heard: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exits, "MOST", 1)
    gone = []
    for _ in range(3):
        with subprocess.Popen(["true"]) as one:
            gone.append(one.pid)
    with subprocess.Popen(["sleep", "600"]) as process:
        heard.exits.watch({*gone, process.pid})
        process.kill()
        assert heard.event.wait(PATIENCE_S)


def test_where_python_knows_no_such_call_the_poll_must_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open")
    made = Heard()
    made.exits.start()
    made.exits.watch({os.getpid()})
    made.exits.stop()


def test_of_an_ended_process_the_descriptor_is_given_back(heard: Heard, process: subprocess.Popen[bytes]) -> None:
    before = len(os.listdir("/proc/self/fd"))
    heard.exits.watch({process.pid})
    process.kill()
    process.wait()
    assert heard.event.wait(PATIENCE_S)
    heard.exits.watch({process.pid})
    assert len(os.listdir("/proc/self/fd")) == before
