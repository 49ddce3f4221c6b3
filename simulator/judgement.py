"""One program from its values to its verdict."""

from __future__ import annotations

import os
import tempfile
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from simulator.checker import Findings, check
from simulator.disk import Disk, hooks_see
from simulator.model import Played, play
from simulator.table import Table
from simulator.truth import WAITING
from simulator.unknowable import excuses
from simulator.visits import visits_see
from simulator.watching import Shown, Watching

if TYPE_CHECKING:
    from simulator.program import Program
    from simulator.truth import Truth
    from simulator.unknowable import Excuse

QUIET_S = 8.0  # after the last event: the bound, a poll and the longest bridge
MEMORY = "/dev/shm"  # noqa: S108 - a folder of our own is made in it


class Judgement(NamedTuple):
    program: Program
    played: Played
    shown: list[Shown]
    findings: Findings


def judge(program: Program) -> Judgement:
    folder = MEMORY if os.path.isdir(MEMORY) and os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="yourturn-simulator-", dir=folder) as root:
        table = Table(readable=program.processes)
        disk = Disk(root, table)
        played = play(program, disk.config)
        allowed = excuses(program, played.truth)
        end = QUIET_S + max([played.end, *_lapses(played.truth, allowed)])
        with hooks_see(table), visits_see(table) as visits:
            watching = Watching(disk, table, visits)
            watching.follow(played.seen, end)
    findings = check(played.truth, watching.shown, allowed, end)
    return Judgement(program, played, watching.shown, findings)


def _lapses(truth: Truth, allowed: list[Excuse]) -> list[float]:
    """When a guess must have been made of those who rest at the end."""
    resting = {key for key, changes in truth.changes.items() if changes[-1].state == WAITING}
    return [excuse.until for excuse in allowed if excuse.key in resting and excuse.until < inf]
