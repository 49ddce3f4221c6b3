"""Copilot CLI's list of open sessions: whose processes they are, what it says of each, and what is none."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from processes.table import Probe
from support.families import spawn, until_zombie
from watcher.clients.copilot.registry import LARGEST, MOST, WRITTEN_S, OpenSessions, Workspace, decode, workspace
from watcher.clock import Clock

if TYPE_CHECKING:
    from pathlib import Path

    from watcher.clients.base import Entry

ME = os.getpid()
LATER = 4e9  # long after any file of a test was written
ONE, TWO = "2026-11-16T09:36:52.740Z", "2026-11-16T09:36:57.504Z"


def session(working: Any = False, at: str = ONE, **more: Any) -> dict[str, Any]:
    return {"schemaVersion": 1, "openedAt": ONE, "refreshedAt": at, "working": working, **more}


def put(folder: Path, **sessions: Any) -> None:
    """In the place of the last one, as the client does."""
    (folder / "new").write_text(json.dumps(sessions))
    (folder / "new").replace(folder / "open-sessions-state.json")


def lock(folder: Path, name: str = "s1", pid: int = ME) -> Path:
    path = folder / "session-state" / name / f"inuse.{pid}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{pid}\n")
    return path


def read(folder: Path) -> tuple[Entry, ...]:
    return OpenSessions(str(folder), Probe(), Clock()).read(LATER)


def test_a_session_whose_process_lives_is_busy_or_idle(tmp_path: Path) -> None:
    lock(tmp_path)
    put(tmp_path, s1=session(working=True, at=TWO))
    (busy,) = read(tmp_path)
    assert (busy.pid, busy.session_id, busy.status) == (ME, "s1", "busy")
    assert not busy.tells_dialogs
    put(tmp_path, s1=session(working=False))
    assert read(tmp_path)[0].status == "idle"


def test_what_it_says_holds_since_it_was_first_said(tmp_path: Path) -> None:
    lock(tmp_path)
    listed = OpenSessions(str(tmp_path), Probe(), Clock())
    put(tmp_path, s1=session(working=True, at=ONE))
    first = listed.read(LATER)
    put(tmp_path, s1=session(working=True, at=TWO))
    assert listed.read(LATER) is first
    put(tmp_path, s1=session(working=False, at=TWO))
    assert listed.read(LATER)[0].status_at == 1794821817.504


def test_that_it_works_was_so_a_moment_before_it_is_written(tmp_path: Path) -> None:
    """A person may have interrupted it in between."""
    lock(tmp_path)
    put(tmp_path, s1=session(working=True, at=TWO))
    assert read(tmp_path)[0].status_at == 1794821817.504 - WRITTEN_S


def test_a_lock_that_comes_later_is_found(tmp_path: Path) -> None:
    listed = OpenSessions(str(tmp_path), Probe(), Clock())
    put(tmp_path, s1=session())
    assert listed.read(LATER) == ()
    lock(tmp_path)
    assert [entry.session_id for entry in listed.read(LATER)] == ["s1"]


def test_a_client_that_was_killed_leaves_an_entry_that_is_nobodys(tmp_path: Path) -> None:
    with spawn(["sleep", "60"]) as process:
        lock(tmp_path, pid=process.pid)
        put(tmp_path, s1=session(working=True))
        assert [entry.pid for entry in read(tmp_path)] == [process.pid]
        process.kill()
        until_zombie(process)
        assert read(tmp_path) == ()


def test_a_process_that_began_after_the_lock_is_a_stranger(tmp_path: Path) -> None:
    os.utime(lock(tmp_path), (1e9, 1e9))
    put(tmp_path, s1=session())
    assert read(tmp_path) == ()


def test_two_processes_may_have_one_session_open_and_one_two_sessions(tmp_path: Path) -> None:
    put(tmp_path, s1=session(), s2=session())
    with spawn(["sleep", "60"]) as process:
        lock(tmp_path, pid=process.pid)
        lock(tmp_path)
        lock(tmp_path, "s2")
        assert [(entry.session_id, entry.pid) for entry in read(tmp_path)] == [
            *sorted([("s1", ME), ("s1", process.pid)]),
            ("s2", ME),
        ]


def test_half_a_write_leaves_what_was_true_a_moment_ago(tmp_path: Path) -> None:
    lock(tmp_path)
    listed = OpenSessions(str(tmp_path), Probe(), Clock())
    put(tmp_path, s1=session())
    known = listed.read(LATER)
    (tmp_path / "open-sessions-state.json").write_text('{"s1": {"work')
    assert listed.read(LATER) is known
    (tmp_path / "open-sessions-state.json").unlink()
    assert listed.read(LATER) == ()


@pytest.mark.parametrize("name", ["../s1", "..", "", "s/1", "s\0", "x" * 200, "s 1"])
def test_no_session_leads_out_of_the_folder(name: str) -> None:
    assert decode(json.dumps({name: session()}).encode()) == ()


@pytest.mark.parametrize("junk", [None, 7, [], "x", {}, {"working": "yes", "refreshedAt": 7, "openedAt": "soon"}])
def test_fields_of_the_wrong_type_say_nothing(tmp_path: Path, junk: Any) -> None:
    lock(tmp_path)
    put(tmp_path, s1=junk)
    assert [(entry.status, entry.status_at) for entry in read(tmp_path)] in ([], [(None, None)])


def test_what_is_no_list_of_sessions_is_not_read_as_an_empty_one() -> None:
    assert [decode(data) for data in (b"", b"[]", b"7", b"{", b"\xff\xfe")] == [None] * 5


def test_neither_a_link_nor_a_file_too_large_is_read(tmp_path: Path) -> None:
    lock(tmp_path)
    path = tmp_path / "open-sessions-state.json"
    (tmp_path / "elsewhere").write_text(json.dumps({"s1": session()}))
    path.symlink_to(tmp_path / "elsewhere")
    assert read(tmp_path) == ()
    path.unlink()
    path.write_text(json.dumps({"s1": session(), "x": " " * LARGEST}))
    assert read(tmp_path) == ()


def test_a_lock_that_is_a_link_or_has_another_name_is_none(tmp_path: Path) -> None:
    made = lock(tmp_path)
    put(tmp_path, s1=session())
    made.rename(made.parent / "other")
    made.symlink_to(made.parent / "other")
    for name in ("inuse.0.lock", "inuse.x.lock", f"inuse.{ME}.lock.bak", f"inuse.{'9' * 12}.lock"):
        (made.parent / name).write_text("x")
    assert read(tmp_path) == ()


def test_of_very_many_sessions_the_newest_are_kept() -> None:
    many = {f"s{k}": session(openedAt=f"2026-11-16T09:{k // 60:02}:{k % 60:02}.000Z") for k in range(MOST + 9)}
    kept = decode(json.dumps(many).encode())
    assert kept is not None
    assert [one.id for one in kept] == [f"s{k}" for k in range(9, MOST + 9)]


def test_the_folder_is_told_and_a_title_only_if_a_person_chose_it(tmp_path: Path) -> None:
    (lock(tmp_path).parent / "workspace.yaml").write_text(
        "id: s1\ncwd: /home/me/my proj\nname: play\nuser_named: true\n"
    )
    put(tmp_path, s1=session())
    assert [(entry.cwd, entry.title) for entry in read(tmp_path)] == [("/home/me/my proj", "play")]
    assert workspace(b"cwd: /home/me\nname: a prompt\nuser_named: false\n") == Workspace("/home/me", "")
    assert workspace(b'cwd: "/home/me\\n"\nname: x\n') == Workspace()
    assert workspace(b"cwd: /home/\xff\n\xff: x\n") == Workspace()
