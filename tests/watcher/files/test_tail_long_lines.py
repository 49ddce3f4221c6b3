"""Lines that are too long to be held in memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from support.tailing import MIB, all_news, append, peak
from support.transcript_lines import NOON, assistant, user
from watcher.clients.claude.transcript import parse
from watcher.files.tail import BLOCK, LONGEST_LINE, Tail
from watcher.rules.turn_events import Call, Result

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_a_line_as_long_as_allowed_comes_whole(path: Path, tail: Tail) -> None:
    path.touch()
    tail.read_new()
    append(path, b"x" * LONGEST_LINE + b"\n")
    assert all_news(tail) == [b"x" * LONGEST_LINE]


def huge(build: Callable[[str], bytes], size: int) -> bytes:
    """A line that holds texts of that size, for a file."""
    return build("@").replace(b"@", b"y" * size) + b"\n"


def a_result(text: str) -> bytes:
    """The outcome follows the time of the line, and may have times of its own."""
    line = user([{"tool_use_id": "t1", "type": "tool_result", "content": text}], at=7)
    outcome = {"stdout": text, "timestamp": "2001-01-01T00:00:00.000Z"}
    return line[:-1] + b',"toolUseResult":' + json.dumps(outcome, separators=(",", ":")).encode() + b"}"


def a_call(text: str) -> bytes:
    return assistant({"type": "tool_use", "id": "t1", "name": "Write", "input": {"content": text}}, at=7)


def test_a_line_of_100_megabytes_passes_in_bounded_memory_and_its_result_is_not_lost(path: Path, tail: Tail) -> None:
    path.write_bytes(b"one\n")
    tail.read_new()
    append(path, huge(a_result, 50 * MIB) + b"next\n")
    lines: list[bytes] = []
    assert peak(lambda: lines.extend(all_news(tail))) < 4 * LONGEST_LINE
    assert len(lines) == 2
    assert parse(lines[0]) == (Result(NOON + 7, "t1", None),)
    assert lines[1] == b"next"


def test_a_call_too_long_to_hold_has_still_begun(path: Path, tail: Tail) -> None:
    path.touch()
    tail.read_new()
    append(path, huge(a_call, LONGEST_LINE))
    assert [event for line in all_news(tail) for event in parse(line)] == [Call(NOON + 7, "t1", "Write")]


@pytest.mark.parametrize("shift", range(0, 60, 7))
def test_the_time_of_a_long_line_is_found_across_the_border_of_two_blocks(path: Path, tail: Tail, shift: int) -> None:
    path.touch()
    tail.read_new()
    before, _ = a_call("@").split(b'@"}}]')
    append(path, huge(a_call, LONGEST_LINE + BLOCK - len(before) - shift))
    assert [event for line in all_news(tail) for event in parse(line)] == [Call(NOON + 7, "t1", "Write")]
