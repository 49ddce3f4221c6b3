"""What a program gets on top of what its seed first meant: so old seeds keep their steps, and may get new ones."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from simulator.model import rehearse
from simulator.program import FEEDBACK, NO, YES, Ask, Call, Deed, Fault, Move, Own, Program, Retry, Say, Spawn, Wait
from simulator.team import heard, with_team

if TYPE_CHECKING:
    from collections.abc import Callable

MEETING_S = 0.1
# Many programs have something that rules out panes or thoughts.
SHARES = {"panes": 0.45, "thoughts": 0.5, "no hooks": 0.15, "compactions": 0.15, "teams": 0.6, "lost ends": 0.6}
USUAL = 0.25


def with_additions(program: Program) -> Program:
    return _Additions(program).program()


class _Additions:
    """Each kind of step has a source of chance of its own, so that one more changes nothing of what others add.

    A new kind goes last, before the hooks are switched off.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._random = Random()  # noqa: S311 - another one for each kind

    def program(self) -> Program:
        adding: dict[str, Callable[[], None]] = {
            "panes": self._put_in_panes,
            "forks": self._fork,
            "retries": lambda: self._put_in(Retry(self._random.choice((0.6, 3.0)), self._random.choice((0, 2)))),
            "denials": lambda: self._put_in(Call(*self._tool_and_target(), 0.1, denied=True)),
            "monitors": lambda: self._put_in(Call("Monitor", "tail -f log", self._random.choice((1.0, 4.0, 9.0)))),
            "elicitations": lambda: self._put_in(self._eliciting()),
            "goals": self._goal,
            "thoughts": self._think_first,
            "old notes": self._forget_ends,
            "compactions": self._compact,
            "teams": self._team_up,
            "lost ends": self._lose_an_end,
            "menus": self._open_menu,
            "second thoughts": self._leave,
            "no hooks": self._switch_hooks_off,
        }
        for name, add in adding.items():
            self._random = Random(f"{self._program.seed} {name}")  # noqa: S311 - a seed decides everything
            if self._once_in(SHARES.get(name, USUAL)):
                add()
        return self._program

    def _switch_hooks_off(self) -> None:
        """Where the registry tells that there is a session; of teammates and of two terminals only hooks tell."""
        has_two = any(deed.session == "d" for deed in self._program.deeds)
        if self._program.registry and not self._program.has_mates and not has_two:
            faults = tuple(fault for fault in self._program.faults if fault.kind not in ("lost", "late", "twice"))
            self._program = replace(self._program, hooks=False, own=Own(), faults=faults)

    def _forget_ends(self) -> None:
        self._program = replace(self._program, notes=False)

    def _once_in(self, share: float) -> bool:
        return self._random.random() < share

    def _tool_and_target(self) -> tuple[str, str]:
        return self._random.choice((("Bash", "rm -rf build"), ("Write", "secrets.txt"), ("mcp__web__fetch", "it")))

    def _add(self, *deeds: Deed) -> None:
        in_order = sorted((*self._program.deeds, *deeds), key=lambda deed: deed.at)
        self._program = replace(self._program, deeds=tuple(in_order))

    def _end(self) -> float:
        return round(rehearse(self._program).end + 0.3, 2)

    def _moment(self) -> float:
        """One at which something else happens as well."""
        moments = [one.at for one in rehearse(self._program).seen if one.at > 0.5] or [1.0]  # noqa: PLR2004
        return round(max(0.3, self._random.choice(moments) + self._random.uniform(-MEETING_S, MEETING_S)), 3)

    # --- what a person does

    def _fork(self) -> None:
        if self._program.has_panes:
            return
        at = self._end() if self._once_in(0.5) else max(3.0, self._moment())  # what is forked has been talked to
        gap = self._random.choice((1.0, 3.0))
        self._add(Deed(at, "e", "fork", word="a"), Deed(round(at + gap, 3), "e", "prompt", self._script()))

    def _goal(self) -> None:
        if not self._program.own.stop_blocks:
            self._add(Deed(self._end(), "a", "goal", self._script()))

    def _open_menu(self) -> None:
        at = self._moment()
        self._add(Deed(at, "a", "menu"), Deed(round(at + self._random.choice((0.3, 1.5, 5.0)), 3), "a", "close menu"))

    def _leave(self) -> None:
        """With an escape before any output, of which the registry alone tells."""
        if self._program.has_panes:
            return
        at, escapes, exits = self._end(), self._random.choice((0.3, 0.6)), self._random.choice((1.2, 3.0))
        self._add(
            Deed(at, "a", "prompt", (Wait(3.0),)),
            Deed(round(at + escapes, 3), "a", "escape"),
            Deed(round(at + exits, 3), "a", "exit"),
        )

    def _compact(self) -> None:
        """In peace: what a person types in mid-turn waits, and most programs are busy at any moment."""
        how = self._random.choice(("done", "done", "refused", "failed"))
        self._add(Deed(self._end(), "a", "compact", word=how, takes=self._random.choice((0.3, 3.0, 8.0))))

    def _think_first(self) -> None:
        """Sent back to work by a Stop hook it calls nothing for a while: only the end of its rest tells of it."""
        own, moves = self._program.own, (Wait(3.0), Say(2.5), Say(1.0))
        if own.stop_blocks:
            self._program = replace(
                self._program, own=replace(own, sent_back_to=(self._random.choice(moves), *own.sent_back_to))
            )

    def _script(self) -> tuple[Move, ...]:
        prompts = [deed.script for deed in self._program.deeds if deed.do == "prompt" and deed.script]
        return self._random.choice(prompts) if prompts and self._once_in(0.5) else ()

    # --- what an agent does

    def _put_in_panes(self) -> None:
        if not self._may_have_panes:
            return
        for name in ("pia", "kai")[: self._random.choice((1, 1, 2))]:
            moves = [self._simple() for _ in range(self._random.randint(1, 3))]
            self._put_in(Spawn(name, tuple(moves), is_mate=True, in_pane=True), deeply=False)

    @property
    def _may_have_panes(self) -> bool:
        """Where the client is told nothing else that nobody has tried with teammates in panes."""
        program = self._program
        is_tried = not any(deed.do in ("kill", "exit", "resume", "fork") for deed in program.deeds)
        is_heard = "lost" not in {fault.kind for fault in program.faults}
        return is_tried and is_heard and not program.has_mates and not program.own.stop_blocks

    def _team_up(self) -> None:
        if self._may_have_panes:
            self._program = with_team(self._program, self._random, self._end())

    def _lose_an_end(self) -> None:
        """That of a teammate in its lead's process, which also tells that it is idle."""
        program = self._program
        is_seen = program.registry and program.processes and not program.has_panes
        if not is_seen or "lost" in {fault.kind for fault in program.faults}:
            return
        hooks = sorted(heard(program), key=lambda hook: hook.stamp[1])
        idle = {hook.payload.get("agent_id") for hook in hooks if hook.payload["hook_event_name"] == "TeammateIdle"}
        stops = [(number, hook) for number, hook in enumerate(hooks, 1) if hook.payload.get("agent_id") in idle]
        ends = [number for number, hook in stops if hook.payload["hook_event_name"] == "SubagentStop"]
        if ends:
            lost = Fault("lost", self._random.choice(ends))
            self._program = replace(program, faults=(*program.faults, lost))

    def _simple(self) -> Move:
        if self._once_in(0.3):
            return self._random.choice((Say(0.3), Say(2.5), Wait(3.0)))
        tool, target = self._random.choice((("Bash", "npm test"), ("Bash", "make all"), ("Edit", "main.py")))
        asks = Ask(self._random.choice((YES, YES, NO, FEEDBACK)), self._random.choice((0.3, 1.0, 6.5)))
        return Call(tool, target, self._random.choice((0.02, 1.0, 4.0)), asks if self._once_in(0.6) else None)

    def _eliciting(self) -> Call:
        answer = self._random.choice((YES, YES, NO, ""))
        asks = Ask(answer, self._random.choice((0.3, 1.0, 6.0)))
        return Call("mcp__web__fetch", "form", self._random.choice((0.02, 3.0)), elicits=asks)

    def _put_in(self, move: Move, *, deeply: bool = True) -> None:
        """Somewhere into what an agent does for a prompt."""
        prompts = [deed for deed in self._program.deeds if deed.do == "prompt"]
        if prompts:
            chosen = self._random.choice(prompts)
            script = self._inserted(chosen.script, move) if deeply else (move, *chosen.script)
            deeds = tuple(replace(deed, script=script) if deed is chosen else deed for deed in self._program.deeds)
            self._program = replace(self._program, deeds=deeds)

    def _inserted(self, script: tuple[Move, ...], move: Move) -> tuple[Move, ...]:
        spawns = [index for index, move in enumerate(script) if isinstance(move, Spawn) and not move.in_pane]
        if spawns and self._once_in(0.6):
            at = self._random.choice(spawns)
            outer = script[at]
            assert isinstance(outer, Spawn)
            return (*script[:at], replace(outer, script=self._inserted(outer.script, move)), *script[at + 1 :])
        at = self._random.randint(0, len(script))
        return (*script[:at], move, *script[at:])
