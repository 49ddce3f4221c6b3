"""From the lines of the log to what each session did: spans that follow each other and never overlap. Pure.

Where nobody watched, a span says that the state is unknown. Lines are taken in their order in the file: where one is
dated earlier than the line before it, the clock was set back, and what had been noted for later than that goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract.observed import GONE, START
from contract.pulse import SILENT_S
from statusbar.day.log_lines import About, Watching
from statusbar.day.spans import UNKNOWN, Gap, Span, merged, with_gaps

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statusbar.day.log_lines import Stand

SKEW_S = 1.0  # a time that goes back by less was only noted late
BEGUN_S = 5.0  # a light that came on so long before it was told was not seen to come on


class Course(NamedTuple):
    """What is known of one session."""

    session: str
    about: About | None  # None if no line tells its name
    spans: tuple[Span, ...]


class History(NamedTuple):
    since: float  # when the first line was written; 0 if there is none
    until: float
    gaps: tuple[Gap, ...]  # when nobody watched
    courses: tuple[Course, ...]
    watched_since: float = 0.0  # before that, it was not noted when nobody watched; 0 if it never was


class End(NamedTuple):
    """The present, and what is known of the last watcher."""

    now: float
    seen: float  # until when it looked; 0 if nobody knows
    rested: bool = False  # nothing ran when it went, and nothing has begun since


def history(records: Iterable[Stand | Watching], end: End) -> History:
    told = _Log()
    for record in records:
        told.take(record)
    return told.finished(end)


class _Session:
    def __init__(self) -> None:
        self.about: About | None = None
        self.spans: list[Span] = []
        self.open: Span | None = None  # its end is not known yet
        self.lost: Span | None = None  # it was open when the watching ended

    def stand(self, record: Stand) -> None:
        self.about = record.about or self.about
        self._find(record)
        if record.status == GONE:
            self.close(record.at)
        elif self.open is None or self.open.state != (record.status, record.running):
            is_cut = self.open is None and 0 < record.since < record.at - BEGUN_S
            self.close(record.at)
            self.open = Span(record.at, record.at, record.status, record.running, is_cut)

    def close(self, at: float) -> None:
        if self.open and at > self.open.begin:
            self.spans.append(self.open._replace(end=at))
        self.open = None

    def lose(self, since: float, until: float) -> None:
        """Nobody watched in between, and who watches now has told nothing about it yet."""
        if self.open:
            since = max(since, self.open.begin)
            self.lost = self.open._replace(end=since)
            self.close(since)
            if until - since > SILENT_S:
                self.spans.append(Span(since, until, UNKNOWN))

    def _find(self, record: Stand) -> None:
        """Told again. As if nothing had been, if the watching had ended for a moment; else unknown until now."""
        lost, self.lost = self.lost, None
        if lost and record.at - lost.end <= SILENT_S:
            if self.spans and self.spans[-1] == lost:
                self.spans.pop()
            self.open = lost
        elif lost and record.status != GONE:
            if self.spans and self.spans[-1].status == UNKNOWN:
                self.spans.pop()
            self.spans.append(Span(lost.end, record.at, UNKNOWN))

    def cut(self, at: float) -> None:
        """Nothing was later than this."""
        self.spans = [span._replace(end=min(span.end, at)) for span in self.spans if span.begin < at]
        if self.open:
            self.open = self.open._replace(begin=min(self.open.begin, at))
        self.lost = None


class _Log:
    def __init__(self) -> None:
        self._sessions: dict[str, _Session] = {}
        self._gaps: list[Gap] = []
        self._first = self._last = self._watched_since = 0.0

    def take(self, record: Stand | Watching) -> None:
        if record.at < self._last - SKEW_S:
            self._cut(record.at)
        at = max(record.at, self._last)
        self._first = self._first or at
        if isinstance(record, Watching):
            self._watch(record, at)
        else:
            self._sessions.setdefault(record.session, _Session()).stand(record._replace(at=at))
        self._last = at

    def _watch(self, record: Watching, at: float) -> None:
        self._watched_since = self._watched_since or at
        since = record.since if 0 < record.since <= at else self._last or at
        if not record.rested:
            self._add_gap(since, at)
        if record.by == START:
            for session in self._sessions.values():
                session.lose(since, at)

    def _add_gap(self, since: float, until: float) -> None:
        if until - since > SILENT_S:
            self._gaps.append((since, until))

    def _cut(self, at: float) -> None:
        self._last = at
        self._first, self._watched_since = min(self._first, at), min(self._watched_since, at)
        self._gaps = [(begin, min(end, at)) for begin, end in self._gaps if begin < at]
        for session in self._sessions.values():
            session.cut(at)

    def finished(self, end: End) -> History:
        if self._last > end.now:
            self._cut(end.now)
        seen = min(max(end.seen, self._last), end.now)
        if self._first and not end.rested:
            self._add_gap(seen, end.now)
        for session in self._sessions.values():
            if end.rested or end.now - seen <= SILENT_S:
                session.close(seen if end.rested else end.now)
            else:
                session.lose(seen, end.now)
        return History(self._first, end.now, gaps := merged(self._gaps), self._courses(gaps), self._watched_since)

    def _courses(self, gaps: tuple[Gap, ...]) -> tuple[Course, ...]:
        found = (Course(name, one.about, with_gaps(one.spans, gaps)) for name, one in self._sessions.items())
        return tuple(course for course in found if course.spans)
