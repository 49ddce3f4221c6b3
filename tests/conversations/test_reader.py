"""The glimpses of many sessions: what is opened, when it is read again, and what hostile files can do: nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from contract.status import WAITING
from conversations import transcript_ends
from conversations.glimpse import NOTHING, Glimpse
from conversations.reader import Conversations, read
from support.showing import session
from support.transcript_lines import last_word, prompt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from contract.status import SessionStatus


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


def write(path: Path, *lines: bytes) -> None:
    path.write_bytes(b"".join(line + b"\n" for line in lines))


def one(path: Path, client: str = "claude") -> SessionStatus:
    return session("s", WAITING, client=client, transcript=str(path))


def said(conversations: Conversations, path: Path) -> str:
    return conversations.of([one(path)]).get("s", NOTHING).last_words


def test_it_is_by_session_and_only_of_those_that_have_something_to_tell(path: Path, tmp_path: Path) -> None:
    write(path, last_word("All done"))
    without = [session("none", client="claude"), one(tmp_path / "gone.jsonl")._replace(session_id="gone")]
    assert Conversations().of([one(path), *without]) == {"s": Glimpse(last_words="All done", model="claude")}


@pytest.mark.parametrize("client", ["", "unheard-of", "../claude", "claude "])
def test_of_a_client_that_we_cannot_read_nothing_is_opened(
    client: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(path, last_word("All done"))
    monkeypatch.setattr("contract.transcript_file.opened", lambda _: pytest.fail("opened"))
    assert Conversations().of([one(path, client)]) == {}


def test_an_unchanged_transcript_is_not_opened_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(path, last_word("All done"))
    conversations = Conversations()
    assert said(conversations, path) == "All done"
    monkeypatch.setattr("contract.transcript_file.opened", lambda _: pytest.fail("opened"))
    assert said(conversations, path) == "All done"


def test_what_was_added_is_seen_and_what_was_cut_is_forgotten(path: Path) -> None:
    conversations = Conversations()
    write(path, last_word("One"), last_word("Two"))
    assert said(conversations, path) == "Two"
    write(path, last_word("One"), last_word("Two"), last_word("Three"))
    assert said(conversations, path) == "Three"
    write(path, last_word("One"))
    assert said(conversations, path) == "One"
    path.unlink()
    assert said(conversations, path) == ""


def test_half_a_line_at_the_end_and_garbage_are_passed_over(path: Path) -> None:
    whole = last_word("Whole")
    garbage = [b"{", b"null", b'"assistant"', b"[" * 100_000 + b'"assistant"', b'{"type":"assistant"}', b"\xff\xfe\0"]
    path.write_bytes(b"\n".join([whole, *garbage, last_word("Half a line")[:-20]]))
    assert said(Conversations(), path) == "Whole"


def test_a_line_without_end_costs_no_more_than_the_bound(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(path, last_word("Before"))
    with path.open("r+b") as file:
        file.seek(0, os.SEEK_END)
        file.write(b'{"type":"assistant","message":{"content":"')
        file.truncate(100 << 20)  # a hole: it takes no room on the disk
    taken = 0
    pread = os.pread

    def counted(fd: int, size: int, at: int) -> bytes:
        nonlocal taken
        taken += size
        return pread(fd, size, at)

    monkeypatch.setattr("conversations.transcript_ends.os.pread", counted)
    assert said(Conversations(), path) == ""
    assert 0 < taken <= transcript_ends.FURTHEST + transcript_ends.HEAD


def test_a_file_that_shrinks_while_it_is_read_tells_what_is_left(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(path, *[last_word("x" * 1000)] * 100)
    pread = os.pread

    def shrunk(fd: int, size: int, at: int) -> bytes:
        os.truncate(path, 10)
        return pread(fd, size, at)

    monkeypatch.setattr("conversations.transcript_ends.os.pread", shrunk)
    assert read("claude", str(path)) == NOTHING


def fifo(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def link_to_a_key(path: Path) -> None:
    (path.parent / "id.key").write_bytes(last_word("secret") + b"\n")
    path.symlink_to(path.parent / "id.key")


def unreadable(path: Path) -> None:
    path.symlink_to("/proc/self/mem")


@pytest.mark.parametrize("made", [fifo, folder, link_to_a_key, unreadable])
def test_what_is_no_transcript_tells_nothing_and_holds_nobody(made: Callable[[Path], None], path: Path) -> None:
    made(path)
    assert Conversations().of([one(path)]) == {}


def test_a_fifo_that_takes_the_files_place_in_the_last_moment_holds_nobody(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(path, last_word("All done"))
    real = os.path.realpath(path)

    def swapped(_: str) -> str:
        path.unlink()
        os.mkfifo(path)
        return real

    monkeypatch.setattr("contract.transcript_file.real_name", swapped)
    assert read("claude", str(path)) == NOTHING


@pytest.mark.parametrize(
    "name", ["\0.jsonl", "s.jsonl\0", "x" * 5000 + ".jsonl", "\ud800.jsonl", "", ".", "relative.jsonl"]
)
def test_a_name_that_no_file_has_is_no_trouble(name: str) -> None:
    assert Conversations().of([session("s", client="claude", transcript=name)]) == {}
    assert read("claude", name) == NOTHING


def test_the_end_is_read_and_not_the_middle(path: Path) -> None:
    long = [prompt("x" * 2000)] * 400
    write(path, last_word("Long ago"), *long, last_word("Just now"), *long[:20])
    assert said(Conversations(), path) == "Just now"
    write(path, last_word("Long ago"), *long)
    assert said(Conversations(), path) == ""
