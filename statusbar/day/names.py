"""What the sessions of a history are called: as the log says, or for lines of older versions the status files. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract.status import WAITING, SessionStatus
from statusbar.model.names import distinct_names
from statusbar.model.projects import projects

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statusbar.day.history import Course


class Named(NamedTuple):
    """All texts are clean, except the session's id, which is for looking up."""

    session: str
    project: str  # '' if nobody knows
    name: str
    hidden: bool


def names(courses: Iterable[Course], statuses: Iterable[SessionStatus]) -> list[Named]:
    """In the order of the courses."""
    known = {status.session_id: status for status in statuses}
    found = [_status(course, known.get(course.session)) for course in courses]
    places, words = projects(found), distinct_names(found)
    return [Named(one.session_id, places[one.session_id], words[one.session_id], one.hidden) for one in found]


def _status(course: Course, now: SessionStatus | None) -> SessionStatus:
    about = course.about
    if about is None:
        return now or SessionStatus(course.session, "", "", None, WAITING, "", 0.0, "", "")
    return SessionStatus(course.session, about.name, about.cwd, None, WAITING, "", 0.0, "", "", hidden=about.hidden)
