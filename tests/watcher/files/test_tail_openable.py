"""Which file is opened as a transcript, seen through the tail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from contract import openable
from support.tailing import System, never
from watcher.files.tail import News, Tail, Trouble

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def link_to_a_key(folder: Path) -> str:
    (folder / "4711.key").write_bytes(b"secret\n")
    (folder / "link.jsonl").symlink_to(folder / "4711.key")
    return str(folder / "link.jsonl")


def key_file(folder: Path) -> str:
    (folder / "4711.key").write_bytes(b"secret\n")
    return str(folder / "4711.key")


def by_way_of_proc(folder: Path) -> str:
    (folder / "s.jsonl").write_bytes(b"one\n")
    return f"/proc/self/root{folder}/s.jsonl"


def by_way_of_dots(folder: Path) -> str:
    (folder / "s.jsonl").write_bytes(b"one\n")
    return f"/tmp/..//proc/self/root{folder}/s.jsonl"


@pytest.mark.parametrize("made", [link_to_a_key, key_file, by_way_of_proc, by_way_of_dots])
def test_what_is_no_transcript_is_never_opened(made: Callable[[Path], str], tmp_path: Path, system: System) -> None:
    news = Tail(made(tmp_path), never).read_new()
    assert (news.trouble, system.opened) == (Trouble.UNFIT, 0)


def test_a_link_to_a_key_that_takes_the_files_place_in_the_last_moment_is_not_read(
    path: Path, tail: Tail, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(b"one\n")
    real_name = openable.real_name

    def swapped(name: str) -> str:
        found = real_name(name)
        path.unlink()
        path.symlink_to(key_file(tmp_path))
        return found

    monkeypatch.setattr("contract.openable.real_name", swapped)
    assert tail.read_new() == News([], trouble=Trouble.UNFIT)


def test_a_folder_that_is_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles" / "s.jsonl").write_bytes(b"one\n")
    (tmp_path / "claude").symlink_to(tmp_path / "dotfiles")
    assert Tail(str(tmp_path / "claude" / "s.jsonl"), never).read_new().lines == [b"one"]
