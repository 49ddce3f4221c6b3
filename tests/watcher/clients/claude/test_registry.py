"""What the client says of itself, read with care."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from processes.identity import start_of
from processes.process import Proc
from processes.procfs import Procfs
from processes.table import Probe
from support.families import spawn, until_zombie
from support.watching import counted_stats
from watcher.clients.base import Entry
from watcher.clients.claude.registry import AT_ONCE, LARGEST, Registry, decode

if TYPE_CHECKING:
    from pathlib import Path

ME = os.getpid()
SESSION = "d4f10125-b74f-4a25-b97b-96cbb6a86b7e"
CAPTURED = {
    "pid": 8929, "sessionId": SESSION, "cwd": "/home/me/proj", "startedAt": 1794796315517, "procStart": "86529",
    "version": "2.1.325", "peerFeatures": ["notify_idle"], "kind": "interactive", "entrypoint": "cli",
    "pidDomain": "linux:3d12:pid:[4026531836]", "asksForConvertedSkills": None, "tmux": "m:@0.%0", "name": "proj-5a",
    "nameSource": "derived", "status": "waiting", "statusUpdatedAt": 1794796320194, "waitingFor": "permission prompt",
}  # fmt: skip
LATER = 4e9  # long after any file of a test was written


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "sessions"
    made.mkdir()
    return made


def put(folder: Path, pid: int = ME, *, start: str | None = None, **more: Any) -> Path:
    raw = {**CAPTURED, "pid": pid, "procStart": start or start_of(pid), **more}
    path = folder / f"{pid}.json"
    path.write_text(json.dumps(raw))
    return path


def read(folder: Path) -> tuple[Entry, ...]:
    return Registry(str(folder)).read(LATER)


def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files opened from now on."""
    names: list[str] = []
    real = os.open

    def spy(path: Any, *args: Any, **more: Any) -> int:
        names.append(os.path.basename(path))
        return real(path, *args, **more)

    monkeypatch.setattr(os, "open", spy)
    return names


def test_an_entry_is_read_as_the_client_wrote_it() -> None:
    assert decode(json.dumps(CAPTURED).encode()) == Entry(
        pid=8929,
        session_id=SESSION,
        cwd="/home/me/proj",
        proc_start="86529",
        status="waiting",
        waiting_for="permission prompt",
        status_at=1794796320.194,
        started_at=1794796315.517,
        entrypoint="cli",
        title="proj-5a",
        pane="%0",
    )


def test_an_entry_before_the_first_prompt_has_no_status() -> None:
    entry = decode(b'{"pid": 5, "sessionId": "s"}')
    assert entry == Entry(pid=5, session_id="s")
    assert entry.status is None


def test_a_status_of_a_later_client_is_kept() -> None:
    entry = decode(json.dumps({**CAPTURED, "status": "dreaming"}).encode())
    assert entry
    assert entry.status == "dreaming"


@pytest.mark.parametrize("kind", [{"kind": "bg", "spare": True}, {"kind": "daemon"}, {"kind": "daemon-worker"}])
def test_a_client_that_serves_others_or_was_started_ahead_has_no_session(kind: dict[str, Any]) -> None:
    entry = decode(json.dumps({**CAPTURED, **kind}).encode())
    assert entry
    assert not entry.has_session


def test_of_a_session_in_the_background_the_name_is_the_prompts_and_no_title() -> None:
    entry = decode(json.dumps({**CAPTURED, "kind": "bg"}).encode())
    assert entry
    assert entry.has_session
    assert entry.title == ""


@pytest.mark.parametrize(
    "field", ["cwd", "procStart", "status", "waitingFor", "statusUpdatedAt", "startedAt", "kind", "name"]
)
@pytest.mark.parametrize("value", [None, True, [], {"a": 1}, -1, float("nan"), float("inf"), 10**400, ["x"]])
def test_a_field_of_another_type_is_as_good_as_missing(field: str, value: Any) -> None:
    without = {name: kept for name, kept in CAPTURED.items() if name != field}
    assert decode(json.dumps({**CAPTURED, field: value}).encode()) == decode(json.dumps(without).encode())


@pytest.mark.parametrize("pid", [None, 0, -5, True, 1.5, "8929", [1]])
def test_without_a_pid_there_is_no_entry(pid: Any) -> None:
    assert decode(json.dumps({**CAPTURED, "pid": pid}).encode()) is None


@pytest.mark.parametrize("session", [None, "", 5, "\x00\n"])
def test_without_a_session_there_is_no_entry(session: Any) -> None:
    assert decode(json.dumps({**CAPTURED, "sessionId": session}).encode()) is None


def test_texts_can_always_be_shown_and_written_down_again() -> None:
    hostile = {"name": "a\x1b[31m\u202eb\ud800", "cwd": "/x\ud800", "status": "busy\n"}
    entry = decode(json.dumps({**CAPTURED, **hostile}).encode())
    assert entry
    assert entry.title
    assert entry.title.isprintable()
    assert (entry.cwd, entry.status) == ("", "busy")
    assert "".join([entry.title, entry.cwd, entry.status or ""]).encode()


@settings(deadline=None, database=None)
@given(
    st.binary()
    | st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists).map(
        lambda v: json.dumps(v).encode()
    )
)
def test_garbage_is_no_entry_and_no_error(data: bytes) -> None:
    assert decode(data) is None


@pytest.mark.parametrize("data", [b"", b"{", b"[" * 100_000, b"null", b"\xff\xfe", json.dumps(CAPTURED).encode()[:-1]])
def test_half_a_file_is_no_entry(data: bytes) -> None:
    assert decode(data) is None


def test_living_clients_are_read_by_pid(folder: Path) -> None:
    with spawn(["sleep", "3600"]) as other:
        put(folder, other.pid, sessionId="other")
        put(folder)
        assert [entry.pid for entry in read(folder)] == sorted([ME, other.pid])


@pytest.mark.parametrize(
    ("told", "pane"), [("0:@0.%12", "%12"), ("a.%3:@1.%4", "%4"), ("0:@0.%1;x", ""), (7, ""), ("%", "")]
)
def test_the_pane_of_tmux_is_taken_from_what_the_client_says(told: Any, pane: str) -> None:
    entry = decode(json.dumps({**CAPTURED, "tmux": told}).encode())
    assert entry is not None
    assert entry.pane == pane


def test_a_killed_client_leaves_its_file_but_no_entry_case_37(folder: Path) -> None:
    probe = Probe()
    registry = Registry(str(folder), probe)
    with spawn(["sleep", "3600"]) as client:
        put(folder, client.pid)
        assert len(registry.read(LATER)) == 1
        client.kill()
        until_zombie(client)
        probe.tick()
        assert registry.read(LATER) == ()
        client.wait()
    assert registry.read(LATER) == ()
    assert list(folder.iterdir())


def test_a_file_of_an_older_process_with_this_pid_is_no_entry_case_39(folder: Path) -> None:
    put(folder, start="1")
    assert read(folder) == ()


def test_a_living_client_that_did_not_note_its_start_is_kept(folder: Path) -> None:
    put(folder).write_text(json.dumps({"pid": ME, "sessionId": "s"}))
    assert [entry.session_id for entry in read(folder)] == ["s"]


def test_a_file_that_speaks_of_another_pid_is_no_entry(folder: Path) -> None:
    (folder / f"{os.getppid()}.json").write_text(put(folder).read_text())
    assert [entry.pid for entry in read(folder)] == [ME]


def test_keys_and_other_names_are_never_opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = put(folder).read_text()
    others = [
        f"{ME}.{'ab' * 32}.key", f"{ME}.key", f"{ME}.json.key", f"{ME}.json.tmp", f"{ME}.json~", f"0{ME}.json",
        f"-{ME}.json", "x.json", ".json", "0.json", "\N{ARABIC-INDIC DIGIT ONE}.json", "9" * 40 + ".json",
    ]  # fmt: skip
    for name in others:
        (folder / name).write_text(text)
    names = opened(monkeypatch)
    assert [entry.pid for entry in read(folder)] == [ME]
    ours = [name for name in names if name != "stat"]
    assert ours == [f"{ME}.json"]


def test_only_regular_files_are_opened(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = opened(monkeypatch)
    elsewhere = tmp_path / "elsewhere.json"
    put(folder).rename(elsewhere)
    path = folder / f"{ME}.json"
    path.symlink_to(elsewhere)
    assert read(folder) == ()
    path.unlink()
    os.mkfifo(path)
    assert read(folder) == ()
    path.unlink()
    path.mkdir()
    assert read(folder) == ()
    path.rmdir()
    assert path.name not in names
    elsewhere.rename(path)
    assert len(read(folder)) == 1


def test_a_file_that_is_too_large_is_not_read(folder: Path) -> None:
    path = put(folder)
    path.write_text(path.read_text() + " " * LARGEST)
    assert read(folder) == ()


def test_a_file_is_read_again_only_when_it_changed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(folder)
    registry = Registry(str(folder))
    names = opened(monkeypatch)
    registry.read(LATER)
    registry.read(LATER)
    assert names.count(f"{ME}.json") == 1
    put(folder, status="idle")
    assert [entry.status for entry in registry.read(LATER)] == ["idle"]
    assert names.count(f"{ME}.json") == 2


def test_a_file_that_was_replaced_is_read_again(folder: Path) -> None:
    registry = Registry(str(folder))
    path = put(folder, status="busy")
    registry.read(LATER)
    before = path.stat()
    fresh = put(folder.parent, status="idle")
    os.utime(fresh, ns=(before.st_atime_ns, before.st_mtime_ns))
    fresh.rename(path)
    assert (path.stat().st_mtime_ns, path.stat().st_size) == (before.st_mtime_ns, before.st_size)
    assert [entry.status for entry in registry.read(LATER)] == ["idle"]


def test_a_word_of_the_same_length_is_noticed(folder: Path) -> None:
    registry = Registry(str(folder))
    path = put(folder, status="busy")
    os.utime(path, (1000, 1000))
    registry.read(LATER)
    put(folder, status="idle")
    assert [entry.status for entry in registry.read(LATER)] == ["idle"]


def test_garbage_is_looked_at_again_though_nothing_seems_to_have_changed(folder: Path) -> None:
    registry = Registry(str(folder))
    path = put(folder)
    whole, before = path.read_text(), path.stat()
    path.write_text("x" * len(whole))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert registry.read(LATER) == ()
    path.write_text(whole)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert len(registry.read(LATER)) == 1


def test_two_writes_in_one_moment_are_both_seen(folder: Path) -> None:
    registry = Registry(str(folder))
    path = put(folder, status="busy")
    before = path.stat()
    assert [entry.status for entry in registry.read(before.st_mtime + 0.001)] == ["busy"]
    put(folder, status="idle")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert [entry.status for entry in registry.read(LATER)] == ["idle"]


def test_half_a_write_leaves_the_last_word_standing(folder: Path) -> None:
    registry = Registry(str(folder))
    path = put(folder, status="busy")
    registry.read(LATER)
    whole = path.read_text()
    path.write_text(whole[:40])
    assert [entry.status for entry in registry.read(LATER)] == ["busy"]
    path.write_text(whole.replace("busy", "idle"))
    assert [entry.status for entry in registry.read(LATER)] == ["idle"]


def test_a_client_that_ended_well_is_gone_with_its_file(folder: Path) -> None:
    registry = Registry(str(folder))
    path = put(folder)
    assert len(registry.read(LATER)) == 1
    path.unlink()
    assert registry.read(LATER) == ()


def test_a_folder_may_vanish_and_come_back(folder: Path) -> None:
    registry = Registry(str(folder))
    path = put(folder)
    assert len(registry.read(LATER)) == 1
    path.unlink()
    folder.rmdir()
    assert registry.read(LATER) == ()
    folder.mkdir()
    put(folder)
    assert len(registry.read(LATER)) == 1


# --- many that were left behind

NOBODY = 5_000_000  # more than any pid


class Processes(Procfs):
    """The table of this machine, and processes of which a test says what is known."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[int, Proc] = {}
        self.hidden: set[int] = set()
        self.asked = 0

    def row(self, pid: int) -> Proc | None:
        self.asked += 1
        if pid in self.hidden:
            raise PermissionError
        return self.seen.get(pid) or super().row(pid)

    def pids(self) -> list[int]:
        return [*super().pids(), *self.seen]


def left_behind(folder: Path, number: int) -> None:
    for pid in range(NOBODY, NOBODY + number):
        (folder / f"{pid}.json").write_text(json.dumps({**CAPTURED, "pid": pid, "procStart": "7"}))


def test_files_that_were_left_behind_are_neither_read_nor_looked_at(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_behind(folder, 2000)
    put(folder)
    os.utime(folder, (1000, 1000))
    table = Processes()
    probe = Probe(table)
    registry, names, stats = Registry(str(folder), probe), opened(monkeypatch), counted_stats(monkeypatch)
    for _ in range(3):
        probe.tick()
        names.clear()
        stats.clear()
        table.asked = 0
        assert [entry.pid for entry in registry.read(LATER)] == [ME]
        assert {name for name in names if name.endswith(".json")} <= {f"{ME}.json"}
        assert stats == [str(folder), f"{folder}/{ME}.json"]
        assert table.asked <= AT_ONCE + 1


def test_a_client_with_the_pid_of_one_that_left_its_file_is_seen_at_once_case_39(folder: Path) -> None:
    left_behind(folder, 2000)
    table = Processes()
    probe = Probe(table)
    registry = Registry(str(folder), probe)
    os.utime(folder, (1000, 1000))
    assert registry.read(LATER) == ()
    last = NOBODY + 1999
    table.seen[last] = Proc(last, 1, "9", 9.0, "claude")
    (folder / f"{last}.json").write_text(json.dumps({**CAPTURED, "pid": last, "procStart": "9"}))
    os.utime(folder, (1000, 1000))
    probe.tick()
    assert [entry.pid for entry in registry.read(LATER)] == [last], "though the folder has not changed"


def test_a_client_whose_process_cannot_be_seen_is_found_in_its_turn_and_stays_case_40(folder: Path) -> None:
    left_behind(folder, 2000)
    table = Processes()
    table.hidden.add(NOBODY + 1999)
    probe = Probe(table)
    registry = Registry(str(folder), probe)
    for _ in range(2000 // AT_ONCE + 1):
        probe.tick()
        registry.read(LATER)
    for _ in range(3):
        probe.tick()
        assert [entry.pid for entry in registry.read(LATER)] == [NOBODY + 1999]


def test_a_client_elsewhere_is_found_by_the_pid_it_has_there(folder: Path) -> None:
    left_behind(folder, 2000)
    last = NOBODY + 1999
    put(folder, last, start="7", sessionId="there")
    found = Registry(str(folder)).read(LATER, {"there": last})
    assert [entry.session_id for entry in found] == ["there"]


def test_where_nothing_changed_the_answer_is_the_very_same(folder: Path) -> None:
    registry = Registry(str(folder))
    put(folder)
    assert registry.read(LATER) is registry.read(LATER)


def test_a_file_that_is_named_is_looked_at_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry = Registry(str(folder))
    with spawn(["sleep", "3600"]) as other:
        put(folder, other.pid, sessionId="other")
        registry.read(LATER)
        put(folder)
        names = opened(monkeypatch)
        assert len(registry.read_some([ME], LATER)) == 2
        assert f"{other.pid}.json" not in names


def test_a_file_in_the_place_of_the_folder_is_no_client(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("")
    assert Registry(str(tmp_path / "sessions")).read(LATER) == ()
