"""One agent by itself: what its hooks, its transcript and the client's note tell of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from contract.paths import MAIN
from watcher.rules.evidence import is_heard
from watcher.rules.kinds import NOW
from watcher.rules.signs import CLOSES, ERRORS, Sign, hook_signs, transcript_signs
from watcher.rules.times import NEVER, latest, tick

if TYPE_CHECKING:
    from contract import facts
    from contract.facts import Call, Fact
    from watcher.clients.base import Meta
    from watcher.rules import turn_events
    from watcher.rules.turn import Turn


@dataclass(frozen=True)
class Agent:
    key: str
    now: float
    fact: Fact | None = None  # from its hooks
    turn: Turn | None = None  # from its transcript
    meta: Meta | None = None  # the client's note on a sub-agent
    began: float = 0.0  # when the client's process did; 0 if unknown
    idle_told_at: float | None = None  # when its team was told that it is idle
    is_teammate: bool = False  # in its lead's own process

    @property
    def is_main(self) -> bool:
        return self.key == MAIN

    @property
    def has_hooks(self) -> bool:
        return is_heard(self.fact, self.turn)

    @property
    def hook_turn(self) -> facts.Turn | None:
        """The turn as the hooks tell of it."""
        return self.fact.turn if self.fact else None

    @property
    def has_turn(self) -> bool:
        return bool(self.hook_turn or (self.turn and self.turn.prompted_at))

    @property
    def is_given_its_task(self) -> bool:
        """It was started with something to do, and nothing tells yet that it has begun."""
        kept = self.fact.registered if self.fact else None
        if kept is None or self.hook_turn is None or not self.hook_turn.is_open or self.hook_turn.opened != kept.at:
            return False
        return latest([self.turn.prompted_at if self.turn else None, 0.0]) <= (tick(kept.at) or 0.0)

    # --- signs

    @cached_property
    def signs(self) -> tuple[Sign, ...]:
        hooks = hook_signs(self.fact, is_main=self.is_main) if self.fact else ()
        lines = transcript_signs(self.turn, self.now, has_hooks=self.has_hooks) if self.turn else ()
        return (*hooks, *lines, *self._process_signs, *self._idle_signs)

    @property
    def _process_signs(self) -> tuple[Sign, ...]:
        """What a transcript tells of an earlier process is over."""
        if not self.is_main or self.began <= 0:
            return ()
        return (Sign(self.began, "process", "client started", CLOSES, kind=NOW),)

    @property
    def _idle_signs(self) -> tuple[Sign, ...]:
        if not self.idle_told_at:
            return ()
        return (Sign(self.idle_told_at, "hook", "its team was told that it is idle", CLOSES),)

    @cached_property
    def newest_sign(self) -> float:
        """0 if there is none."""
        ended = [tick(call.at) for call in self.fact.done.values()] if self.fact else []
        newest = latest([*(sign.at for sign in self.signs), *ended])
        return 0.0 if newest == NEVER else newest

    @property
    def prompted_at(self) -> float:
        return latest(sign.at for sign in self.signs if sign.says == "prompt")

    @property
    def closed_at(self) -> float:
        return latest(sign.at for sign in self.signs if sign.points == CLOSES)

    @property
    def hook_closed_at(self) -> float:
        return latest(sign.at for sign in self.signs if sign.points == CLOSES and sign.source == "hook")

    @property
    def interrupted_at(self) -> float:
        """When a person last ended what was going on."""
        turn = self.turn
        return turn.ended_at if turn and turn.how == "interrupt" and turn.ended_at is not None else NEVER

    @property
    def stopped(self) -> float | None:
        """When a sub-agent stopped, as its hook told, unless its transcript tells that it was sent back to work."""
        at = tick(self.fact.stopped) if self.fact else None
        return None if at is not None and self.turn and self.turn.is_sent_back_since(at) else at

    # --- what it does, and how that failed

    @property
    def doing(self) -> str:
        call, written = self._newest_call, self._newest_written_call
        name = call.name if call else written.tool if written else ""
        return (f"{name}: {self.target}" if self.target else name) or "thinking"

    @property
    def target(self) -> str:
        """The part of `doing` that is the agent's own text."""
        call = self._newest_call or self._newest_written_call
        return call.target if call else ""

    @property
    def is_live(self) -> bool:
        """Its transcript tells all that hooks could tell of its calls and requests."""
        return self.turn is not None and self.turn.is_live

    @property
    def _newest_written_call(self) -> turn_events.Call | None:
        written = self.turn.calls.values() if self.turn and (self.is_live or not self.has_hooks) else ()
        return max(written, key=lambda call: call.at, default=None)

    @property
    def _newest_call(self) -> Call | None:
        """Of those under way. A rejected call has a result in the transcript, and no hook tells of its end."""
        over = self.turn.results if self.turn else {}
        calls = [call for key, call in self.fact.calls.items() if key not in over] if self.fact else []
        current = [
            call
            for call in calls
            if (began := tick(call.began) or 0.0) > self.interrupted_at and not self._has_handed(began)
        ]
        return max(current, key=lambda call: call.began or (0.0, 0.0), default=None)

    def _has_handed(self, began: float) -> bool:
        return self.turn is not None and self.turn.has_handed(began)

    @property
    def has_calls(self) -> bool:
        return bool(self.fact and self.fact.calls) or bool(self.turn and self.turn.calls)

    @property
    def error(self) -> str:
        """Of the turn that is over; the transcript has the better words."""
        by_hook = self._hook_error
        opened = tick(self.hook_turn.opened) if self.hook_turn else None
        turn = self.turn
        if turn and turn.how == "error" and (turn.ended_at or 0.0) > latest([opened]):
            return turn.error or by_hook or "API error"
        return "API error" if by_hook == "unknown" else by_hook.replace("_", " ")

    @property
    def _hook_error(self) -> str:
        """Unless a turn has begun since of which no hook told."""
        if self.hook_turn is None or self.hook_turn.ended is None:
            return ""
        prompted = self.turn.prompted_at if self.turn else None
        return self.hook_turn.error if latest([prompted]) <= self.hook_turn.ended.boot else ""

    @property
    def unknown_error(self) -> str:
        """The error if we have no name of our own for it: the client's text, to be quoted."""
        return "" if self.error in ERRORS else self.error
