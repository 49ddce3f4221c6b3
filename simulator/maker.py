"""What makes programs from a seed, whichever client they are of: what is left to chance, and what is added so far."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from simulator.model import rehearse

if TYPE_CHECKING:
    from simulator.model import Played
    from simulator.program import Deed, Program

LONGEST_S = 30.0
MOST_PROMPTS = 3
MEETING_S = 0.1


class Maker:
    _program: Program

    def __init__(self, seed: int | str, features: tuple[str, ...]) -> None:
        self._random = Random(seed)  # noqa: S311 - a seed decides everything
        self._on = {name for name in features if self._random.random() < 0.5}  # noqa: PLR2004
        self._known: tuple[Program, Played] | None = None  # the program that was played last

    def _is_on(self, feature: str, share: float) -> bool:
        return feature in self._on and self._once_in(share)

    def _once_in(self, share: float) -> bool:
        return self._random.random() < share

    def _add(self, *deeds: Deed) -> None:
        in_order = sorted((*self._program.deeds, *deeds), key=lambda deed: deed.at)
        self._program = replace(self._program, deeds=tuple(in_order))

    def _played(self) -> Played:
        if self._known is None or self._known[0] is not self._program:
            self._known = (self._program, rehearse(self._program))
        return self._known[1]

    def _meeting(self, after: float, earliest: float, instead: float) -> float:
        """A moment at which something else happens as well; of those `after` this one, if there are any."""
        moments = [one.at for one in self._played().seen if one.at > after] or [instead]
        return round(max(earliest, self._random.choice(moments) + self._random.uniform(-MEETING_S, MEETING_S)), 3)
