"""The law with something broken in it: each rule left out, and wrong lights of the past put back.

`python -m simulator.power` counts after how many programs the simulator finds each of them. What survives names what
the simulator cannot see.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from watcher import asks, resolve, view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from watcher.asks import Ask
    from watcher.evidence import Evidence
    from watcher.view import View

    Mutant = Callable[[], AbstractContextManager[Any]]


def _without(ladder: str, rule: str) -> Mutant:
    rules: Mapping[str, Any] = getattr(resolve, ladder)
    left = {name: found for name, found in rules.items() if name != rule}
    return lambda: patch.object(resolve, ladder, left)


def _property(name: str, value: Any) -> Mutant:
    return lambda: patch.object(view.View, name, property(value))


@contextmanager
def _any_command_answers() -> Iterator[None]:
    """Another agent's command is taken for the one that was asked for, whatever the registry says."""

    def guess(found: list[Ask], evidence: Evidence) -> list[Ask]:
        waiting = [ask for ask in found if ask.name == "Bash" and not ask.answered]
        if len(waiting) != 1 or not any(one.began >= waiting[0].at for one in evidence.commands):
            return found
        return [ask.answer("a command", ask.at, "") if ask is waiting[0] else ask for ask in found]

    with patch.object(asks, "_by_command", guess):
        yield


@contextmanager
def _only_one_is_cleared() -> Iterator[None]:
    """The registry answers one open request, never several."""
    real = asks._by_registry  # noqa: SLF001 - the seam that was wrong

    def one(found: list[Ask], evidence: Evidence) -> list[Ask]:
        return real(found, evidence) if sum(not ask.answered for ask in found) == 1 else found

    with patch.object(asks, "_by_registry", one):
        yield


def _first_call(one: View) -> Any:
    calls = one.fact.calls.values() if one.fact else ()
    return max(calls, key=lambda call: call.began or (0.0, 0.0), default=None)


PAST: dict[str, Mutant] = {
    "another one's command answers a request": _any_command_answers,
    "a Stop hook that continues is an end": _property("is_busy_now", lambda _: False),
    "two requests are never cleared": _only_one_is_cleared,
    "a compaction only ends with its hook": lambda: patch.object(
        view.View,
        "compacted_since",
        lambda one, at: bool(one.fact and one.fact.compacted and one.fact.compacted[1] > at),
    ),
    "a rejected call goes on": _property("_newest_call", _first_call),
    "a registry that is late opens a turn again": lambda: patch.object(view.View, "_is_late", lambda *_: False),
    "a hook of one's own holds nothing back": lambda: patch.object(asks, "_is_held_back", lambda *_: False),
}


def mutants() -> dict[str, Mutant]:
    found = dict(PAST)
    for ladder in ("MAIN_RULES", "SUB_AGENT_RULES"):
        rules = list(getattr(resolve, ladder))
        found |= {f"{ladder} without {rule}": _without(ladder, rule) for rule in rules[:-1]}
    return found
