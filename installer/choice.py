"""`yourturn install` of somebody who named no client: Claude Code, and at a terminal the others that are found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract import typed
from installer import install as installing
from installer import plan
from installer.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from installer.console import Console
    from installer.hooks.program import Program
    from installer.place import Place, Wish
    from installer.plan import Plan
    from installer.target import Target


def install(place: Place, program: Program, console: Console, wish: Wish, found: Sequence[Target]) -> int:
    others = [target for target in found if not target.is_default]
    asks = not (wish.yes or wish.dry_run) and console.can_ask
    # At a terminal, somebody without Claude Code is asked for what there is.
    if asks and others and len(others) == len(found):
        unserved = [planned.target for planned in _unserved(others, program, console)]
        return installing.install(place, program, console, wish, unserved or others)
    try:
        code = installing.install(place, program, console, wish)
    except Refusal:
        _tell_of(_unserved(others, program, console), console)
        raise
    if code != 0 or not others:
        return code
    if asks:
        return _offer(place, program, console, wish, others)
    _tell_of(_unserved(others, program, console), console)
    return 0


def _offer(place: Place, program: Program, console: Console, wish: Wish, others: Sequence[Target]) -> int:
    """One question for all of them. A no is a choice, not a failure."""
    plans = _unserved(others, program, console)
    if not plans:
        return 0
    installing.sum_up(plans, console)
    if wish.diff:
        console.show_diff(plan.diff(plans))
    question = f"Add the hooks for {_titles(plans)}?"
    if not console.agrees(question, "" if wish.diff else plan.diff(plans)):
        _tell_of(plans, console)
        return 0
    return installing.install(
        place, program, console, wish._replace(yes=True, diff=False), [one.target for one in plans]
    )


def _unserved(others: Sequence[Target], program: Program, console: Console) -> list[Plan]:
    """Those whose hooks are missing or not up to date. One whose file is broken must not keep us from the rest."""
    plans = []
    for target in others:
        try:
            planned = plan.putting_in(target, program)
        except Refusal as refusal:
            console.complain(f"Left out {target.title}: {refusal}")
            continue
        plans += [] if planned.is_nothing else [planned]
    return plans


def _tell_of(plans: Sequence[Plan], console: Console) -> None:
    if plans:
        names = ",".join(planned.target.name for planned in plans)
        console.say(f"Also found: {_titles(plans)}. To add the hooks: {typed.command(f'install --client {names}')}")


def _titles(plans: Sequence[Plan]) -> str:
    *most, last = [planned.target.title for planned in plans]
    return f"{', '.join(most)} and {last}" if most else last
