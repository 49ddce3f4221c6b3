"""The collector as a process: one for each state folder, as long as there are machines to look at."""

import os
import shutil
import threading
import time
from pathlib import Path

import psutil

from contract import hosts, paths, store
from contract.status import WORKING
from fleet.incoming import Report
from fleet.mirror import Mirror
from statusbar.model.board import board
from support.collecting import Here, far, lines_of, script
from support.patience import until
from support.showing import just_now, put, watcher

STATES = '{"v": 1, "known": True, "version": "9.9", "now": time.time(), "sessions": []}'
SPEAKS = f"print(json.dumps({STATES}), flush=True); signal.pause()"


def test_it_takes_up_what_is_added_and_drops_what_is_removed(here: Here, tmp_path: Path) -> None:
    one, other = (script(tmp_path / name, SPEAKS) for name in ("a.py", "b.py"))
    here.looks_at(a=one)
    collector = here.collect()
    here.speaks("a")
    before = lines_of(collector.pid)
    here.looks_at(a=one, b=other)
    here.speaks("b")
    assert set(before) <= set(lines_of(collector.pid)), "what did not change is left alone"
    here.looks_at(b=other)
    until(lambda: set(here.hosts()) == {"b"} and len(lines_of(collector.pid)) == 1, lambda: str(here.hosts()))
    until(lambda: not os.path.exists(paths.host_dir(here.state, "a")), "the end of its folder, file by file")
    assert not set(before) & set(lines_of(collector.pid))


def test_a_command_that_was_changed_is_called_anew(here: Here, tmp_path: Path) -> None:
    here.looks_at(a=script(tmp_path / "a.py", SPEAKS))
    here.collect()
    assert here.speaks("a").version == "9.9"
    here.looks_at(a=script(tmp_path / "new.py", SPEAKS.replace("9.9", "8.8")))
    until(lambda: "a" in here.hosts() and here.hosts()["a"].version == "8.8", lambda: str(here.hosts()))


def test_a_broken_file_changes_nothing_until_it_is_mended(here: Here, tmp_path: Path) -> None:
    command = script(tmp_path / "a.py", SPEAKS)
    here.looks_at(a=command)
    here.collect()
    here.speaks("a")
    store.replace(str(here.chosen), b"[a\n")
    until(lambda: "hosts.toml" in here.log(), "a line in the log")
    assert here.hosts()["a"].speaks
    here.looks_at(a=command, b=command)
    here.speaks("b")


def test_one_that_starts_beside_a_broken_file_believes_nothing_that_was_heard_before(here: Here) -> None:
    """Else the last states of a machine that nobody asks would be shown as true."""
    made = Mirror(here.state, "box", "ssh box", time.time())
    made.says(Report((just_now("s1", WORKING),), known=True, version="1"), 0.0, time.time())
    store.replace(str(here.chosen), b"[box\n")
    here.collect()
    host = here.is_lost("box")
    assert "hosts.toml" in host.why
    here.shows("s1@box")


def test_the_last_machine_takes_the_collector_with_it(here: Here, tmp_path: Path) -> None:
    here.looks_at(a=script(tmp_path / "a.py", SPEAKS))
    collector = here.collect()
    here.speaks("a")
    store.remove(str(here.chosen))
    assert collector.wait() == 0
    assert here.hosts() == {}
    assert not os.path.exists(paths.collector(here.state))


def test_machines_that_were_removed_while_none_ran_are_forgotten(here: Here, tmp_path: Path) -> None:
    """Also those whose folder is not called as they are."""
    for name in ("old", "Old.Box"):
        Mirror(here.state, name, "ssh old", time.time())
    here.looks_at(a=script(tmp_path / "a.py", SPEAKS))
    here.collect()
    here.speaks("a")
    assert set(here.hosts()) == {"a"}


def test_there_is_one(here: Here, tmp_path: Path) -> None:
    here.looks_at(a=script(tmp_path / "a.py", SPEAKS))
    first = here.collect()
    here.speaks("a")
    second = here.collect()
    assert second.wait() == 1
    assert second.stderr
    assert b"a collector runs already" in second.stderr.read()
    assert first.poll() is None


def test_who_asks_whether_one_runs_does_not_keep_one_from_starting(here: Here, tmp_path: Path) -> None:
    here.looks_at(a=script(tmp_path / "a.py", SPEAKS))
    over = threading.Event()

    def ask() -> None:
        while not over.is_set():
            store.is_locked(paths.collector_lock(here.state))

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        collector = here.collect()
        here.speaks("a")
    finally:
        over.set()
        asking.join()
    assert collector.poll() is None


def test_after_a_kill_a_front_end_starts_another_one(here: Here, tmp_path: Path) -> None:
    box = tmp_path / "box"
    put(box, just_now("s1", WORKING))
    put(here.home, just_now("mine", WORKING))
    with watcher(here.home), watcher(box):
        here.looks_at(box=far(box))
        collector = here.collect()
        here.shows("s1@box")
        collector.kill()
        collector.wait()
        drawn = board(here.read(), time.time())
        assert [row.is_old for row in drawn.rows if row.host] == [True], "nothing is called known meanwhile"
        here.run("status", YOURTURN_NO_WATCHER="0")
        host = here.speaks("box")
        here.shows("s1@box")
        until(lambda: "box" in here.read().speaking(time.time()))
        beat = hosts.collector(here.state).heartbeat
    assert host.reached
    assert beat
    assert beat.pid != collector.pid


def test_a_state_folder_that_was_removed_is_not_made_again(here: Here, tmp_path: Path) -> None:
    here.looks_at(a=script(tmp_path / "a.py", SPEAKS))
    collector = here.collect()
    here.speaks("a")
    shutil.rmtree(here.state)
    assert collector.wait() == 0
    assert not os.path.exists(here.state)


def test_another_version_takes_its_place(here: Here, tmp_path: Path) -> None:
    """It ends when the file that says the version is replaced; whoever needs one starts the new one."""
    version = tmp_path / "version.py"
    version.write_text("VERSION = '1'\n")
    here.looks_at(a=script(tmp_path / "a.py", SPEAKS))
    collector = here.collect(f"from contract import version as v; v.__file__ = {str(version)!r}")
    here.speaks("a")
    store.replace(str(version), b"VERSION = '2'\n")
    assert collector.wait() == 0


def test_a_polite_end_ends_its_connections_and_its_heartbeat(here: Here, tmp_path: Path) -> None:
    here.looks_at(a=script(tmp_path / "a.py", SPEAKS))
    collector = here.collect()
    here.speaks("a")
    lines = lines_of(collector.pid)
    assert lines
    collector.terminate()
    assert collector.wait() == 0
    assert not any(map(psutil.pid_exists, lines))
    assert not os.path.exists(paths.collector(here.state))


def test_a_folder_that_cannot_be_made_is_tried_again(here: Here, tmp_path: Path) -> None:
    """As on a full disk: neither this machine nor the others are given up."""
    in_the_way = Path(paths.host_dir(here.state, "a"))
    store.private_folder(str(in_the_way.parent))
    in_the_way.touch()
    here.looks_at(a=script(tmp_path / "a.py", SPEAKS), b=script(tmp_path / "b.py", SPEAKS))
    here.collect()
    here.speaks("b")
    in_the_way.unlink()
    here.speaks("a")


def test_its_files_are_for_its_owner_only(here: Here, tmp_path: Path) -> None:
    here.looks_at(a=script(tmp_path / "a.py", SPEAKS))
    here.collect()
    here.speaks("a")
    until(lambda: os.path.exists(paths.collector(here.state)))
    for path in here.home.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path
