"""The new lines of a transcript: whole ones, each once, in bounded memory."""

from __future__ import annotations

import os
import tempfile
import tracemalloc
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from usage import lines
from usage.lines import Cutter, Place

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

MB = 1 << 20


def read(fd: int, place: Place, end: int) -> tuple[list[bytes], Place]:
    cutter = Cutter(fd, place)
    return list(cutter.lines(end)), cutter.place


@given(st.lists(st.binary(max_size=12)), st.lists(st.integers(0, 60), max_size=6), st.integers(1, 9))
def test_however_it_grows_and_is_read_each_line_comes_once(pieces: list[bytes], ends: list[int], block: int) -> None:
    data = b"\n".join(pieces)
    expected = [line for line in data.split(b"\n")[:-1] if len(line) <= 8]
    found, place = [], Place()
    before = lines.BLOCK, lines.LONGEST
    lines.BLOCK, lines.LONGEST = block, 8
    try:
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.flush()
            for end in sorted([*(min(end, len(data)) for end in ends), len(data)]):
                new, place = read(file.fileno(), place, end)
                found += new
    finally:
        lines.BLOCK, lines.LONGEST = before
    assert found == expected


def test_a_line_of_100_megabytes_passes_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with path.open("wb") as file:
        file.write(b"one\n")
        file.truncate(100 * MB)  # zeros, and no room on the disk
        file.seek(100 * MB)
        file.write(b"\ntwo\n")
    fd = os.open(path, os.O_RDONLY)
    tracemalloc.start()
    try:
        found, place = read(fd, Place(), os.fstat(fd).st_size)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        os.close(fd)
    assert found == [b"one", b"two"]
    assert place == Place(100 * MB + 5)
    assert peak < 64 * MB


def test_a_long_line_that_is_not_whole_yet_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST", 10)
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"one\n" + b"x" * 50)
    fd = os.open(path, os.O_RDONLY)
    try:
        found, place = read(fd, Place(), 54)
        assert (found, place) == ([b"one"], Place(54, inside=True))
        with path.open("ab") as file:
            file.write(b"x\ntwo\n")
        assert read(fd, place, 60) == ([b"two"], Place(60))
    finally:
        os.close(fd)
