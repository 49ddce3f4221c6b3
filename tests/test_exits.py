"""Ends of processes, told as they happen."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from watcher import exits
from watcher.exits import Exits

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has descriptors for processes")
PATIENCE_S = 10.0


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
    heard.exits.watch({process.pid})
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
