"""What an agent tells its host, in our own words: values that each client's stream is read into."""

from __future__ import annotations

from typing import Any, NamedTuple


class Asked(NamedTuple):
    """It waits for an answer to this."""

    id: str  # the client's own, which its answer must have
    given: dict[str, Any]


class Cancelled(NamedTuple):
    """It does not wait for this answer any more: a hook has decided, or the call was given up."""

    id: str


class Unserved(NamedTuple):
    """It waits for something that we cannot give."""

    id: str


class Rests(NamedTuple):
    """Whether it is done until it is told more, or something that it has left running ends."""

    is_resting: bool


class Finished(NamedTuple):
    """A turn is over. Of several, the last one has the agent's last words."""

    line: bytes


class Mode(NamedTuple):
    name: str  # the permission mode


class Tasks(NamedTuple):
    """All that it has left running."""

    ids: frozenset[str]


class TaskStarted(NamedTuple):
    id: str


class TaskEnded(NamedTuple):
    id: str


Event = Asked | Cancelled | Unserved | Rests | Finished | Mode | Tasks | TaskStarted | TaskEnded
