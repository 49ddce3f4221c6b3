"""One agent as the rules see it: all signs of it in order, and whether its turn is open."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from processes.place import Place
from watcher.rules.background import Background
from watcher.rules.dialog_owner import KnownRequests
from watcher.rules.ending import Listing, Parent
from watcher.rules.evidence import Mates
from watcher.rules.news import News
from watcher.rules.pace import LAG_S
from watcher.rules.past_reports import rested_at, rested_until
from watcher.rules.registry import Registry
from watcher.rules.signs import CLOSES, OPENS, RESTS, Sign, ask_sign, blind_spots, place_sign
from watcher.rules.times import NEVER, latest, tick

if TYPE_CHECKING:
    from watcher.rules.agent import Agent
    from watcher.rules.evidence import RegistryReport
    from watcher.rules.past_reports import PastReport
    from watcher.rules.requests import Ask

GOAL_S = 5.0  # how long the API may take to judge whether a goal is met
BETWEEN_S = 0.4  # how long the registry says idle between two turns
CONFIRM_S = 1.0  # how long the transcript may take to tell that a Stop hook sent the model back


@dataclass(frozen=True)
class View:
    agent: Agent
    report: RegistryReport | None = None  # only for the main agent: the registry speaks for the process
    place: Place = Place.HERE  # of the client's process
    suspended_at: float | None = None  # since when that is stopped, by Ctrl-Z for instance
    asks: tuple[Ask, ...] = ()  # of this agent, answered ones too
    requests: KnownRequests = field(default_factory=KnownRequests)  # of the whole process
    children: tuple[Agent, ...] = ()  # those that go on
    mates: Mates = field(default_factory=Mates)  # teammates in panes
    news: News = field(default_factory=News)
    parent: Parent = field(default_factory=Parent)
    listing: Listing = field(default_factory=Listing)
    history: tuple[PastReport, ...] = ()  # only for the main agent: what the registry told before its report
    has_lead: bool = False  # it is a teammate in a pane of its own
    headless: bool = False  # it can ask nobody

    @property
    def now(self) -> float:
        return self.agent.now

    @cached_property
    def background(self) -> Background:
        finished = self.agent.turn.finished if self.agent.turn else {}
        return Background(self.agent.fact, self.report, self.children, self.mates, finished)

    @cached_property
    def registry(self) -> Registry | None:
        return Registry(self.report, self.agent, self.background, rested_until(self.history)) if self.report else None

    @property
    def open_asks(self) -> tuple[Ask, ...]:
        return tuple(ask for ask in self.asks if not (ask.answered or ask.is_form))

    # --- signs

    @cached_property
    def signs(self) -> tuple[Sign, ...]:
        return (*self.agent.signs, *self._registry_signs, *self._rest_signs, *(ask_sign(ask) for ask in self.asks))

    @cached_property
    def _registry_signs(self) -> tuple[Sign, ...]:
        if self.registry:
            return (self.registry.sign, *place_sign(self.place))
        return blind_spots(self.agent.fact, self.open_asks) if self.agent.is_main else ()

    @property
    def _rest_signs(self) -> tuple[Sign, ...]:
        """A menu or a command of the client's own takes the place of the word that it rests, which may stand alone."""
        report, at = self.report, rested_at(self.history)
        is_busy = self.registry is not None and self.registry.report.status == "busy" and not self.registry.may_be_local
        is_told = report is not None and report.status in RESTS
        return () if at == NEVER or is_busy or is_told else (Sign(at, "registry", "idle", CLOSES),)

    @property
    def begun(self) -> float:
        started = tick(self.agent.fact.started) if self.agent.fact else None
        return started or min((sign.at for sign in self.signs), default=0.0)

    @cached_property
    def opening(self) -> Sign:
        """The first sign of what is going on now."""
        return self._first(OPENS, self._last_close)

    @cached_property
    def closing(self) -> Sign:
        """The first sign that it is over."""
        return self._first(CLOSES, self._last_open)

    def _first(self, points: str, after: float) -> Sign:
        """The first that nothing contradicts; else what the registry says, however long it has been saying it."""
        fitting = [sign for sign in self.signs if sign.points == points]
        uncontradicted = [sign for sign in fitting if sign.at >= after]
        if uncontradicted:
            return min(uncontradicted, key=lambda sign: sign.at)
        from_registry = (sign for sign in self._registry_signs if sign.points == points)
        return next(from_registry, Sign(max(after, 0.0), "", ""))

    @cached_property
    def _last_open(self) -> float:
        return latest(sign.at for sign in self.signs if sign.points == OPENS)

    @cached_property
    def _last_close(self) -> float:
        return latest(sign.at for sign in self.signs if sign.points == CLOSES)

    # --- open or closed

    @cached_property
    def is_open(self) -> bool:
        """What the registry says of the present decides, except for an event that it cannot know of yet."""
        if self.registry and self.registry.is_busy_now:
            return True
        holds_until = self._stop_confirmed_by or self._between_turns_until
        if holds_until is not None and self.now < holds_until:
            return True
        return self._last_open > self._last_close and not (self.is_idle_now and self.now > self._opens_until)

    @property
    def open_until(self) -> float | None:
        """When an open turn may turn out to be over, though nothing happens."""
        if not self.is_idle_now:
            return self._stop_confirmed_by
        holds = self._opens_until if self._last_open > self._last_close else 0.0
        return max(holds, self._between_turns_until or 0.0)

    @property
    def is_closed(self) -> bool:
        return not self.is_open and self._last_close > NEVER

    @cached_property
    def is_open_without_registry(self) -> bool:
        return replace(self, report=None).is_open

    @property
    def had_turn(self) -> bool:
        return self._last_open > NEVER

    @property
    def is_interrupted(self) -> bool:
        interrupted = self.agent.interrupted_at
        return interrupted > NEVER and interrupted >= self.agent.hook_closed_at and not self.is_open

    @property
    def is_idle_now(self) -> bool:
        return self.registry is not None and self.registry.is_idle_now

    @property
    def rests_from(self) -> float | None:
        """Since when the registry has said that the process has nothing to do, after its last turn."""
        turn = self.agent.turn
        if self.report is None or turn is None or not self.is_idle_now:
            return None
        return self.report.at if self.report.at > latest([turn.ended_at]) else None

    def closed_since(self, at: float) -> bool:
        return self._last_close > at

    def is_silent(self, limit: float) -> bool:
        """No sign for so long, nothing under way; and no registry, or one that is busy for teammates in panes."""
        if self.report and not (self.mates.all and self.report.status == "busy"):
            return False
        return not self.agent.has_calls and self.now - self.agent.newest_sign > limit

    # --- how long a source may be behind the others

    @property
    def _opens_until(self) -> float:
        """How long an opening event holds against a registry that says idle."""
        return self._last_open + LAG_S

    @property
    def _between_turns_until(self) -> float | None:
        """Between two turns the registry says idle for a moment, when the second is known already to have begun."""
        if self.report is None or not self.is_idle_now:
            return None
        asked = latest(ask.at for ask in self.asks)
        has_just_begun = self.agent.prompted_at > max(self.agent.closed_at, asked, self.report.at - BETWEEN_S)
        return self.report.seen_at + BETWEEN_S if has_just_begun else None

    @property
    def _stop_confirmed_by(self) -> float | None:
        """By when the transcript must have told whether a Stop hook sends the model back; None if it will not."""
        fact, turn, hook_turn = self.agent.fact, self.agent.turn, self.agent.hook_turn
        if self.report or not self.agent.is_main or fact is None or turn is None or hook_turn is None:
            return None
        if turn.is_live:
            return None  # it would tell at once
        ended = tick(hook_turn.ended)
        if ended is None or hook_turn.error or hook_turn.final or self._last_close > ended:
            return None
        if latest([tick(fact.started)]) >= ended:
            return None  # no Stop ended it, but the end of its process
        # If it was behind before, it tells nothing in time; a turn may be over before its first line is written.
        is_behind = (turn.open or turn.how == "said") and turn.seen_at < ended
        return ended + (GOAL_S if turn.has_goal else CONFIRM_S) if is_behind else None

    def registry_must_know_by(self, at: float) -> float | None:
        """Of what happened at this time; None if it tells nothing of it."""
        return self.registry.must_know_by(at) if self.registry else None
