"""Numbers of some days: how quickly people answered, how many agents ran at once, what each project took. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from statusbar.day.blocks import Block, Ended, blocks
from statusbar.day.spans import UNKNOWN, Gap, clipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statusbar.day.history import History
    from statusbar.day.names import Named
    from statusbar.day.spans import Span

SLOW = 0.9


class Longest(NamedTuple):
    seconds: float
    project: str
    name: str
    at: float


class Most(NamedTuple):
    """How many agents were at work at once, at most, and when first."""

    agents: int = 0
    at: float = 0.0


class Project(NamedTuple):
    project: str
    sessions: int
    working: float
    waiting: float
    blocked: float
    unknown: float
    blocks: int


class Stats(NamedTuple):
    begin: float
    end: float
    gaps: tuple[Gap, ...]
    median: float | None  # seconds from the question to the answer
    slow: float | None  # nine of ten answers took no longer
    ended: dict[Ended, int]  # how many blocks ended in which way
    longest: Longest | None  # of those whose beginning was seen
    most: Most
    worked: float  # by all agents, added up
    projects: tuple[Project, ...]  # the one that was worked in longest first


Lived = tuple["Named", tuple["Span", ...], tuple[Block, ...]]


def stats(history: History, named: Sequence[Named], since: float) -> Stats:
    """Hidden sessions are left out: a team counts by its lead, which shows all its members."""
    begin, end = max(since, history.since), history.until
    lived: list[Lived] = [
        (one, clipped(course.spans, begin, end), _begun(blocks(course.spans, end), begin))
        for course, one in zip(history.courses, named, strict=True)
        if not one.hidden
    ]
    there = [each for each in lived if each[1]]
    found = [block for _, _, some in there for block in some]
    answers = sorted(block.seconds for block in found if block.how is Ended.ANSWERED)
    return Stats(
        begin,
        end,
        tuple((max(a, begin), min(b, end)) for a, b in history.gaps if b > begin),
        quantile(answers, 0.5),
        quantile(answers, SLOW),
        {how: sum(block.how is how for block in found) for how in Ended},
        _longest(there),
        at_once(span for _, spans, _ in there for span in spans),
        sum(span.running * span.seconds for _, spans, _ in there for span in spans),
        tuple(_projects(there)),
    )


def quantile(ordered: Sequence[float], part: float) -> float | None:
    """Between the two nearest, as far as it lies between them."""
    if not ordered:
        return None
    place = part * (len(ordered) - 1)
    low = ordered[int(place)]
    high = ordered[min(int(place) + 1, len(ordered) - 1)]
    return low + (high - low) * (place - int(place))


def at_once(spans: Iterable[Span]) -> Most:
    changes: dict[float, int] = {}
    for span in spans:
        changes[span.begin] = changes.get(span.begin, 0) + span.running
        changes[span.end] = changes.get(span.end, 0) - span.running
    most, running = Most(), 0
    for at in sorted(changes):
        running += changes[at]
        most = Most(running, at) if running > most.agents else most
    return most


def _begun(found: Iterable[Block], begin: float) -> tuple[Block, ...]:
    return tuple(block for block in found if block.begin >= begin)


def _longest(lived: Iterable[Lived]) -> Longest | None:
    """One that lasts counts, as it is that long at least."""
    found = [
        Longest(block.seconds, one.project, one.name, block.begin)
        for one, _, some in lived
        for block in some
        if block.how is not Ended.UNSEEN
    ]
    return max(found, key=lambda each: (each.seconds, -each.at), default=None)


def _projects(lived: Sequence[Lived]) -> list[Project]:
    found = [
        _project(project, [each for each in lived if each[0].project == project])
        for project in {one.project for one, _, _ in lived}
    ]
    return sorted(found, key=lambda each: (-each.working, -each.blocked, each.project))


def _project(project: str, lived: Sequence[Lived]) -> Project:
    working, waiting, blocked = (_seconds(lived, status) for status in (WORKING, WAITING, NEEDS_APPROVAL))
    number = sum(len(some) for _, _, some in lived)
    return Project(project, len(lived), working, waiting, blocked, _seconds(lived, UNKNOWN), number)


def _seconds(lived: Iterable[Lived], status: str) -> float:
    return sum(span.seconds for _, spans, _ in lived for span in spans if span.status == status)
