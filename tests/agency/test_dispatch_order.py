"""Tasks are handed out in the order of the file, as far as `after` and the number of workers allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from agency.dispatch.job import Job
from agency.dispatch.plan import Plan
from support.batches import Batch, appends, shell, until_there

if TYPE_CHECKING:
    from collections.abc import Sequence


@st.composite
def batches(draw: st.DrawFn) -> list[Job]:
    """Any tasks without a circle: each waits for some that a hidden order has before it."""
    size = draw(st.integers(1, 12))
    hidden = draw(st.permutations(range(size)))
    after = {
        number: draw(st.lists(st.sampled_from(hidden[:place]), unique=True)) if place else []
        for place, number in enumerate(hidden)
    }
    return [Job(str(number), number, ("true",), after=tuple(map(str, after[number]))) for number in range(size)]


@given(batches(), st.integers(1, 5), st.booleans(), st.data())
def test_a_task_begins_only_after_those_it_waits_for_have_ended_well(
    jobs: Sequence[Job], workers: int, keep_going: bool, data: st.DataObject
) -> None:
    plan, well, begun, told = Plan(jobs, workers, keep_going=keep_going), set[str](), list[str](), list[str]()
    has_failed = False
    while plan.is_open or plan.running:
        while job := plan.next():
            assert keep_going or not has_failed
            assert set(job.after) <= well
            plan.begin(job)
            begun.append(job.id)
            assert len(plan.running) <= workers
        running = list(plan.running.values())
        assert running, "nothing runs, and nothing can begin"
        ending, ok = data.draw(st.sampled_from(running)), data.draw(st.booleans())
        has_failed |= not ok
        lost = plan.end(ending, ok=ok)
        well |= {ending.id} if ok else set()
        told += [ending.id, *(one.job.id for one in lost)]
    assert sorted(told) == sorted(job.id for job in jobs), "each is told of once"
    assert len(begun) == len(set(begun))
    if keep_going:
        assert set(begun) == {job.id for job in jobs if set(job.after) <= well}


@given(batches())
def test_one_worker_takes_the_first_in_the_file_that_may_begin(jobs: Sequence[Job]) -> None:
    plan, ended = Plan(jobs, 1), list[str]()
    while job := plan.next():
        free = [one.id for one in jobs if one.id not in ended and set(one.after) <= set(ended)]
        assert job.id == free[0]
        plan.begin(job)
        plan.end(job, ok=True)
        ended.append(job.id)
    assert len(ended) == len(jobs)


def test_one_worker_works_from_the_first_line_to_the_last(batch: Batch) -> None:
    batch.write(*(shell(appends(str(number))) for number in range(6)))
    assert batch.run("--workers", "1").code == 0
    assert batch.lines("ran") == ["0", "1", "2", "3", "4", "5"]


def test_a_task_waits_for_those_it_names_wherever_they_are(batch: Batch) -> None:
    batch.write(
        shell(appends("last"), after=["a", "b"]),
        shell(f"{until_there('b-ran')}; {appends('a')}", id="a"),
        shell(f"{appends('b')}; touch b-ran", id="b"),
    )
    done = batch.run("--workers", "3")
    assert (done.code, batch.lines("ran")) == (0, ["b", "a", "last"])
    assert done.results[-1]["id"] == "1"
    assert done.by_id["1"]["after"] == ["a", "b"]


def test_as_many_run_at_once_as_there_are_workers_and_no_more(batch: Batch) -> None:
    """Each notes how many are there besides it; the first wave waits until it is complete."""
    script = 'echo x > in-$$; while [ ! -e full ] && [ "$(ls in-* | wc -l)" -lt 3 ]; do sleep 0.02; done; touch full; '
    script += "ls in-* | wc -l >> seen; rm in-$$"
    batch.write(*(shell(script) for _ in range(9)))
    assert batch.run("--workers", "3").code == 0
    seen = [int(word) for word in batch.lines("seen")]
    assert (len(seen), max(seen)) == (9, 3)
