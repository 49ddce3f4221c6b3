"""Which client a seed is played with: one program in five is of another one than Claude Code, each in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator import generate
from simulator.clients import CLIENTS
from simulator.clients import generate as others

if TYPE_CHECKING:
    from simulator.program import Program

CLAUDE = "claude"
ALL = (CLAUDE, *CLIENTS)
EVERY = 5


def program(seed: int, client: str = "") -> Program:
    """`client`: of this one only."""
    chosen = client or client_of(seed)
    return generate.generate(seed) if chosen == CLAUDE else others.generate(chosen, seed)


def client_of(seed: int) -> str:
    names = tuple(CLIENTS)
    return names[seed // EVERY % len(names)] if seed % EVERY == 0 else CLAUDE
