"""Which task waits for which: whether that can work out, and how far a label reaches. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agency.dispatch.reading import wrong

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agency.dispatch.job import Job


def check(source: str, jobs: Sequence[Job]) -> None:
    """NotDone names the line of a doubled id, of an unknown one in `after`, and of a circle."""
    known: dict[str, Job] = {}
    for job in jobs:
        if job.id in known:
            raise wrong(source, job.line, f"the id {job.id!r} is also that of line {known[job.id].line}")
        known[job.id] = job
    for job in jobs:
        for id_ in job.after:
            if id_ not in known:
                raise wrong(source, job.line, f"no task {id_!r}, for which {job.id!r} would wait")
    if circle := cycle(known):
        line = known[circle[0]].line
        raise wrong(source, line, f"these wait for each other: {' → '.join((*circle, circle[0]))}")


def cycle(jobs: Mapping[str, Job]) -> list[str]:
    """Tasks that wait for each other in a circle, each for the next; [] if there is none."""
    done: set[str] = set()
    for first in jobs:
        if found := _circle_from(first, jobs, done):
            return found
    return []


def _circle_from(first: str, jobs: Mapping[str, Job], done: set[str]) -> list[str]:
    """Without recursion: a chain of tasks may be longer than Python's stack is high."""
    path, at, left = [first], {first: 0}, [iter(jobs[first].after)]
    while path:
        following = next((id_ for id_ in left[-1] if id_ not in done), None)
        if following is None:
            done.add(path[-1])
            del at[path.pop()]
            left.pop()
        elif following in at:
            return path[at[following] :]
        else:
            at[following] = len(path)
            path.append(following)
            left.append(iter(jobs[following].after))
    return []


def dependants(jobs: Sequence[Job]) -> dict[str, list[Job]]:
    found: dict[str, list[Job]] = {job.id: [] for job in jobs}
    for job in jobs:
        for id_ in job.after:
            found[id_].append(job)
    return found


def untrusted(jobs: Sequence[Job]) -> frozenset[str]:
    """Those that are marked, and all that come after one of them."""
    below, found = dependants(jobs), set[str]()
    left = [job for job in jobs if job.untrusted]
    while left:
        job = left.pop()
        if job.id not in found:
            found.add(job.id)
            left += below[job.id]
    return frozenset(found)
