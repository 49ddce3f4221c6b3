"""Which file is opened as a transcript."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from contract import openable

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(("me", "owner", "is_fit"), [(7, 7, True), (7, 0, True), (7, 8, False), (0, 8, True)])
def test_only_root_reads_files_of_another_user(
    me: int, owner: int, is_fit: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "s.jsonl").touch()
    given = os.stat(tmp_path / "s.jsonl")
    monkeypatch.setattr("contract.openable.os.geteuid", lambda: me)
    try:
        openable.check(os.stat_result([*given[:4], owner, *given[5:]]))
        assert is_fit
    except openable.UnfitError:
        assert not is_fit


def test_a_folder_in_memory_is_one_like_others() -> None:
    assert openable.real_name("/dev/shm/claude/s.jsonl") == "/dev/shm/claude/s.jsonl"
    with pytest.raises(openable.UnfitError):
        openable.real_name("/dev/claude/s.jsonl")
