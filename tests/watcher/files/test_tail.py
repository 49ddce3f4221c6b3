"""The new lines of a file that grows, byte by byte or in a flood."""

from __future__ import annotations

import itertools
import os
import resource
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from support.tailing import NOTHING, System, all_news, append, never
from watcher.clients.claude.transcript import gist
from watcher.files.tail import AT_ONCE, FIRST_BLOCK, FIRST_SIGHT, JUMP, News, Tail

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_each_line_comes_once_and_in_order(path: Path, tail: Tail) -> None:
    path.write_bytes(b"one\ntwo\n")
    assert tail.read_new() == News([b"one", b"two"], fresh=True)
    append(path, b"three\nfour\n")
    assert tail.read_new() == News([b"three", b"four"])
    assert tail.read_new() == NOTHING


def test_half_a_line_waits_for_its_newline(path: Path, tail: Tail) -> None:
    path.write_bytes(b"one\ntw")
    assert tail.read_new().lines == [b"one"]
    append(path, b"o")
    assert tail.read_new().lines == []
    append(path, b"!\nthr")
    assert tail.read_new().lines == [b"two!"]
    append(path, b"ee\n")
    assert tail.read_new().lines == [b"three"]


def test_a_file_of_one_half_line_has_no_line_yet(path: Path, tail: Tail) -> None:
    path.write_bytes(b"on")
    assert tail.read_new() == News([], fresh=True)
    append(path, b"e\n")
    assert tail.read_new().lines == [b"one"]


def test_an_empty_file_is_seen_and_then_followed(path: Path, tail: Tail) -> None:
    path.touch()
    assert tail.read_new() == News([], fresh=True)
    append(path, b"one\n")
    assert tail.read_new() == News([b"one"])


def test_a_file_that_was_read_to_its_end_has_a_mark_that_stands_until_it_changes(path: Path, tail: Tail) -> None:
    assert tail.mark() is None
    path.write_bytes(b"one\n")
    tail.read_new()
    mark = tail.mark()
    assert mark
    assert mark.stands()
    append(path, b"two\n")
    assert not mark.stands()
    tail.read_new(most=1)
    assert tail.mark() is None, "there is more to read"
    tail.read_new()
    mark = tail.mark()
    assert mark
    path.unlink()
    assert not mark.stands()


def test_odd_bytes_are_passed_on_and_empty_lines_are_not(path: Path, tail: Tail) -> None:
    path.write_bytes(b"\xff\xfe\n\n\0\0\0\n")
    assert tail.read_new().lines == [b"\xff\xfe", b"\0\0\0"]
    append(path, b"\n\x80\r\n\0")
    assert tail.read_new().lines == [b"\x80\r"]


def test_an_unchanged_file_costs_neither_an_open_nor_a_read(path: Path, tail: Tail, system: System) -> None:
    path.write_bytes(b"one\n")
    tail.read_new()
    system.bytes = system.opened = 0
    assert tail.read_new() == NOTHING
    assert (system.opened, system.bytes) == (0, 0)


def test_a_grown_file_costs_what_is_new(path: Path, tail: Tail, system: System) -> None:
    path.write_bytes(b"x" * 99 + b"\n" + b"y" * FIRST_SIGHT + b"\n")
    tail.read_new()
    system.bytes = 0
    append(path, b"z" * 1000 + b"\n")
    assert tail.read_new().lines == [b"z" * 1000]
    assert system.bytes <= 1001 + 64


def test_a_touched_file_is_not_read_again(path: Path, tail: Tail, system: System) -> None:
    path.write_bytes(b"x" * 5000 + b"\n")
    tail.read_new()
    system.bytes = 0
    os.utime(path, (1, 1))
    assert tail.read_new() == NOTHING
    assert system.bytes <= 64


def test_no_descriptor_stays_open(path: Path) -> None:
    path.write_bytes(b"one\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 256), hard))
    try:
        tails = [Tail(str(path), never) for _ in range(1000)]
        assert all(one.read_new().lines == [b"one"] for one in tails)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_flood_of_lines_comes_in_portions(path: Path, tail: Tail) -> None:
    path.touch()
    tail.read_new()
    flood = [b"%07d" % n + b"x" * 1000 for n in range(20_000)]
    append(path, b"\n".join(flood) + b"\n")
    first = tail.read_new()
    assert first.more
    assert sum(map(len, first.lines)) <= AT_ONCE
    assert first.lines + all_news(tail) == flood


def test_a_jump_beyond_all_bounds_is_looked_at_as_at_first_sight(path: Path, system: System) -> None:
    tail = Tail(str(path), lambda line: line == b"prompt")
    path.write_bytes(b"one\n")
    tail.read_new()
    with path.open("r+b") as file:
        file.truncate(JUMP + 5)
    append(path, b"\nprompt\nlast\n")
    system.bytes = 0
    news = tail.read_new()
    assert (news.fresh, news.lines[-2:], news.more) == (True, [b"prompt", b"last"], False)
    assert tail.cost <= FIRST_BLOCK
    assert system.bytes <= FIRST_BLOCK + 128
    append(path, b"next\n")
    assert tail.read_new() == News([b"next"]), "from there it goes on"


def test_without_a_portion_it_says_that_there_is_more_and_reads_nothing(path: Path, tail: Tail, system: System) -> None:
    path.write_bytes(b"one\n")
    assert tail.read_new(0).more
    assert (system.opened, tail.is_seen) == (0, False)
    assert tail.read_new() == News([b"one"], fresh=True)
    assert tail.read_new(0) == NOTHING


def test_a_file_that_is_shorter_than_it_says_is_not_asked_again_at_once(
    path: Path, tail: Tail, system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(b"one\n")
    tail.read_new()
    append(path, b"two\n")
    whole = system.pread
    monkeypatch.setattr(system, "pread", lambda fd, size, at: b"" if at >= 4 else whole(fd, size, at), raising=False)
    assert not tail.read_new().more


@settings(max_examples=60, deadline=None)
@given(
    lines=st.lists(st.binary(max_size=40).map(lambda b: b.replace(b"\n", b"")).filter(len), max_size=12),
    cuts=st.lists(st.integers(0, 500), max_size=6),
    seen=st.booleans(),
)
def test_however_the_bytes_arrive_the_lines_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], cuts: list[int], *, seen: bool
) -> None:
    path = tmp_path_factory.mktemp("grown") / "s.jsonl"
    data = b"".join(line + b"\n" for line in lines)
    tail, got = Tail(str(path), never, gist), list[bytes]()
    if seen:
        path.touch()
        tail.read_new()
    borders = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    for start, end in itertools.pairwise(borders):
        append(path, data[start:end])
        got += tail.read_new().lines
    assert got == lines
