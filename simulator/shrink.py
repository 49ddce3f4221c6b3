"""Makes a failing program smaller: fewer steps, fewer agents, fewer faults, rounder numbers.

Hypothesis would shrink the choices of a generator, and with them the whole program that follows from them; here a
step that is left out must leave all others as they were, so the values themselves are made smaller.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from simulator.judgement import judge
from simulator.program import Own, Program, Together
from simulator.running import ALWAYS_ASK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simulator.checker import Wrong
    from simulator.judgement import Judgement

MOST_TRIES = 250
ROUND = (0.5, 1.0, 3.0)


def shrink(judgement: Judgement, tries: int = MOST_TRIES) -> Judgement:
    """The smallest program found that shows the same kind of wrong light."""
    search = _Search({sign(wrong) for wrong in judgement.findings.wrong}, tries)
    before = None
    while judgement is not before and search.tries > 0:
        before, judgement = judgement, search.passed(judgement)
    return judgement


class _Search:
    def __init__(self, wanted: set[tuple[str, str, str]], tries: int) -> None:
        self._wanted, self.tries = wanted, tries

    def passed(self, judgement: Judgement) -> Judgement:
        """Tries everything once. What did not help is not tried again at once on the smaller program."""
        done = 0
        while self.tries > 0:
            rest = list(candidates(judgement.program))[done:]
            smaller, looked_at = self._first(rest)
            if smaller is None:
                return judgement
            judgement, done = smaller, done + looked_at
        return judgement

    def _first(self, rest: list[Program]) -> tuple[Judgement | None, int]:
        for looked_at, candidate in enumerate(rest[: self.tries]):
            self.tries -= 1
            tried = _tried(candidate)
            if tried and any(sign(wrong) in self._wanted for wrong in tried.findings.wrong):
                return tried, looked_at
        return None, 0


def sign(wrong: Wrong) -> tuple[str, str, str]:
    return (
        wrong.kind,
        wrong.light.rule,
        "session" if wrong.key[1] == "" else "main" if wrong.key[1] == "main" else "sub",
    )


def _tried(program: Program) -> Judgement | None:
    """None for a program that makes no sense."""
    try:
        return judge(program)
    except RuntimeError:
        return None


def candidates(program: Program) -> Iterator[Program]:
    """All that are one step smaller, the boldest first."""
    for index in reversed(range(1, len(program.deeds))):
        yield replace(program, deeds=program.deeds[:index] + program.deeds[index + 1 :])
    yield from (replace(program, deeds=deeds) for deeds in _without(program.deeds))
    for index in range(len(program.faults)):
        yield replace(program, faults=program.faults[:index] + program.faults[index + 1 :])
    for name, calm in CALM.items():
        if getattr(program, name) != calm:
            yield replace(program, **{name: calm})
    yield from (replace(program, deeds=deeds) for deeds in _rounder(program.deeds))


CALM: dict[str, Any] = {
    "own": Own(),
    "hooks": True,
    "registry": True,
    "processes": True,
    "notes": True,
    "even": True,
}


def _without(value: Any) -> Iterator[Any]:
    """The same with one part of some tuple left out, at any depth."""
    if isinstance(value, tuple):
        for index, part in enumerate(value):
            if is_dataclass(part) and not hasattr(part, "do"):
                yield value[:index] + value[index + 1 :]
                yield from ((*value[:index], *smaller, *value[index + 1 :]) for smaller in _unwrapped(part))
            yield from ((*value[:index], smaller, *value[index + 1 :]) for smaller in _without(part))
    elif is_dataclass(value) and not isinstance(value, type):
        for part in fields(value):
            for smaller in _without(getattr(value, part.name)):
                yield replace(value, **{part.name: smaller})
        if getattr(value, "ask", None) and getattr(value, "tool", "") not in ALWAYS_ASK:
            yield replace(value, ask=None)
        if getattr(value, "elicits", None):
            yield replace(value, elicits=None)


def _unwrapped(part: Any) -> Iterator[tuple[Any, ...]]:
    if isinstance(part, Together):
        yield part.calls


def _rounder(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for index, part in enumerate(value):
            yield from ((*value[:index], rounder, *value[index + 1 :]) for rounder in _rounder(part))
    elif isinstance(value, float) and value not in ROUND:
        rounded = float(round(value))
        yield from (rounder for rounder in dict.fromkeys((*ROUND, rounded)) if rounder != value and rounder > 0)
    elif is_dataclass(value) and not isinstance(value, type):
        for part in fields(value):
            if part.name == "takes" and hasattr(value, "do"):
                continue
            yield from (replace(value, **{part.name: rounder}) for rounder in _rounder(getattr(value, part.name)))
