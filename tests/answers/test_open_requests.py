"""The files of open requests: whose they are, and what lies in their place."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from answers import give, open_requests, word
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
    assert open_requests.requests(asking.home) == []
    assert asking.left() == []
    assert give.give(asking.home, request, Word(deed=word.ALLOW, by="test")).words == give.GONE


def test_its_files_are_their_owners_alone(asking: Asking) -> None:
    asking.hook()
    request = asking.open()
    modes = {name: stat.S_IMODE(os.lstat(f"{asking.home}/open/{name}").st_mode) for name in asking.left()}
    assert modes == {f"{request.id}.json": 0o600, f"{request.id}.pipe": 0o600}
    assert stat.S_IMODE(os.stat(f"{asking.home}/open").st_mode) == 0o700


@pytest.mark.parametrize("name", [f"{'0' * 16}.pipe", f"{'0' * 16}.json.tmp"])
def test_what_a_hook_left_that_was_killed_as_it_began_goes_after_a_while(asking: Asking, name: str) -> None:
    path = f"{asking.home}/open/{name}"
    os.makedirs(os.path.dirname(path), 0o700)
    os.mkfifo(path, 0o600)
    assert open_requests.requests(asking.home) == []
    assert asking.left() == [name], "a hook may be just about to open it"
    os.utime(path, (1, 1))
    assert open_requests.requests(asking.home) == []
    assert asking.left() == []


def test_other_files_do_not_push_a_request_out_of_sight(asking: Asking) -> None:
    asking.hook()
    request = asking.open()
    for number in range(open_requests.MOST + 1):
        with open(f"{asking.home}/open/!{number}.json", "w", encoding="utf-8"):
            pass
    assert [one.id for one in open_requests.requests(asking.home)] == [request.id]


def test_a_folder_that_cannot_be_listed_has_no_requests(asking: Asking) -> None:
    with open(f"{asking.home}/open", "w", encoding="utf-8"):
        pass
    assert open_requests.requests(asking.home) == []


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
    assert open_requests.requests(asking.home) == []
    outcome = give.give(asking.home, request, Word(deed=word.ALLOW, by="test"))
    assert not outcome.ok
    if suffix == "pipe":
        assert outcome.words == give.FOREIGN
