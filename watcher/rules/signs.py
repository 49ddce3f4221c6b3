"""Signs: each source's observations of one agent, with their times and the state they speak for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from contract.clean import labelled, quoted
from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from processes.place import Place
from watcher.rules.kinds import NOW, THEN, Kind
from watcher.rules.vocabulary import SHELL

if TYPE_CHECKING:
    from collections.abc import Iterable

    from contract.facts import Fact, Stamp
    from watcher.rules.evidence import RegistryReport
    from watcher.rules.requests import Ask
    from watcher.rules.turn import Turn

OPENS, CLOSES, ASKS = WORKING, WAITING, NEEDS_APPROVAL
RESTS = ("idle", "shell")  # what the registry says of a main agent that has nothing to do
LAST_WORD_S = 3.0  # after the last word without a hook's Stop, the turn counts as over


# What we call the client's errors; any other name is quoted.
ERRORS = frozenset({
    "API error", "usage limit", "rate limit", "overloaded", "server error", "api", "authentication",
    "authentication failed", "invalid request", "billing", "permission", "timeout", "model not found",
    "max output tokens",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sign:
    at: float  # seconds since boot
    source: str  # hook, transcript, registry, process
    says: str
    points: str = ""  # the state it speaks for; '' if for none
    overruled: str = ""  # by what, where that is known already
    kind: Kind = THEN  # how strong it is


def hook_signs(fact: Fact, *, is_main: bool) -> tuple[Sign, ...]:
    turn = fact.turn
    signs = [_hook(fact.started, "started", _start_points(fact) if is_main else OPENS)]
    if turn:
        signs += [_hook(turn.opened, "turn opened", OPENS), _hook(turn.prompted, "prompt", OPENS)]
        signs += [_hook(turn.ended, f"turn failed: {named_error(turn.error)}" if turn.error else "turn ended", CLOSES)]
        signs += [_hook(turn.rested, "compacts by hand, between two turns", CLOSES)]
    signs += [_hook(call.began, f"{call.name} called", OPENS) for call in fact.calls.values()]
    signs += [_hook(fact.stopped, "stopped", CLOSES)]
    return tuple(_by_its_source(sign, fact) for sign in signs if sign)


def _by_its_source(sign: Sign, fact: Fact) -> Sign:
    """What was noted when the agent was registered, no hook has told."""
    kept = fact.registered
    return replace(sign, source="spawn") if kept and kept.at and sign.at == kept.at.boot else sign


def _start_points(fact: Fact) -> str:
    """A start ends what was before it; in a new session that is only its own first prompt, recorded too early."""
    return "" if fact.source == "startup" else CLOSES


def transcript_signs(turn: Turn, now: float, *, has_hooks: bool) -> tuple[Sign, ...]:
    opened = [(turn.prompted_at, "prompt"), (turn.active_at, "activity")]
    signs = [Sign(at, "transcript", says, OPENS) for at, says in opened if at is not None]
    if turn.ended_at is not None and _is_over(turn, now, has_hooks=has_hooks):
        # The order of the file decides; its timestamps may be swapped by some milliseconds.
        at = max([turn.ended_at, *(sign.at for sign in signs)])
        says = {"interrupt": "interrupted", "error": f"error: {named_error(turn.error)}"}.get(
            turn.how or "", "turn ended"
        )
        signs.append(Sign(at, "transcript", says, CLOSES))
    return tuple(signs)


def _is_over(turn: Turn, now: float, *, has_hooks: bool) -> bool:
    """After the last word a Stop hook may still send the model back to work; our own Stop hook tells when none did."""
    return turn.how != "said" or (not has_hooks and now - (turn.ended_at or 0.0) > LAST_WORD_S)


def registry_sign(report: RegistryReport, *, means_main: bool) -> Sign:
    kind: Kind = NOW if report.is_now else THEN
    if report.status == "busy":
        return Sign(report.at, "registry", "busy", OPENS if means_main else "", kind=kind)
    if report.status in RESTS:
        return Sign(report.at, "registry", report.status, CLOSES, kind=kind)
    return Sign(report.at, "registry", f"{report.status}: {report.waiting_for}", ASKS, kind=kind)


def blind_spots(fact: Fact | None, asks: Iterable[Ask]) -> tuple[Sign, ...]:
    """What cannot be seen without the registry, for whoever asks why."""
    unseen = [ask.at for ask in asks if ask.name != SHELL]
    if unseen:
        return (Sign(min(unseen), "registry", "not there: an approval shows only in its result"),)
    if fact is None or (fact.registered and not fact.seq):
        return ()  # of a program without hooks nothing else is told anyway
    prompted = fact.turn.prompted if fact.turn and fact.turn.is_open else None
    says = "not there: an interruption before the first word cannot be seen"
    return (Sign(prompted.boot, "registry", says),) if prompted else ()


def named_error(error: str) -> str:
    words = error.replace("_", " ")
    return words if words in ERRORS else quoted(words)


def ask_sign(ask: Ask) -> Sign:
    by = f"{ask.answered} ({ask.kind})" if ask.answered else ""
    return Sign(ask.at, ask.source, f"asked for {labelled(ask.words, ask.quote)}", ASKS, by)


def place_sign(place: Place) -> tuple[Sign, ...]:
    if place is Place.HERE:
        return ()
    return (Sign(0.0, "process", "in another container or on another host: whether it lives cannot be seen from here"),)


def _hook(stamp: Stamp | None, says: str, points: str) -> Sign | None:
    return Sign(stamp.boot, "hook", says, points) if stamp else None
