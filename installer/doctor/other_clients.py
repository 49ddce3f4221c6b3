"""The checks of the clients other than Claude Code: one each, of the first thing that is wrong. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from contract import typed
from installer.doctor.check import FAIL, OK, SKIP, WARN, Check

if TYPE_CHECKING:
    from collections.abc import Mapping

    from installer.clients.caveat import Caveat
    from installer.hooks.program import Program
    from installer.target import Target


@dataclass(frozen=True)
class Other:
    """One look at a client that is on this machine, and at its file with our hooks."""

    target: Target
    noun: str = "hook"
    names: tuple[str, ...] = ()
    """What there is when all of it is there."""
    found: frozenset[str] = frozenset()
    """What of it is there."""
    trouble: str = ""
    """Why install would refuse the file."""
    is_writable: bool = True
    is_remembered: bool = False
    """Whether we have installed something there, and not uninstalled it."""
    is_edited: bool = False
    is_current: bool = True
    """Whether install with the same program would change nothing."""
    narrowed: tuple[str, ...] = ()
    """Events whose hooks run in some cases only."""
    programs: Mapping[Program, str | None] = field(default_factory=dict)
    """Each program that is started, and what is wrong with it."""
    caveats: tuple[Caveat, ...] = ()
    note: str = ""
    """What is to be known of hooks that work."""


def judge(other: Other, program: Program) -> Check:
    return _unfit(other) or _broken(other) or _kept_back(other) or _outdated(other, program) or _well(other)


def _check(other: Other, verdict: str, words: str, remedy: str | None = None) -> Check:
    return Check(other.target.name, verdict, words, remedy)


def _to_install(other: Other) -> str:
    install = f"`{typed.command(f'install --client {other.target.name}')}`"
    if other.trouble:
        return f"Fix {other.target.path}, then run {install}."
    if not other.is_writable:
        return f"Make {other.target.path} writable, then run {install}."
    return f"Run {install}."


def _unfit(other: Other) -> Check | None:
    """Nothing of ours is there, or nothing can be said of it."""
    if other.trouble:
        return _check(other, FAIL if other.is_remembered else WARN, other.trouble, _to_install(other))
    if other.found:
        return None
    path, is_one = other.target.path, len(other.names) == 1
    ours = f"yourturn {other.noun}{'s' * (not is_one)}"
    if other.is_remembered:
        out = typed.command(f"uninstall --client {other.target.name}")
        remedy = f"If you intended it, run `{out}`. Otherwise: {_to_install(other)}"
        return _check(other, WARN, f"the {ours} {'was' if is_one else 'were'} removed from {path}", remedy)
    return _check(other, SKIP, f"no {ours} in {path}", f"To watch {other.target.title} too: {_to_install(other)}")


def _broken(other: Other) -> Check | None:
    missing = [name for name in other.names if name not in other.found]
    if missing:
        return _check(other, FAIL, f"{other.target.path} has none for {', '.join(missing)}", _to_install(other))
    if other.is_edited:
        return _check(other, FAIL, f"a yourturn {other.noun} in {other.target.path} was edited", _to_install(other))
    broken = [trouble for trouble in other.programs.values() if trouble]
    if broken:
        return _check(other, FAIL, broken[0], _to_install(other))
    return None


def _kept_back(other: Other) -> Check | None:
    """The client does not run them, or not always."""
    if other.caveats:
        what, remedy, is_step = other.caveats[0]
        return _check(other, WARN if is_step else FAIL, what, remedy)
    if other.narrowed:
        words = f"a matcher limits the hooks for {', '.join(other.narrowed)}"
        return _check(other, WARN, words, f"Remove the matcher from {other.target.path}.")
    return None


def _outdated(other: Other, program: Program) -> Check | None:
    if not other.is_current:
        return _check(other, WARN, f"{other.target.path} is not as this version writes it", _to_install(other))
    copies = [used.script for used in other.programs if used.script != program.script]
    if copies:
        remedy = f"That is fine if you intended it. Otherwise: {_to_install(other)}"
        return _check(other, WARN, f"the {other.noun} runs another copy of yourturn, {copies[0]}", remedy)
    return None


def _well(other: Other) -> Check:
    many = f"all {len(other.names)} events in" if len(other.names) > 1 else f"the {other.noun}"
    return _check(other, OK, f"{many} {other.target.path}" + (f"; {other.note}" if other.note else ""))
