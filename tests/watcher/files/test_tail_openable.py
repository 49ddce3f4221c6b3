"""Which file is opened as a transcript, seen through the tail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.tailing import System, never
from support.unfit_files import UNFIT
from watcher.files.tail import Tail, Trouble

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize("made", UNFIT)
def test_what_is_no_transcript_is_never_opened(made: Callable[[Path], str], tmp_path: Path, system: System) -> None:
    news = Tail(made(tmp_path), never).read_new()
    assert (news.trouble, system.opened) == (Trouble.UNFIT, 0)


def test_a_folder_that_is_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles" / "s.jsonl").write_bytes(b"one\n")
    (tmp_path / "claude").symlink_to(tmp_path / "dotfiles")
    assert Tail(str(tmp_path / "claude" / "s.jsonl"), never).read_new().lines == [b"one"]
