"""A program's scripts in the language of the scripted API: whatever takes time waits at a gate or a door of its own."""

from __future__ import annotations

import os
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from e2e.harness import mcp_server
from e2e.harness.script import ask, bash, script, spawn, text, together, tool
from simulator.program import Call, Compact, Deed, Fail, Move, Program, Retry, Say, Spawn, Together, Wait

if TYPE_CHECKING:
    from collections.abc import Iterator

    from e2e.harness.home import Home
    from e2e.harness.script import Step

MUCH = 1_500_000  # tokens: the client compacts before its next request
STATUS = {"rate_limit": 429, "invalid_request": 400, "server_error": 500, "overloaded": 529}
# Two commands that wait at a door: the settings allow the first, and the client asks for the second.
FREE, ASKED = "sh ../free", "sh ../asked"
WATCHES = "sh ../watches"  # says one thing at its first door, and ends at its second
READS = "cat "  # what the client takes for a command that only reads, inside the project
COMMAND = 'cat "$1"; exit "${2:-0}"\n'
MONITOR = 'cat "$1"; echo one; cat "$2"\n'


class Staged:
    def __init__(self, home: Home, program: Program) -> None:
        self._home, self._doors = home, dict[int, str]()
        for name, words in {"free": COMMAND, "asked": COMMAND, "watches": MONITOR}.items():
            with open(f"{home.path}/{name}", "w", encoding="ascii") as file:
                file.write(words)
        for number, call in enumerate(calls(program)):
            self._doors[id(call)] = home.door(f"proj/door{number}")
            if call.tool == "Monitor":
                home.door(f"proj/door{number}.tells")

    def prompt(self, *scripts: tuple[Move, ...]) -> str:
        """One turn after the other."""
        return script(*(step for moves in scripts for step in self._steps(moves)))

    def door(self, call: Call) -> str:
        """Where it waits; empty for a tool that cannot wait."""
        return self._doors[id(call)] if call.tool in ("Bash", "Monitor", *mcp_server.TOOLS) else ""

    def tells(self, call: Call) -> str:
        """Where a monitor waits before it says something."""
        return f"{self._doors[id(call)]}.tells"

    def _steps(self, moves: tuple[Move, ...]) -> list[Step]:
        steps: list[Step] = []
        before: Step = {}  # what an earlier move says of the next answer
        for move, after in zip_longest(moves, moves[1:]):
            if isinstance(move, Retry):
                before |= {"status": STATUS["overloaded"], "error": "overloaded_error", "times": 2}
            elif isinstance(move, Wait):
                before["hold"] = gate(move)
            elif isinstance(move, Say) and isinstance(after, Call | Together | Spawn):
                before |= _words(move)
            elif isinstance(move, Compact):
                steps[-1]["tokens"] = MUCH
            else:
                steps.append({**self._step(move), **before})
                before = {}
        return steps

    def _step(self, move: Move) -> Step:
        match move:
            case Say():
                return _words(move)
            case Fail(_, error):
                return text("not said", status=STATUS[error], error=f"{error}_error", hold=gate(move))
            case Together(several):
                return together(*(self._step(one) for one in several))
            case Spawn(name, moves, _, is_mate):
                return spawn(name, *self._steps(moves), **({"name": name} if is_mate else {}))
            case Call():
                return self._call(move)
        raise TypeError(move)

    def _call(self, call: Call) -> Step:
        door = self._doors[id(call)]
        match call.tool:
            case "Bash":
                words = f"{ASKED if call.ask else FREE} {door}" + " 1" * call.fails
                if call.target.startswith(READS):
                    words = f"{READS}{os.path.basename(door)}"
                return bash(words, **({"run_in_background": True} if call.background else {}))
            case "Monitor":
                words = f"{WATCHES} {self.tells(call)} {door}"
                return tool("Monitor", command=words, description="watch", timeout_ms=60_000, persistent=False)
            case "Write":
                return tool(
                    "Write", file_path=f"{self._home.project}/{'asked' if call.ask else 'free'}.txt", content="x"
                )
            case "AskUserQuestion":
                return ask(call.target, "this", "that")
            case "ExitPlanMode":
                return tool("ExitPlanMode", plan=f"# {call.target}")
            case mcp_server.TOOL | mcp_server.ASKING:
                return tool(call.tool, door=door)
        return tool(call.tool, **INPUTS[call.tool])


INPUTS: dict[str, dict[str, Any]] = {"CronCreate": {"cron": "5 14 * * *", "prompt": "look", "recurring": True}}


def _words(move: Say) -> Step:
    return text(f"{first_word(move)}\n\nand more", pause=gate(move))


def first_word(move: Say) -> str:
    """Seen nowhere else on the screen, and shown before the rest has come, as its paragraph is over."""
    return f"word{id(move)}"


def gate(move: Move | Deed) -> str:
    return f"gate {id(move)}"


def calls(program: Program) -> Iterator[Call]:
    yield from (move for move in moves_of(program) if isinstance(move, Call))


def moves_of(program: Program) -> Iterator[Move]:
    for deed in program.deeds:
        yield from _all(deed.script)
    yield from _all(program.own.sent_back_to)


def _all(moves: tuple[Move, ...]) -> Iterator[Move]:
    for move in moves:
        yield move
        if isinstance(move, Together):
            yield from _all(move.calls)
        elif isinstance(move, Spawn):
            yield from _all(move.script)
