"""The files of open requests: whose they are, and what lies in their place."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from answers import folder, give, word
from answers.word import Word

if TYPE_CHECKING:
    from pathlib import Path

    from support.asking import Asking


def test_of_a_killed_hook_nothing_is_shown_and_nothing_stays(asking: Asking) -> None:
    hook = asking.hook()
    request = asking.open()
    hook.kill()
    hook.wait()
    assert asking.left() != []
    assert folder.requests(asking.home) == []
    assert asking.left() == []
    assert give.give(asking.home, request, Word(deed=word.ALLOW, by="test")).words == give.GONE


def test_its_files_are_their_owners_alone(asking: Asking) -> None:
    asking.hook()
    request = asking.open()
    modes = {name: stat.S_IMODE(os.lstat(f"{asking.home}/open/{name}").st_mode) for name in asking.left()}
    assert modes == {f"{request.id}.json": 0o600, f"{request.id}.pipe": 0o600}
    assert stat.S_IMODE(os.stat(f"{asking.home}/open").st_mode) == 0o700


SWAPPED = {
    "a link in place of the file": ("json", "link"),
    "a link in place of the pipe": ("pipe", "link"),
    "a file in place of the pipe": ("pipe", "file"),
    "a pipe that others may write to": ("pipe", "open"),
    "a file that others may write to": ("json", "open"),
    "another user's file": ("json", "foreign"),
    "another user's pipe": ("pipe", "foreign"),
}


@pytest.mark.parametrize("what", SWAPPED)
def test_what_is_not_ours_is_neither_shown_nor_written_to(asking: Asking, tmp_path: Path, what: str) -> None:
    suffix, how = SWAPPED[what]
    if how == "foreign" and os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    asking.hook()
    request = asking.open()
    path = f"{asking.home}/open/{request.id}.{suffix}"
    if how == "link":
        os.rename(path, tmp_path / "elsewhere")
        os.symlink(tmp_path / "elsewhere", path)
    elif how == "file":
        os.unlink(path)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    elif how == "open":
        os.chmod(path, 0o622)  # noqa: S103 - what it is about
    else:
        os.chown(path, 65534, 65534)
    assert folder.requests(asking.home) == []
    outcome = give.give(asking.home, request, Word(deed=word.ALLOW, by="test"))
    assert not outcome.ok
    if suffix == "pipe":
        assert outcome.words == give.FOREIGN
