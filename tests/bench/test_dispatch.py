"""What a task costs beyond xargs: without the start of Python, and without what xargs itself takes."""

from __future__ import annotations

import pytest

from bench import dispatch
from bench.dispatch import DISPATCH, FANNED, NOTHING, XARGS
from bench.race import Taken


def taken(cpu: float) -> dict[str, list[Taken]]:
    return {
        DISPATCH: [Taken(1500.0, cpu)],
        XARGS: [Taken(400.0, 200.0)],
        NOTHING: [Taken(100.0, 100.0)],
        FANNED: [Taken(160.0, 150.0)],
    }


def test_the_start_and_xargs_are_taken_off_and_the_rest_shared_by_the_tasks() -> None:
    found = {one.key: one for one in dispatch.told(taken(1300.0))}
    assert (found["dispatch.all"].middle, found["dispatch.all"].ratio) == (1500.0, 3.75)
    assert {key: found[f"dispatch.{key}"].middle for key in ("task", "cpu", "fan")} == {
        "task": 5.0,
        "cpu": 5.0,
        "fan": 60.0,
    }


@pytest.mark.parametrize(("cpu", "missed"), [(2300.0, False), (2500.0, True)])
def test_more_than_ten_milliseconds_of_the_processor_for_a_task_are_too_many(cpu: float, missed: bool) -> None:
    assert any(one.missed for one in dispatch.told(taken(cpu))) is missed
