"""A transcript that is followed already grows by more than anybody can read at once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bench.sleepers import Sleepers
from contract.status import NEEDS_APPROVAL
from torture.apart import FellError, apart
from torture.furniture import OTHER, furnish, transcript_of
from torture.hostile import MOST_READ
from torture.looking import Look, behind_a_wall, bytes_read
from torture.result import Count, Result
from torture.room import asks

if TYPE_CHECKING:
    from collections.abc import Callable

    from torture.dose import Dose
    from torture.room import Room

NAME = "jumps"
WHAT = "a followed transcript grows by more than can be read at once: a look reads little, and others are shown"
LINES = b'{"type":"mode","mode":"normal"}\n' * (1 << 15)


def run(dose: Dose) -> Result:
    count = Count("a followed transcript jumps")
    size = dose.pick(96 << 20, 1_300_000_000)
    kinds: dict[str, Callable[[str], None]] = {
        "a hole": lambda path: os.truncate(path, size),
        "short lines": lambda path: _append(path, size),
    }
    with Sleepers(2) as clients:
        for name, grow in kinds.items():
            room = dose.room(f"jumps-{len(name)}")
            try:
                shown, read = apart(lambda room=room, grow=grow: _endure(room, clients.pids, grow))  # type: ignore[misc]
            except FellError as error:
                shown, read = str(error), 0
            count.blow(hit=os.path.getsize(transcript_of(room)) >= size, where=name)
            count.check(shown == NEEDS_APPROVAL, f"{name}: another session that asks is {shown!r}")
            count.check(read < MOST_READ, f"{size:,} bytes of {name}: one look read {read:,} bytes")
            os.unlink(transcript_of(room))
    return Result(NAME, (count.tally(),))


def _append(path: str, size: int) -> None:
    with open(path, "ab") as file:
        while file.tell() < size:
            file.write(LINES)


def _endure(room: Room, pids: list[int], grow: Callable[[str], None]) -> tuple[str, int]:
    """What another session that asks shows after one look, and how much that look read."""
    behind_a_wall()
    furnish(room, pids)
    look = Look(room)
    grow(transcript_of(room))
    begun = bytes_read()
    room.keep(asks(OTHER), pids[1])
    look.at(transcript_of(room), room.fact_path(session=OTHER))
    return look.shows(OTHER), bytes_read() - begun
