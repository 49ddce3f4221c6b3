"""What a program gets on top of what its seed first meant: so old seeds keep their steps, and may get new ones."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from simulator.model import play
from simulator.program import Call, Deed, Move, Program, Retry, Spawn

if TYPE_CHECKING:
    from collections.abc import Callable

FEATURES = ("forks", "retries", "denials", "monitors")
NOWHERE = "/nowhere"
MEETING_S = 0.1


def with_more(program: Program) -> Program:
    return _More(program).program()


class _More:
    """A source of chance of its own: what is added changes nothing of what was there before."""

    def __init__(self, program: Program) -> None:
        self._random = Random(f"{program.seed} more")  # noqa: S311 - a seed decides everything
        self._on = {name for name in FEATURES if self._random.random() < 0.5}  # noqa: PLR2004
        self._program = program

    def program(self) -> Program:
        adding: dict[str, Callable[[], None]] = {
            "retries": lambda: self._put_in(Retry(self._random.choice((0.6, 3.0)), self._random.choice((0, 2)))),
            "denials": lambda: self._put_in(Call(*self._what(), 0.1, denied=True)),
            "monitors": lambda: self._put_in(Call("Monitor", "tail -f log", self._random.choice((1.0, 4.0, 9.0)))),
            "forks": self._fork,
        }
        for name, add in adding.items():
            if name in self._on and self._once_in(0.5):
                add()
        return self._program

    def _once_in(self, share: float) -> bool:
        return self._random.random() < share

    def _what(self) -> tuple[str, str]:
        return self._random.choice((("Bash", "rm -rf build"), ("Write", "secrets.txt"), ("mcp__web__fetch", "it")))

    def _add(self, *deeds: Deed) -> None:
        found = sorted((*self._program.deeds, *deeds), key=lambda deed: deed.at)
        self._program = replace(self._program, deeds=tuple(found))

    def _end(self) -> float:
        return round(play(self._program, NOWHERE).end + 0.3, 2)

    def _moment(self) -> float:
        """One at which something else happens as well."""
        moments = [one.at for one in play(self._program, NOWHERE).seen if one.at > 0.5] or [1.0]  # noqa: PLR2004
        return round(max(0.3, self._random.choice(moments) + self._random.uniform(-MEETING_S, MEETING_S)), 3)

    # --- what a person does

    def _fork(self) -> None:
        at = self._end() if self._once_in(0.5) else max(3.0, self._moment())  # what is forked has been talked to
        gap = self._random.choice((1.0, 3.0))
        self._add(Deed(at, "e", "fork", word="a"), Deed(round(at + gap, 3), "e", "prompt", self._script()))

    def _script(self) -> tuple[Move, ...]:
        prompts = [deed.script for deed in self._program.deeds if deed.do == "prompt" and deed.script]
        return self._random.choice(prompts) if prompts and self._once_in(0.5) else ()

    # --- what an agent does

    def _put_in(self, move: Move) -> None:
        """Somewhere into what an agent does for a prompt."""
        prompts = [deed for deed in self._program.deeds if deed.do == "prompt"]
        if prompts:
            chosen = self._random.choice(prompts)
            script = self._inserted(chosen.script, move)
            deeds = tuple(replace(one, script=script) if one is chosen else one for one in self._program.deeds)
            self._program = replace(self._program, deeds=deeds)

    def _inserted(self, script: tuple[Move, ...], move: Move) -> tuple[Move, ...]:
        spawns = [index for index, one in enumerate(script) if isinstance(one, Spawn)]
        if spawns and self._once_in(0.4):
            at = self._random.choice(spawns)
            outer = script[at]
            assert isinstance(outer, Spawn)
            return (*script[:at], replace(outer, script=self._inserted(outer.script, move)), *script[at + 1 :])
        at = self._random.randint(0, len(script))
        return (*script[:at], move, *script[at:])
