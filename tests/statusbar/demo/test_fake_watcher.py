"""The demo's own state folder: one that a watcher seems to keep, and that is gone afterwards."""

import contextlib
import json
import os
import signal
import tempfile
from pathlib import Path

import pytest

from contract import paths, store
from contract.pulse import Watcher
from contract.status import NEEDS_APPROVAL, WORKING
from statusbar.demo.fake_watcher import FakeWatcher
from statusbar.demo.scenario import sessions
from statusbar.model import reader
from statusbar.settings import settings


def test_in_the_demos_folder_a_watcher_lives_and_no_other_can_start() -> None:
    with FakeWatcher() as watcher:
        watcher.write(sessions(0, 1000.0), 1000.0)
        found = reader.read(watcher.home)
        assert len(found.sessions) == len(sessions(0))
        assert found.watcher(1000.0) is Watcher.ALIVE
        assert store.take(paths.watcher_lock(watcher.home)) is None
        assert not settings.load({"YOURTURN_HOME": watcher.home}).enabled, "nobody is called to an agent that is none"
        assert oct(os.stat(watcher.home).st_mode & 0o777) == "0o700"


def test_who_is_interrupted_while_the_folder_is_made_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(path: str, data: bytes) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(store, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt), FakeWatcher():
        pass
    assert list(tmp_path.iterdir()) == []


def test_the_heart_beats_on_while_nothing_happens() -> None:
    with FakeWatcher() as watcher:
        for now in range(1000, 1100, 5):
            watcher.write((), float(now))
            assert reader.read(watcher.home).watcher(now + 1.0) is Watcher.ALIVE


def test_the_file_of_an_ended_session_is_removed_and_the_others_are_not_written_again() -> None:
    with FakeWatcher() as watcher:
        watcher.write(sessions(60, 1000.0), 1000.0)
        before = {path: path.stat().st_ino for path in Path(watcher.home, "status").iterdir()}
        watcher.write(sessions(66.5, 1000.0), 1006.5)
        after = {path: path.stat().st_ino for path in Path(watcher.home, "status").iterdir()}
        gone = before.keys() - after.keys()
        assert [path.name for path in gone] == ["hotfix.json"]
        assert after[Path(watcher.home, "status", "shop.json")] == before[Path(watcher.home, "status/shop.json")]


def test_the_log_tells_what_happened_in_the_demo() -> None:
    with FakeWatcher() as watcher:
        watcher.write(sessions(20, 1000.0), 1000.0)
        before = Path(paths.observations(watcher.home)).read_text().splitlines()
        watcher.write(sessions(23, 1000.0), 1003.0)
        (news,) = Path(paths.observations(watcher.home)).read_text().splitlines()[len(before) :]
    found = json.loads(news)
    assert (found["session"], found["agent"], found["by"]) == ("shop", "c3d2", "approval-asked")
    assert (found["kind"], found["from"], found["to"]) == ("status_changed", WORKING, NEEDS_APPROVAL)


def test_nothing_is_left_of_the_folder_even_if_the_demo_fails() -> None:
    with contextlib.suppress(RuntimeError), FakeWatcher() as watcher:
        watcher.write(sessions(0), 0.0)
        assert os.path.exists(watcher.home)
        raise RuntimeError
    assert not os.path.exists(watcher.home)
