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
