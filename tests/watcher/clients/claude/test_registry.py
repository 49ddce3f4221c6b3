"""The registry of clients: whose files are read, when, and what is no client."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from processes.identity import start_of
from processes.process import Proc
from processes.procfs import Procfs
from processes.table import Probe
from support.families import spawn, until_zombie
from support.registry_entry import CAPTURED
from support.watching import counted_stats
from watcher.clients.claude.registry import AT_ONCE, LARGEST, Registry

if TYPE_CHECKING:
    from pathlib import Path

    from watcher.clients.base import Entry

ME = os.getpid()
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


def test_living_clients_are_read_by_pid(folder: Path) -> None:
    with spawn(["sleep", "3600"]) as other:
        put(folder, other.pid, sessionId="other")
        put(folder)
        assert [entry.pid for entry in read(folder)] == sorted([ME, other.pid])


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


def test_an_entry_goes_when_another_process_has_its_pid_though_its_file_is_as_before(folder: Path) -> None:
    table = Processes()
    table.seen[NOBODY] = Proc(NOBODY, 1, "7", 7.0, "claude")
    left_behind(folder, 1)
    probe = Probe(table)
    registry = Registry(str(folder), probe)
    for _ in range(3):
        probe.tick()
        assert [entry.pid for entry in registry.read(LATER)] == [NOBODY]
    table.seen[NOBODY] = Proc(NOBODY, 1, "9", 9.0, "zsh")
    probe.tick()
    assert registry.read(LATER) == ()


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
