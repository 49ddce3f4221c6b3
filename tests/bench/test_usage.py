"""Counting is measured on transcripts that are as they should be; how fast it is, is not asked here."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bench import usage
from bench.place import Place
from bench.usage import Taken

if TYPE_CHECKING:
    from pathlib import Path

WAYS = (usage.FIRST, usage.PLAIN, usage.SECOND, usage.TODAY, usage.NEWS)


def test_each_way_to_look_is_measured_and_the_transcript_goes_again(tmp_path: Path) -> None:
    taken = usage.measure(Place(str(tmp_path)), 1, 1, 2)
    assert {way: len(many) for way, many in taken.ways.items()} == dict(zip(WAYS, (1, 1, 2, 2, 2), strict=True))
    assert 0 < taken.weight < 1
    assert not list(tmp_path.rglob("*.jsonl"))


def test_a_transcript_has_as_many_answers_as_it_has_ids(tmp_path: Path) -> None:
    path = str(tmp_path / "s.jsonl")
    usage.write(path, 100_000)
    assert 90_000 < os.path.getsize(path) < 100_000
    assert usage.recount(path) % (1200 + 5000 + 40) == 0
    assert usage.recount(path) > 10 * (1200 + 5000 + 40)


def test_the_second_look_at_the_largest_has_a_budget() -> None:
    ways = {way: [4.0] for way in WAYS}
    told = {one.key: one for one in usage.told({1: Taken(ways, 0.1), 1000: Taken({**ways, usage.SECOND: [6.0]}, 9.0)})}
    assert told[f"usage.1000.{usage.SECOND}"].missed
    assert not told[f"usage.1.{usage.SECOND}"].missed
    assert told["usage.1000.first"].ratio == 1.0
    assert told["usage.1000.weight"].middle == 9.0
    assert told[f"usage.{usage.SECOND}.growth"].unit == "exponent"
