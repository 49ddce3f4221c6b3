"""Blocks, and how they ended."""

from statusbar.day.blocks import Ended, blocks
from statusbar.day.log_lines import Stand, Watching
from support.days import BLOCKED, GOES, MINUTE, NOON, WAITS, WORKS, at, lapse, stand, start, told


def found(*lines: Stand | Watching, now: float = 60, seen: float | None = None) -> list[tuple[float, float, Ended]]:
    known = told(*lines, now=now, seen=seen)
    (only,) = known.courses
    return [
        ((block.begin - NOON) / MINUTE, (block.end - NOON) / MINUTE, block.how)
        for block in blocks(only.spans, known.until)
    ]


def test_a_block_is_answered_when_the_session_goes_on() -> None:
    lines = [stand(1, WORKS), stand(5, BLOCKED), stand(8, WORKS), stand(10, BLOCKED), stand(11, WAITS)]
    assert found(start(0), *lines) == [(5, 8, Ended.ANSWERED), (10, 11, Ended.ANSWERED)]


def test_agents_that_begin_and_end_meanwhile_do_not_split_it() -> None:
    lines = [stand(5, BLOCKED, running=1), stand(6, BLOCKED, running=2), stand(8, WORKS)]
    assert found(start(0), *lines) == [(5, 8, Ended.ANSWERED)]


def test_a_block_that_ends_with_its_session_was_not_answered() -> None:
    assert found(start(0), stand(5, BLOCKED), stand(8, GOES)) == [(5, 8, Ended.SESSION_ENDED)]


def test_a_block_that_lasts_is_open() -> None:
    assert found(start(0), stand(5, BLOCKED), now=9) == [(5, 9, Ended.OPEN)]


def test_a_block_into_a_gap_has_an_end_that_nobody_saw() -> None:
    assert found(start(0), stand(5, BLOCKED), now=30, seen=9) == [(5, 9, Ended.UNSEEN)]


def test_a_block_out_of_a_gap_has_a_beginning_that_nobody_saw() -> None:
    lines: list[Stand | Watching] = [stand(1, BLOCKED), lapse(20, since=10), stand(25, WORKS)]
    assert found(start(0), *lines) == [(1, 10, Ended.UNSEEN), (20, 25, Ended.UNSEEN)]


def test_a_block_that_the_next_watcher_finds_may_have_begun_before_it() -> None:
    lines: list[Stand | Watching] = [stand(1, WORKS), start(20, since=10), stand(21, BLOCKED), stand(25, WORKS)]
    assert found(start(0), *lines) == [(21, 25, Ended.UNSEEN)]


def test_a_block_that_was_there_before_the_log_has_no_beginning_either() -> None:
    assert found(start(0), stand(1, BLOCKED, since=at(-30)), stand(5, WORKS)) == [(1, 5, Ended.UNSEEN)]
