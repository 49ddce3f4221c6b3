"""From a seed to a program: some features at a time, and weighted towards things that happen at the same moment."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from simulator.model import play
from simulator.program import FEEDBACK, NO, YES, Ask, Call, Deed, Move, Own, Program, Say, Spawn, Together

if TYPE_CHECKING:
    from simulator.model import Played

FEATURES = (
    "asks", "questions", "escapes", "no process", "equal calls", "kills", "sub-agents", "foreground", "nested",
    "together", "own permission", "own stop",
)  # fmt: skip
NOWHERE = "/nowhere"
LONGEST_S = 30.0
MOST_PROMPTS = 3
MEETING_S = 0.1

COMMANDS = ("npm test", "npm install x", "ls -la", "make -j4 all", "git push origin main", "cat 'a b'", 'echo "$HOME"')
FILES = ("main.py", "a b.txt", "Makefile", "src.rs")
SERVERS = ("mcp__files__wait", "mcp__web__fetch", "WebSearch")


def generate(seed: int) -> Program:
    return _Maker(seed).program()


class _Maker:
    def __init__(self, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311 - a seed decides everything
        self._on = {name for name in FEATURES if self._random.random() < 0.5}  # noqa: PLR2004
        self._program = Program(seed, (), registry=self._once_in(0.75), processes=self._once_in(0.85), own=Own())
        self._moves = self._random.randint(3, 12)  # left to make: small programs are quick, and are read more easily
        self._agents = self._random.randint(1, 4)  # left to start
        self._program = replace(self._program, own=self._own())

    def program(self) -> Program:
        self._add(Deed(0.0, "a", "start"))
        for _ in range(MOST_PROMPTS):
            if self._moves > 0:
                self._add_prompt("a")
        if "escapes" in self._on:
            self._add_meeting("escape")
        if "kills" in self._on and self._once_in(0.3):
            self._add_meeting("kill")
        return self._program

    def _once_in(self, share: float) -> bool:
        return self._random.random() < share

    def _add(self, deed: Deed) -> None:
        deeds = sorted((*self._program.deeds, deed), key=lambda deed: deed.at)
        self._program = replace(self._program, deeds=tuple(deeds))

    def _played(self) -> Played:
        return play(self._program, NOWHERE)

    def _add_prompt(self, session: str) -> None:
        """Some time after everything before it is over, or at the very moment."""
        end = self._played().end
        if end < LONGEST_S:
            gap = self._random.choice((0.02, 0.3, 1.0, 3.0))
            self._add(Deed(round(end + gap, 2), session, "prompt", self._script()))

    def _add_meeting(self, do: str) -> None:
        """At a moment at which something else happens as well."""
        moments = [one.at for one in self._played().seen if one.at > 0.5]  # noqa: PLR2004
        at = self._random.choice(moments) + self._random.uniform(-MEETING_S, MEETING_S)
        self._add(Deed(round(at, 3), "a", do))

    def _own(self) -> Own:
        permission = self._random.choice((YES, YES, NO)) if "own permission" in self._on else ""
        blocks = self._random.choice((0, 1, 1, 2)) if "own stop" in self._on else 0
        after = self._random.choice((0.0, 0.0, 0.3, 1.5))
        return Own(permission, after if permission or blocks else 0.0, blocks, (self._call(),) if blocks else ())

    # --- scripts

    def _script(self, depth: int = 0) -> tuple[Move, ...]:
        many = min(self._random.randint(1, 4 - depth), max(self._moves, 1))
        self._moves -= many
        return tuple(self._move(depth) for _ in range(many))

    def _move(self, depth: int) -> Move:
        deepest = 2 if "nested" in self._on else 1
        if "sub-agents" in self._on and self._agents > 0 and depth < deepest and self._once_in(0.5):
            return self._spawns(depth)
        if "together" in self._on and self._once_in(0.3):
            return Together(tuple(self._call() for _ in range(self._random.randint(2, 3))))
        return Say(self._short()) if self._once_in(0.3) else self._call()

    def _spawns(self, depth: int) -> Move:
        """Often two at once, which then do something at the same moment."""
        background = "foreground" not in self._on or self._once_in(0.5)
        many = min(self._random.choice((1, 2, 2, 3)), self._agents)
        self._agents -= many
        named = [f"job {self._random.randint(1, 999)}" for _ in range(many)]
        spawned = [Spawn(name, self._script(depth + 1), background=background) for name in named]
        if many == 1:
            return spawned[0]
        if self._once_in(0.5):  # they begin with a call each, so these meet
            spawned = [replace(one, script=(self._call(), *one.script)) for one in spawned]
        return Together(tuple(spawned))

    def _call(self) -> Call:
        if "questions" in self._on and self._once_in(0.2):
            tool = self._random.choice(("AskUserQuestion", "ExitPlanMode"))
            return Call(tool, f"which {self._random.randint(1, 9)}", 0.01, self._ask())
        tool, target = self._what()
        ask = self._ask() if "asks" in self._on and self._once_in(0.6) else None
        return Call(tool, target, self._long(), ask, fails=self._once_in(0.1))

    def _what(self) -> tuple[str, str]:
        kind = self._random.choice(("Bash", "file", "server") if "no process" in self._on else ("Bash",))
        if kind == "Bash":
            extra = "" if "equal calls" in self._on else f" {self._random.randint(1, 999)}"
            return "Bash", self._random.choice(COMMANDS) + extra
        if kind == "file":
            return self._random.choice(("Edit", "Write", "Read")), self._random.choice(FILES)
        return self._random.choice(SERVERS), f"{self._random.randint(1, 99)}"

    def _ask(self) -> Ask:
        answer = self._random.choices((YES, NO, FEEDBACK, ""), (6, 2, 1, 1))[0]
        return Ask(answer, self._random.choice((0.3, 0.5, 1.0, 3.0)))

    def _short(self) -> float:
        return self._random.choice((0.05, 0.3, 1.0, 2.5))

    def _long(self) -> float:
        return self._random.choice((0.02, 0.2, 1.0, 3.0, 6.0))
