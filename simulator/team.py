"""A prompt for a lead with teammates in panes, whose requests meet each other's, the lead's and its sub-agents'."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from simulator.model import rehearse
from simulator.observation import Hook
from simulator.program import FEEDBACK, NO, YES, Ask, Call, Deed, Fault, Move, Program, Spawn, Wait

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from simulator.truth import Deal

TOOLS = (("Edit", "main.py"), ("Bash", "make all"))  # nobody has tried questions and plans of a teammate in a pane
MORE_TOOLS = (*TOOLS, ("ExitPlanMode", "which 1"))
NAMES = ("zoe", "max")


def with_team(program: Program, random: Random, at: float) -> Program:
    """At this second; sometimes the watcher is started again while one of their dialogs is open."""
    scripts = _in_turn(random) if random.random() < 0.6 else [_request(random), _request(random)]  # noqa: PLR2004
    mates = [Spawn(name, asks, is_mate=True, in_pane=True) for name, asks in zip(NAMES, scripts, strict=True)]
    mates = mates[: random.choice((1, 2, 2, 2))]
    helper, own = Spawn("helper", _request(random, MORE_TOOLS)), random.choice(((), _request(random, MORE_TOOLS)))
    made = _prompted(program, at, (*mates, helper, *own))
    if random.random() < 0.6 and (gap := _to_an_answer(made, at) + random.uniform(-0.1, 0.1)) > 0:  # noqa: PLR2004
        made = _prompted(program, at, (*mates, _later(helper, gap), *own))
    asked, _ = _asked(made, at)
    if asked and random.random() < 0.5 and "restart" not in {fault.kind for fault in made.faults}:  # noqa: PLR2004
        restart = Fault("restart", at=round(asked[-1].asked[0] + random.uniform(0.1, 1.0), 3))
        made = replace(made, faults=(*made.faults, restart))
    return made


def heard(program: Program) -> list[Hook]:
    return [one for one in rehearse(program).seen if isinstance(one, Hook)]


def _prompted(program: Program, at: float, script: tuple[Move, ...]) -> Program:
    return replace(program, deeds=(*program.deeds, Deed(at, "a", "prompt", script)))


def _request(random: Random, tools: Sequence[tuple[str, str]] = TOOLS) -> tuple[Move, ...]:
    """After some time."""
    wait, (tool, target) = random.choice((0.0, 0.3, 1.0, 3.0)), random.choice(tools)
    ask = Ask(random.choice((YES, YES, YES, NO, FEEDBACK)), random.choice((0.3, 1.0, 3.0, 6.5)))
    return (Wait(wait), Call(tool, target, random.choice((0.02, 1.0, 4.0, 9.0)), ask))


def _later(spawn: Spawn, gap: float) -> Spawn:
    """With no step more: that would change its delays."""
    first, *others = spawn.script
    return replace(spawn, script=(Wait(round(gap + (first.takes if isinstance(first, Wait) else 0.0), 3)), *others))


def _in_turn(random: Random) -> list[tuple[Move, ...]]:
    """One is at what it was allowed to do when the other one asks."""
    runs = Call("Edit", "main.py", 9.0, Ask(YES, random.choice((0.3, 1.0))))
    return [(runs,), (Wait(random.choice((3.0, 5.0))), *_request(random))]


def _asked(program: Program, since: float) -> tuple[list[Deal], list[Deal]]:
    """Requests of teammates, each of which has a process of its own, and those of the lead's sub-agents."""
    deals = [deal for deal in rehearse(program).truth.deals if since < deal.asked[0] < float("inf")]
    of_subs = [deal for deal in deals if deal.key[1] != "main"]
    leads = {deal.key[0] for deal in of_subs}
    return [deal for deal in deals if leads and deal.key[0] not in leads], of_subs


def _to_an_answer(program: Program, at: float) -> float:
    """How much later the helper would have to ask, so that it does when the first teammate has been answered."""
    of_mates, of_subs = _asked(program, at)
    return of_mates[0].asked[1] - of_subs[0].asked[0] if of_mates and of_subs else 0.0
