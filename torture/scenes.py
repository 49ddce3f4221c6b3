"""The ways through the hook that touch files, each set up anew for every blow."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from contract import paths
from recorder.trouble import LIMIT
from torture.room import SESSION, call

if TYPE_CHECKING:
    from collections.abc import Callable

    from torture.room import Room

OLD, NEW, NEXT = "t-old", "t-new", "t-next"


class Scene(NamedTuple):
    name: str
    prepare: Callable[[Room], None]
    payload: dict[str, Any] | bytes = call("PreToolUse", NEW)
    may_be: tuple[frozenset[str], ...] = (frozenset({OLD}), frozenset({OLD, NEW}))  # what is under way after it
    pid: str = ""  # of the client that speaks
    is_torn: bool = False  # the fact is before the event


def touched(room: Room) -> list[str]:
    """All paths of ours that a hook may touch."""
    fact, log = room.fact_path(), paths.hook_log(room.state)
    twin = room.fact_path(session=paths.twin(SESSION, 1))
    beside = [one + end for one in (fact, twin) for end in ("", ".lock", ".tmp", ".bad")]
    return [room.path, room.state, paths.fact_dir(room.state), *beside, log, f"{log}.1"]


def _nothing(_room: Room) -> None:
    return


def _known(room: Room) -> None:
    room.hook(call("PreToolUse", OLD))


def _left_by_a_killed_one(room: Room) -> None:
    _known(room)
    _write(room.fact_path() + ".tmp", b'{"v":1,"sess')


def _garbage(room: Room) -> None:
    _known(room)
    _write(room.fact_path(), b'{"v":1,"session":"x","age')


def _full_log(room: Room) -> None:
    _known(room)
    _write(paths.hook_log(room.state), b"x" * (LIMIT - 1))


def _write(path: str, data: bytes) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)


NONE = frozenset[str]()
SCENES = (
    Scene("the usual event", _known),
    Scene("the very first event", _nothing, may_be=(NONE, frozenset({NEW}))),
    Scene("after a killed writer", _left_by_a_killed_one),
    Scene("a fact that is garbage", _garbage, may_be=(NONE, frozenset({NEW})), is_torn=True),
    Scene("an event that is garbage", _full_log, b"hello", (frozenset({OLD}),)),
    Scene("a second process", _known, may_be=(frozenset({OLD}),), pid="1"),
)
