"""The law with something broken in it: each rule left out, and wrong lights of the past put back.

`python -m simulator.power` counts after how many programs the simulator finds each of them. What survives names what
the simulator cannot see.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from recorder import calls, receive
from watcher import asks, dialogs, resolve, session, view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from contract.facts import Fact, Stamp
    from watcher.evidence import Evidence
    from watcher.requests import Ask
    from watcher.signs import Sign
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

    with patch.object(asks, "by_command", guess):
        yield


@contextmanager
def _only_one_is_cleared() -> Iterator[None]:
    """The registry answers one open request, never several."""
    real = dialogs.by_registry

    def one(found: list[Ask], evidence: Evidence) -> list[Ask]:
        return real(found, evidence) if sum(not ask.answered for ask in found) == 1 else found

    with patch.object(asks, "by_registry", one):
        yield


def _first_call(one: View) -> Any:
    calls = one.fact.calls.values() if one.fact else ()
    return max(calls, key=lambda call: call.began or (0.0, 0.0), default=None)


@contextmanager
def _a_second_beginning_takes_a_request_back() -> Iterator[None]:
    real = calls.begin

    def begin(fact: Fact, event: dict[str, Any], stamp: Stamp) -> None:
        real(fact, event, stamp)
        if call := fact.calls.get(event.get("tool_use_id", "")):
            call.asked = None

    with patch.object(calls, "begin", begin):
        yield


@contextmanager
def _an_end_ends_all_equal_calls() -> Iterator[None]:
    real = calls._end_call  # noqa: SLF001 - the seam that was wrong

    def end(fact: Fact, event: dict[str, Any], stamp: Stamp) -> None:
        same = calls._call(event, stamp)  # noqa: SLF001
        real(fact, event, stamp)
        fact.calls = {key: call for key, call in fact.calls.items() if call.digest != same.digest}

    with patch.object(calls, "_end_call", end):
        yield


def _deaf(source: str, says: str) -> Mutant:
    """One kind of sign is not heard."""
    real = getattr(view, source)

    def heard(*args: Any, **more: Any) -> tuple[Sign, ...]:
        return tuple(sign for sign in real(*args, **more) if says not in sign.says)

    return lambda: patch.object(view, source, heard)


SIGNS = {
    "hook_signs": ("started", "turn opened", "prompt", "turn ended", "turn failed", "called", "stopped"),
    "transcript_signs": ("prompt", "activity", "turn ended", "interrupted", "error"),
}

PAST: dict[str, Mutant] = {
    "a second PreToolUse takes a request back": _a_second_beginning_takes_a_request_back,
    "a late end of an equal call ends a request": _an_end_ends_all_equal_calls,
    "a second terminal wipes the requests of the first": lambda: patch.object(
        receive, "_has_its_own", lambda *_: False
    ),
    "a quick answer of a hook never counts": lambda: patch.object(dialogs, "SHOWN_S", 0.5),
    "a command goes to whoever asks for the same": lambda: patch.object(
        session, "first_seen", lambda command, *_: command
    ),
    "a dialog that was closed does not settle what it was about": lambda: patch.object(
        dialogs, "_somebody_is_asked", lambda found, *_: found
    ),
    "the registry is not believed when it says idle": _property("is_idle_now", lambda _: False),
    "a prompt is closed by an idle of before it": _property("opens_until", lambda _: float("-inf")),
    "nobody waits for a prompt in the queue": _property("queued", lambda _: None),
    "the client's note does not end a sub-agent": _property("noted_over", lambda _: None),
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
    "a hook of one's own holds nothing back": lambda: patch.object(dialogs, "_is_held_back", lambda *_: False),
}


def mutants() -> dict[str, Mutant]:
    found = dict(PAST)
    for source, kinds in SIGNS.items():
        found |= {f"{source} without “{says}”": _deaf(source, says) for says in kinds}
    for ladder in ("MAIN_RULES", "SUB_AGENT_RULES"):
        rules = list(getattr(resolve, ladder))
        found |= {f"{ladder} without {rule}": _without(ladder, rule) for rule in rules[:-1]}
    return found
