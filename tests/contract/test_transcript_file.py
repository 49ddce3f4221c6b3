"""Which file is opened as a transcript."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from contract import transcript_file
from support.unfit_files import UNFIT, key_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize("made", UNFIT)
def test_what_is_no_transcript_is_never_opened(
    made: Callable[[Path], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made(tmp_path)
    monkeypatch.setattr("contract.transcript_file.os.open", lambda *_: pytest.fail("opened"))
    with pytest.raises(transcript_file.UnfitError):
        transcript_file.opened(path)


@pytest.mark.parametrize(("me", "owner", "is_fit"), [(7, 7, True), (7, 0, True), (7, 8, False), (0, 8, True)])
def test_only_root_reads_files_of_another_user(
    me: int, owner: int, is_fit: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "s.jsonl").touch()
    given = os.stat(tmp_path / "s.jsonl")
    monkeypatch.setattr("contract.transcript_file.os.geteuid", lambda: me)
    try:
        transcript_file.check(os.stat_result([*given[:4], owner, *given[5:]]))
        assert is_fit
    except transcript_file.UnfitError:
        assert not is_fit


def test_a_link_to_a_key_that_takes_the_files_place_in_the_last_moment_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"one\n")
    real_name = transcript_file.real_name

    def swapped(name: str) -> str:
        found = real_name(name)
        path.unlink()
        path.symlink_to(key_file(tmp_path))
        return found

    monkeypatch.setattr("contract.transcript_file.real_name", swapped)
    with pytest.raises(OSError, match="symbolic links"):
        transcript_file.opened(str(path))


def test_a_folder_in_memory_is_one_like_others() -> None:
    assert transcript_file.real_name("/dev/shm/claude/s.jsonl") == "/dev/shm/claude/s.jsonl"
    with pytest.raises(transcript_file.UnfitError):
        transcript_file.real_name("/dev/claude/s.jsonl")


def test_a_folder_that_is_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles" / "s.jsonl").write_bytes(b"one\n")
    (tmp_path / "claude").symlink_to(tmp_path / "dotfiles")
    fd = transcript_file.opened(str(tmp_path / "claude" / "s.jsonl"))
    assert os.read(fd, 10) == b"one\n"
    os.close(fd)


def test_the_beginning_of_a_file_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "title").write_bytes(b"one\ntwo\n")
    assert transcript_file.beginning(str(tmp_path / "title"), 5) == b"one\nt"
    assert transcript_file.beginning(str(tmp_path / "title"), 100) == b"one\ntwo\n"


def link(path: Path) -> None:
    path.symlink_to(key_file(path.parent))


@pytest.mark.parametrize("made", [link, os.mkfifo, os.mkdir, str])
def test_what_is_no_regular_file_has_no_beginning(made: Callable[[Path], object], tmp_path: Path) -> None:
    path = tmp_path / "title"
    made(path)
    assert transcript_file.beginning(str(path), 100) == b""


def test_nor_has_a_name_that_no_file_can_have() -> None:
    assert transcript_file.beginning("a\0b", 100) == b""


def test_a_pipe_that_takes_the_files_place_in_the_last_moment_holds_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real_open = tmp_path / "title", os.open
    path.write_bytes(b"one\n")

    def swapped(name: str, flags: int) -> int:
        path.unlink()
        os.mkfifo(path)
        return real_open(name, flags)

    monkeypatch.setattr("contract.transcript_file.os.open", swapped)
    assert transcript_file.beginning(str(path), 100) == b""


def test_a_strangers_file_is_not_opened_and_not_read_if_it_takes_the_files_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, strangers, real_open = tmp_path / "title", tmp_path / "strangers", os.open
    path.write_bytes(b"one\n")
    strangers.write_bytes(b"secret\n")
    number = strangers.stat().st_ino

    def check(found: os.stat_result) -> None:
        if found.st_ino == number:
            raise transcript_file.UnfitError

    def swapped(name: str, flags: int) -> int:
        strangers.rename(path)
        return real_open(name, flags)

    monkeypatch.setattr(transcript_file, "check", check)
    monkeypatch.setattr("contract.transcript_file.os.open", lambda *_: pytest.fail("opened"))
    assert transcript_file.beginning(str(strangers), 100) == b""
    monkeypatch.setattr("contract.transcript_file.os.open", swapped)
    assert transcript_file.beginning(str(path), 100) == b""
