"""The first look at a file: from its end, as far back as is needed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from support.tailing import MIB, System, append, peak
from support.transcript_lines import TRANSCRIPTS, assistant, calls, prompt, recorded, result, text_block
from support.turns import fold_all
from watcher.clients.claude.transcript import opens_turn, parse
from watcher.files.tail import FIRST_BLOCK, FIRST_SIGHT, News, Tail
from watcher.rules.turn import Turn
from watcher.rules.turn_events import Call, Message, Result

if TYPE_CHECKING:
    from pathlib import Path

GIB = 1024 * MIB


def test_the_first_look_goes_back_to_the_block_with_the_line_that_is_enough(path: Path, system: System) -> None:
    turn = [b"prompt", *(b"%04d" % n + b"x" * 996 for n in range(40))]
    path.write_bytes(b"old\n" * 100_000 + b"\n".join(turn) + b"\n")
    news = Tail(str(path), lambda line: line == b"prompt").read_new()
    assert (news.fresh, news.lines[-41:]) == (True, turn)
    assert set(news.lines[:-41]) == {b"old"}
    assert system.bytes < 2 * 41_000 + FIRST_BLOCK


def test_the_first_look_brings_what_was_written_before_the_prompt_that_caused_it(path: Path) -> None:
    lines = recorded("schedule_wakes_the_agent_in_2_1_197")[:8]
    opening = max(n for n, line in enumerate(lines) if opens_turn(line))
    caused = lines[opening - 3 : opening - 1]
    assert [type(event) for line in caused for event in parse(line)] == [Call, Message, Result]
    path.write_bytes(b"\n".join(lines) + b"\n")
    assert set(caused) < set(Tail(str(path), opens_turn).read_new().lines)


@pytest.mark.parametrize("name", sorted(file.stem for file in TRANSCRIPTS.glob("*.jsonl")))
def test_the_first_look_at_a_recorded_transcript_tells_the_same_turn_as_all_of_it(path: Path, name: str) -> None:
    lines = recorded(name)
    path.write_bytes(b"{}\n" * FIRST_BLOCK + b"\n".join(lines) + b"\n")
    whole = fold_all(Turn(), (event for line in lines for event in parse(line)))
    seen = fold_all(Turn(), (event for line in Tail(str(path), opens_turn).read_new().lines for event in parse(line)))
    assert (seen.open, seen.how, seen.error, seen.calls) == (whole.open, whole.how, whole.error, whole.calls)
    assert (seen.prompted_at, seen.active_at, seen.ended_at) == (whole.prompted_at, whole.active_at, whole.ended_at)


def test_the_first_look_passes_over_a_result_of_25_kilobytes(path: Path) -> None:
    long = result("t1", toolUseResult={"stdout": "x" * 25_000})
    lines = [prompt(), calls("t1"), long, assistant(text_block("on it"))]
    path.write_bytes(prompt("older") + b"\n" + b"\n".join(lines) + b"\n")
    assert Tail(str(path), opens_turn).read_new().lines[-4:] == lines


def test_the_first_look_at_a_gigabyte_costs_what_a_megabyte_does(path: Path, system: System) -> None:
    turn = b"".join(line + b"\n" for line in recorded("approved"))
    costs = []
    for size in (MIB, GIB):
        with path.open("wb") as file:
            file.truncate(size)
            file.seek(0, os.SEEK_END)
            file.write(b"\n" + turn)
        system.bytes = 0
        assert len(Tail(str(path), opens_turn).read_new().lines) > 5
        costs.append(system.bytes)
    assert costs[0] > 0
    assert costs[1] <= 2 * costs[0]


def test_the_first_look_at_a_gigabyte_without_a_prompt_is_bounded(path: Path, system: System) -> None:
    filler = (b"x" * 999 + b"\n") * 4200
    with path.open("wb") as file:
        file.truncate(GIB)
        file.seek(0, os.SEEK_END)
        file.write(filler)
    tail = Tail(str(path), opens_turn)
    assert peak(tail.read_new) < 4 * FIRST_SIGHT
    assert FIRST_SIGHT <= system.bytes <= FIRST_SIGHT + 64
    assert system.reads < 12
    append(path, b"next\n")
    assert tail.read_new() == News([b"next"])


def test_a_half_line_whose_beginning_is_too_far_back_is_passed_over(path: Path, tail: Tail) -> None:
    path.write_bytes(b"one\n" + b"x" * (FIRST_SIGHT + 1))
    assert tail.read_new() == News([], fresh=True)
    append(path, b"xx\nnext\n")
    assert tail.read_new() == News([b"next"])


@pytest.mark.parametrize("width", [1, 100, FIRST_BLOCK - 1, FIRST_BLOCK, FIRST_BLOCK + 1, 3 * FIRST_BLOCK])
def test_the_first_look_cuts_lines_of_any_length_right(path: Path, tail: Tail, width: int) -> None:
    lines = [bytes([65 + n]) * width for n in range(8)]
    path.write_bytes(b"\n".join(lines) + b"\n")
    assert tail.read_new().lines == lines
