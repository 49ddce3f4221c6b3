"""The one moment that all pictures show: a scene of the demo that has stood still for some minutes."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, NamedTuple

from contract.status import NEEDS_APPROVAL, WAITING, SessionStatus
from statusbar.demo.fake_watcher import FakeWatcher
from statusbar.demo.scenario import sessions

if TYPE_CHECKING:
    from collections.abc import Iterator

MOMENT = 27.0  # of the demo: a sub-agent asks, a team works
STILL_S = 250.0
FOLDER = "/home/me"


class Extra(NamedTuple):
    """A session that the demo does not have."""

    project: str
    name: str
    status: str
    detail: str
    minutes: int


EXTRAS = (
    Extra("phone", "onboarding", NEEDS_APPROVAL, "question", 1),
    Extra("blog", "feed-reader", WAITING, "error: usage limit", 12),
    Extra("notes", "notes", WAITING, "", 60 * 24 * 2),
    Extra("mail", "mail-filter", WAITING, "", 60 * 24 * 3),
)


def story(now: float) -> tuple[SessionStatus, ...]:
    played = sessions(MOMENT, now - STILL_S - MOMENT)
    return tuple(_reachable(one) for one in (*played, *(_session(one, now) for one in EXTRAS)))


@contextlib.contextmanager
def told() -> Iterator[str]:
    """A state folder in which the story is laid down, as a watcher would."""
    with FakeWatcher() as watcher:
        watcher.write(story(time.time()), time.time())
        yield watcher.home


def _session(one: Extra, now: float) -> SessionStatus:
    return SessionStatus(
        session_id=one.project, name=one.name, cwd=f"/demo/{one.project}", pid=None, status=one.status,
        detail=one.detail, since=now - one.minutes * 60, rule="turn-over", evidence="hook",
        client="claude",
    )  # fmt: skip


def _reachable(one: SessionStatus) -> SessionStatus:
    """What the demo leaves out, as nobody is there: a terminal to go to, a transcript to show."""
    folder = one.cwd.replace("/demo", FOLDER, 1)
    return one._replace(cwd=folder, terminal={"TMUX_PANE": "%1"}, transcript=f"{folder}/t.jsonl")
