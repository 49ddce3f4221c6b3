"""What nobody can know: the one list of what the checker lets pass, each with its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from simulator.agent import FIRST
from simulator.calls import APPROVED
from simulator.truth import NEEDS_APPROVAL, PROMPTLY, WORKING, Episode

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulator.program import Program
    from simulator.truth import Key, Truth


class Excuse(NamedTuple):
    """From here to there this agent may show this state."""

    name: str
    key: Key
    begin: float
    until: float
    state: str

    def allows(self, state: str) -> bool:
        return state == self.state


class Unknowable(NamedTuple):
    reason: str
    kind: str  # of the episode
    state: str  # that may be shown instead of the truth
    applies: Callable[[Program, Episode], bool]


UNKNOWABLE = {
    "escape before any output": Unknowable(
        "the client says nothing but in the registry, which is not there",
        FIRST,
        WORKING,
        lambda program, _: not program.registry,
    ),
    "approval of a tool without a process": Unknowable(
        "without the registry only the result tells of it",
        APPROVED,
        NEEDS_APPROVAL,
        lambda program, episode: not program.registry and (episode.detail != "Bash" or not program.processes),
    ),
}


def excuses(program: Program, truth: Truth) -> list[Excuse]:
    return [
        Excuse(name, episode.key, episode.begin, episode.end + PROMPTLY, one.state)
        for name, one in UNKNOWABLE.items()
        for episode in truth.episodes
        if episode.kind == one.kind and one.applies(program, episode)
    ]
