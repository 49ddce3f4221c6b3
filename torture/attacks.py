"""The attacks, in the order in which they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from torture import (
    clocks,
    disks,
    errors,
    folders,
    fuzz,
    hostile,
    inotify,
    jumps,
    kills,
    many,
    parallel,
    soak,
    stopped,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from torture.dose import Dose
    from torture.result import Result


class Attack(NamedTuple):
    name: str
    what: str
    run: Callable[[Dose], Result]


MODULES = (kills, errors, disks, stopped, parallel, hostile, jumps, inotify, many, folders, clocks, fuzz, soak)
ATTACKS = {one.NAME: Attack(one.NAME, one.WHAT, one.run) for one in MODULES}
