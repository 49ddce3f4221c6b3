"""A program and its wrong light, told so that a person can follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.program import Call, Say, Spawn, Together

if TYPE_CHECKING:
    from simulator.checker import Wrong
    from simulator.judgement import Judgement
    from simulator.program import Deed, Move, Program


def story(found: Judgement, wrong: Wrong) -> str:
    program = found.program
    means = [] if program.registry else ["no registry"]
    means += [] if program.processes else ["no process table"]
    told = [*([f"({', '.join(means)})"] if means else []), *(_deed(deed) for deed in program.deeds)]
    light = wrong.light
    detail = f" “{light.detail}”" if light.detail else ""
    told.append(
        f"{wrong.at:.2f} s {wrong.key[1] or 'the session'}: {wrong.kind}; expected {wrong.expected or 'another detail'}, "
        f"shown {light.state}{detail}" + (f" by rule {light.rule}" if light.rule else "")
    )
    return "\n".join(told)


def _deed(deed: Deed) -> str:
    script = ", ".join(_move(move) for move in deed.script)
    return f"{deed.at:.2f} s {deed.session}: {deed.do}" + (f" ({script})" if script else "")


def _move(move: Move) -> str:
    match move:
        case Say(takes):
            return f"writes for {takes} s"
        case Call(tool, target, takes, ask, fails):
            answer = f", asks: {ask.answer or 'no answer'} after {ask.after} s" if ask else ""
            return f"{tool} `{target}`{answer}, {takes} s" + (", fails" if fails else "")
        case Together(calls):
            return " and ".join(_move(one) for one in calls)
        case Spawn(name, script, background):
            where = "background" if background else "foreground"
            return f"starts {name} in the {where} [{', '.join(_move(one) for one in script)}]"


def pasteable(program: Program) -> str:
    """The program as source."""
    return repr(program)
