"""A file that is followed and is truncated, replaced, moved, gone or denied."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from support.tailing import System, append, never
from watcher.files.tail import News, Tail, Trouble

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_truncated_file_starts_afresh(path: Path, tail: Tail) -> None:
    path.write_bytes(b"one\ntwo\nthree\n")
    tail.read_new()
    path.write_bytes(b"new\n")
    assert tail.read_new() == News([b"new"], fresh=True)


def test_a_half_line_of_the_old_file_does_not_leak_into_the_new(path: Path, tail: Tail) -> None:
    path.write_bytes(b"one\nhalf")
    tail.read_new()
    path.write_bytes(b"new\n")
    append(path, b"more\n")
    assert tail.read_new().lines == [b"new", b"more"]


def test_a_replaced_file_starts_afresh_even_if_it_is_longer(path: Path, tail: Tail, tmp_path: Path) -> None:
    path.write_bytes(b"one\n")
    tail.read_new()
    other = tmp_path / "other"
    other.write_bytes(b"one\ntwo\n")
    other.replace(path)
    assert tail.read_new() == News([b"one", b"two"], fresh=True)


def test_a_file_rewritten_in_place_starts_afresh(path: Path, tail: Tail) -> None:
    path.write_bytes(b"one\n")
    tail.read_new()
    inode = path.stat().st_ino
    path.write_bytes(b"uno\ndue\n")
    assert path.stat().st_ino == inode
    assert tail.read_new() == News([b"uno", b"due"], fresh=True)


def test_a_file_rewritten_to_the_same_size_starts_afresh(path: Path, tail: Tail) -> None:
    path.write_bytes(b"one\n")
    os.utime(path, (1, 1))
    tail.read_new()
    path.write_bytes(b"uno\n")
    assert tail.read_new() == News([b"uno"], fresh=True)


def test_a_file_that_vanishes_and_comes_back_goes_on_where_it_was(path: Path, tail: Tail, tmp_path: Path) -> None:
    path.write_bytes(b"one\nha")
    tail.read_new()
    away = path.rename(tmp_path / "away")
    assert tail.read_new() == News([], trouble=Trouble.GONE)
    append(away, b"lf\ntwo\n")
    away.rename(path)
    assert tail.read_new() == News([b"half", b"two"])


def test_a_file_that_moved_is_followed_to_its_new_place(path: Path, tail: Tail, tmp_path: Path) -> None:
    path.write_bytes(b"one\n")
    tail.read_new()
    tail.path = str(path.rename(tmp_path / "moved.jsonl"))
    append(tmp_path / "moved.jsonl", b"two\n")
    assert tail.read_new() == News([b"two"])


def test_a_file_not_there_yet_is_gone_until_it_comes(path: Path, tail: Tail) -> None:
    assert tail.read_new().trouble is Trouble.GONE
    assert Tail(f"{path}/below/a/missing/folder", never).read_new().trouble is Trouble.GONE
    path.write_bytes(b"one\n")
    assert Tail(f"{path}/below/a/file", never).read_new().trouble is Trouble.GONE
    assert tail.read_new() == News([b"one"], fresh=True)


def test_a_symlink_is_followed(path: Path, tail: Tail, tmp_path: Path) -> None:
    real = tmp_path / "real.jsonl"
    real.write_bytes(b"one\n")
    path.symlink_to(real)
    assert tail.read_new().lines == [b"one"]
    append(real, b"two\n")
    assert tail.read_new() == News([b"two"])


def test_a_folder_a_fifo_or_a_device_in_the_files_place_is_unfit_and_never_blocks(path: Path, tail: Tail) -> None:
    path.mkdir()
    assert tail.read_new().trouble is Trouble.UNFIT
    path.rmdir()
    os.mkfifo(path)
    assert tail.read_new().trouble is Trouble.UNFIT
    assert Tail("/dev/zero", never).read_new().trouble is Trouble.UNFIT


def test_a_fifo_that_takes_the_files_place_in_the_last_moment_never_blocks(
    path: Path, tail: Tail, system: System
) -> None:
    os.mkfifo(path)
    system.shown = path.with_name("file")
    system.shown.write_bytes(b"one\n")
    assert tail.read_new().trouble is Trouble.UNFIT


def test_a_name_that_no_file_can_have_is_trouble_and_no_crash(path: Path) -> None:
    for name in ("nul\0byte", "lone\ud800surrogate", "x" * 5000, f"{path}/" + "x" * 300):
        assert Tail(name, never).read_new().trouble in (Trouble.UNFIT, Trouble.GONE)
    path.symlink_to(path)
    assert Tail(str(path), never).read_new().trouble is Trouble.UNFIT


DENIED = """
import os, sys
sys.path.insert(0, sys.argv[2])
from watcher.files.tail import Tail, Trouble
if os.getuid() == 0:
    os.setgroups([]), os.setgid(65534), os.setuid(65534)
tail = Tail(sys.argv[1], lambda line: False)
assert tail.read_new().trouble is Trouble.DENIED, tail.read_new()
print("denied")
"""


def test_a_file_we_may_not_read_is_said_to_be_denied(path: Path, pytestconfig: pytest.Config) -> None:
    path.write_bytes(b"one\n")
    path.chmod(0)
    argv = [sys.executable, "-c", DENIED, str(path), str(pytestconfig.rootpath)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("denied\n", "")


def test_a_file_denied_at_first_is_read_when_it_may_be(path: Path, tail: Tail, system: System) -> None:
    path.write_bytes(b"one\n")
    system.denied = True
    assert tail.read_new().trouble is Trouble.DENIED
    system.denied = False
    assert tail.read_new() == News([b"one"], fresh=True)
