"""Programs for the simulator."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import simulator.program
from simulator.program import Deed, Program
from support.project import PROJECT

if TYPE_CHECKING:
    from simulator.program import Move

REPLAY = PROJECT / "tests" / "replay"


def prompted(*script: Move, **more: object) -> Program:
    deeds = (Deed(0.0, "a", "start"), Deed(1.0, "a", "prompt", script))
    return replace(Program(1, deeds, even=True), **more)  # type: ignore[arg-type]


def pasted(source: str) -> Program:
    found = eval(source, dict(vars(simulator.program)))  # noqa: S307 - our own words
    assert isinstance(found, Program)
    return found
