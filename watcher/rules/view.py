"""One agent as the rules see it: all signs of it, put in order."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from processes.place import Place
from watcher.rules.evidence import Mates, is_heard
from watcher.rules.kinds import NOW
from watcher.rules.pace import LAG_S, SETTLE_S, WRITTEN_S
from watcher.rules.signs import (
    CLOSES,
    ERRORS,
    LAST_WORD_S,
    OPENS,
    RESTS,
    Sign,
    ask_sign,
    blind_spots,
    hook_signs,
    place_sign,
    registry_sign,
    transcript_signs,
)
from watcher.teams.idles import is_mate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract.facts import Call, Cron, Fact, Stamp, Task
    from watcher.clients.base import Meta
    from watcher.rules.evidence import Said
    from watcher.rules.requests import Ask
    from watcher.rules.turn import Turn

HASTE_S = 0.4  # nobody types a second prompt so soon
NEVER = float("-inf")
TOGETHER_S = 1.0
GOAL_S = 5.0  # how long the API may take to judge whether a goal is met
BLINK_S = 0.4
CLEAR_S = 0.3
REPEATED_S = 10.0  # the client repeats a request after 6 s
TOLD_BY_HOOKS = ("permission prompt", "input needed")
BEHIND_S = 0.5  # the registry is no further behind an answer that has travelled to a teammate
HOOK_S = 1.0  # how long the hook may take that tells of such a dialog


class Note(NamedTuple):
    at: float
    word: str


@dataclass(frozen=True)
class View:
    key: str
    now: float
    fact: Fact | None = None
    turn: Turn | None = None
    meta: Meta | None = None
    began: float = 0.0  # of the client's process
    stopped_at: float | None = None  # since when that does nothing
    place: Place = Place.HERE
    said: Said | None = None  # only for the main agent: the registry speaks for the process
    asks: tuple[Ask, ...] = ()  # of this agent, answered ones too
    all_asks: tuple[Ask, ...] = ()  # of the whole process
    asked: tuple[tuple[float, float], ...] = ()  # when calls of the process that have ended were asked for, and ended
    listed: float | None = None  # when the client last told what runs in the background
    listing: tuple[Task, ...] = ()  # what it named then
    parent_open: bool = False
    parent_turn: Turn | None = None
    is_nested: bool = False  # started by another sub-agent: main's list does not name it
    children: Mapping[str, View] = field(default_factory=dict)  # those that go on
    mates: Mates = field(default_factory=Mates)
    stops: tuple[float, ...] = ()  # when sub-agents stopped of which this one has not been told yet
    idles: tuple[float, ...] = ()  # when its teammates did
    told_idle: float | None = None  # when its team was told that it is
    starts: tuple[float, ...] = ()  # when they all began
    sent_at: float = NEVER  # when it last sent for an agent whose start has not been told yet

    # --- signs

    @cached_property
    def signs(self) -> tuple[Sign, ...]:
        return (*self._own_signs, *self._registry_signs, *(ask_sign(ask) for ask in self.asks))

    @cached_property
    def _own_signs(self) -> tuple[Sign, ...]:
        """Of the agent's own doing."""
        hooks = hook_signs(self.fact, is_main=self.key == "main") if self.fact else ()
        lines = transcript_signs(self.turn, self.now, has_hooks=self.has_hooks) if self.turn else ()
        # What a transcript tells of an earlier process is over.
        born = [Sign(self.began, "process", "client started", CLOSES, kind=NOW)] if self._has_process else []
        idle = [Sign(self.told_idle, "hook", "its team was told that it is idle", CLOSES)] if self.told_idle else []
        return (*hooks, *lines, *born, *idle)

    @property
    def _has_process(self) -> bool:
        return self.began > 0 and self.key == "main"

    @cached_property
    def _registry_signs(self) -> tuple[Sign, ...]:
        if self.said is None:
            return blind_spots(self.fact, self.open_asks) if self.key == "main" else ()
        means_main = self._busy_means_main and not self._is_late(self.said)
        return (registry_sign(self.said, means_main=means_main), *place_sign(self.place))

    @property
    def _busy_means_main(self) -> bool:
        """Where the registry is known to say `busy` for others than the main agent.

        With agents in the background the process is busy, whether or not the main agent is; with teammates in panes
        of their own it stays so even when all of them are idle.
        """
        return not self.has_company and not self.mates.all and not self.tasks("teammate")

    # --- open or closed

    @property
    def is_busy_now(self) -> bool:
        """The registry says at this moment that the main agent works: its turn cannot be over."""
        said = self.said
        if said is None or not said.is_now or said.status != "busy" or not self._busy_means_main:
            return False
        return not self._is_late(said) and not self._has_not_heard(said)

    def _has_not_heard(self, said: Said) -> bool:
        """Of an interruption, which nothing takes back; of a Stop the registry may know better."""
        return said.at < self._interrupted_at and self.now < self._interrupted_at + LAG_S

    def _is_late(self, said: Said) -> bool:
        """Whether its file came only after the end of what it tells of: the next word is on its way."""
        if self._tells_of_a_clear(said):
            return self.now < said.seen_at + LAG_S
        ends = [sign.at for sign in self._own_signs if sign.points == CLOSES]
        ends += [self.turn.local_at] if self.turn and self.turn.local_at else []
        return any(said.at < ended < said.seen_at for ended in ends) and self.now < said.seen_at + LAG_S

    def _tells_of_a_clear(self, said: Said) -> bool:
        """A client that clears itself is busy until shortly after its new session has begun."""
        began = tick(self.fact.started) if self.fact and self.fact.source == "clear" else None
        return began is not None and said.status == "busy" and said.at < began + CLEAR_S and not self.has_turn

    @property
    def has_turn(self) -> bool:
        return bool((self.fact and self.fact.turn) or (self.turn and self.turn.prompted_at))

    @property
    def is_idle_now(self) -> bool:
        said = self.said
        return said is not None and said.is_now and said.status in RESTS

    @property
    def rests_from(self) -> float | None:
        """Since when the registry has told that the process has nothing to do, after its last turn."""
        at = self.said.at if self.said and self.is_idle_now else NEVER
        return at if self.turn and at > (self.turn.ended_at or NEVER) else None

    @cached_property
    def _last_open(self) -> float:
        return max((sign.at for sign in self.signs if sign.points == OPENS), default=NEVER)

    @cached_property
    def _last_close(self) -> float:
        return max((sign.at for sign in self.signs if sign.points == CLOSES), default=NEVER)

    @property
    def is_open(self) -> bool:
        """What the registry says of the present decides, except for an event that it cannot know of yet."""
        if self.is_busy_now:
            return True
        holds_until = self.confirmed_by or self.blinks_until
        if holds_until is not None and self.now < holds_until:
            return True
        return self._last_open > self._last_close and not (self.is_idle_now and self.now > self.opens_until)

    @property
    def blinks_until(self) -> float | None:
        """Between two turns the registry says idle for a moment, when the second is known already to have begun."""
        if not self.is_idle_now or self.said is None:
            return None
        prompted = max((sign.at for sign in self._own_signs if sign.says == "prompt"), default=NEVER)
        closed = max((sign.at for sign in self._own_signs if sign.points == CLOSES), default=NEVER)
        asked = max((ask.at for ask in self.asks), default=NEVER)
        has_just_begun = prompted > max(closed, asked, self.said.at - BLINK_S)
        return self.said.seen_at + BLINK_S if has_just_begun else None

    @property
    def confirmed_by(self) -> float | None:
        """Where only the transcript can tell whether a Stop hook sends the model back: when it must have told."""
        turn, ended = self.turn, tick(self.fact.turn.ended) if self.fact and self.fact.turn else None
        if self.said is not None or self.key != "main" or turn is None or ended is None or self.fact is None:
            return None
        if (tick(self.fact.started) or NEVER) >= ended:
            return None  # no Stop ended it, but the end of its process
        # One that was behind before has nothing to add in time; a turn may be over before its first line is written.
        is_behind = (turn.open or turn.how == "said") and turn.seen_at < ended
        is_error = bool(self.fact.turn and self.fact.turn.error)
        takes = GOAL_S if turn.has_goal else TOGETHER_S
        return ended + takes if is_behind and not is_error and self._last_close <= ended else None

    @property
    def opens_until(self) -> float:
        """How long an opening event holds against a registry that says idle."""
        return self._last_open + LAG_S

    def lag_ends(self, at: float) -> float | None:
        """When the registry must know of what happened then; None if it does, or tells nothing."""
        said = self.said
        if said is None or said.status == "waiting":
            return None
        return said.at + WRITTEN_S if self.now < said.at + WRITTEN_S else at + LAG_S

    @property
    def is_closed(self) -> bool:
        return not self.is_open and self._last_close > NEVER

    @cached_property
    def is_open_without_registry(self) -> bool:
        return replace(self, said=None).is_open

    @property
    def had_turn(self) -> bool:
        return self._last_open > NEVER

    @cached_property
    def opening(self) -> Sign:
        """The first sign of what is going on now."""
        return self._first(OPENS, self._last_close)

    @cached_property
    def closing(self) -> Sign:
        """The first sign that it is over."""
        return self._first(CLOSES, self._last_open)

    def _first(self, points: str, after: float) -> Sign:
        """That one that nothing contradicts; else what the registry says, however long it has been saying it."""
        found = [sign for sign in self.signs if sign.points == points and sign.at >= after]
        told = (sign for sign in self._registry_signs if sign.points == points)
        return min(found, key=lambda sign: sign.at, default=next(told, Sign(max(after, 0.0), "", "")))

    def closed_since(self, at: float) -> bool:
        return any(sign.at > at for sign in self.signs if sign.points == CLOSES)

    @cached_property
    def newest_sign(self) -> float:
        """Of the agent's own doing: the registry does not count."""
        ended = (e.at[1] for e in self.fact.done.values() if e.at) if self.fact else ()
        return max([sign.at for sign in self._own_signs] + list(ended), default=0.0)

    def is_silent(self, limit: float) -> bool:
        """No sign for so long, nothing under way; and no registry, or one that is busy for teammates in panes."""
        busy = bool(self.fact and self.fact.calls) or bool(self.turn and self.turn.calls)
        is_told = self.said is not None and not (self.mates.all and self.said.status == "busy")
        return not is_told and not busy and self.now - self.newest_sign > limit

    # --- what it does

    @property
    def open_asks(self) -> tuple[Ask, ...]:
        return tuple(ask for ask in self.asks if not (ask.answered or ask.is_form))

    @property
    def doing(self) -> str:
        call = self._newest_call
        if call:
            return f"{call.name}: {call.target}" if call.target else call.name
        begun = sorted(self.turn.calls.values(), key=lambda call: call.at) if self.turn and not self.has_hooks else []
        return begun[-1].tool if begun else "thinking"

    @property
    def target(self) -> str:
        """What of that is the agent's own text."""
        return self._newest_call.target if self._newest_call else ""

    @property
    def _newest_call(self) -> Call | None:
        """Of those under way: a rejected one has a result in the transcript, and no other end."""
        over = self.turn.results if self.turn else {}
        calls = [call for key, call in self.fact.calls.items() if key not in over] if self.fact else []
        current = [call for call in calls if (tick(call.began) or 0.0) > self._interrupted_at]
        return max(current, key=lambda call: call.began or (0.0, 0.0), default=None)

    @property
    def _interrupted_at(self) -> float:
        """When a person last ended what was going on."""
        turn = self.turn
        return turn.ended_at if turn and turn.how == "interrupt" and turn.ended_at is not None else NEVER

    @property
    def launched_at(self) -> float:
        """When it started an agent whose start is not told yet.

        An interruption refuses what it ends: a call for an agent that it leaves alone has started one.
        """
        calls, results = self.fact.calls if self.fact else {}, self.turn.results if self.turn else {}
        refused = {key for key, result in results.items() if result.denied}
        begun = [call for key, call in calls.items() if call.name in ("Agent", "Task") and key not in refused]
        is_left = any((tick(call.began) or 0.0) < self._interrupted_at for call in begun)
        return max(self.sent_at, self._interrupted_at) if is_left else self.sent_at

    @property
    def interrupted(self) -> bool:
        turn = self.turn
        return (
            turn is not None
            and turn.how == "interrupt"
            and not self.is_open
            and turn.ended_at is not None
            and (turn.ended_at >= self._last_hook_close)
        )

    @property
    def _last_hook_close(self) -> float:
        return max((s.at for s in self._own_signs if s.points == CLOSES and s.source == "hook"), default=NEVER)

    @property
    def error(self) -> str:
        """Of the turn that is over; the transcript has the better words."""
        hook = self.fact.turn.error if self.fact and self.fact.turn and self.fact.turn.ended else ""
        began = self.fact.turn.opened[1] if self.fact and self.fact.turn and self.fact.turn.opened else NEVER
        turn = self.turn
        if turn is not None and turn.how == "error" and (turn.ended_at or 0.0) > began:
            return turn.error or hook or "API error"
        return hook.replace("_", " ") if hook != "unknown" else "API error"

    @property
    def strange_error(self) -> str:
        """One that we have no name of our own for."""
        return "" if self.error in ERRORS else self.error

    @property
    def elicited(self) -> float | None:
        """When an MCP server asked what is not answered yet."""
        return min((ask.at for ask in self.asks if ask.is_form and not ask.answered), default=None)

    def is_elicitation_over(self, at: float) -> bool:
        """Its result may have been lost. A sub-agent's question is told as main's, which may well stop meanwhile."""
        # Nobody can write a prompt while a form is open.
        is_past = (tick(self.fact.human) if self.fact else None) or NEVER
        return is_past > at + HOOK_S or (self.closed_since(at) and not self.has_company)

    @property
    def compacting(self) -> float | None:
        return tick(self.fact.compacting) if self.fact else None

    def compacted_since(self, at: float) -> bool:
        """Done, refused, cancelled or failed: the last three the client tells only by what a command leaves behind."""
        turn = self.turn
        times = [tick(self.fact.compacted) if self.fact else None]
        times += [turn.compacted_at, turn.local_at] if turn else []
        times += [turn.ended_at] if turn and turn.how == "interrupt" else []
        is_idle = self.is_idle_now and self.now > at + LAG_S
        return is_idle or self.closed_since(at + SETTLE_S) or any(one is not None and one > at for one in times)

    @property
    def queued(self) -> float | None:
        """Since when a person's prompt waits for the end of the turn."""
        told = tick(self.fact.turn.queued) if self.fact and self.fact.turn else None
        # A turn that news began has not taken it.
        begun = None if self.turn is None or self.turn.machine else self.turn.prompted_at
        taken = (begun, self.turn.taken_at) if self.turn else ()
        # A line may be older than the hook that was started before it.
        if told is not None and not self.prompted_since(told) and not any(at and at > told - HASTE_S for at in taken):
            return told
        written = self.turn.queued_at if self.turn else None
        if written is None or written < max(self.begun, self.began):
            return None
        hooks = [sign.at for sign in self._own_signs if (sign.source, sign.says) == ("hook", "prompt")]
        return None if max(hooks, default=NEVER) > written + HOOK_S else written  # an old client tells when it begins

    @property
    def begun(self) -> float:
        return (tick(self.fact.started) if self.fact else None) or self._earliest

    @property
    def _earliest(self) -> float:
        return min((sign.at for sign in self.signs), default=0.0)

    def note(self, *kinds: str) -> Note | None:
        """The newest notification of these kinds."""
        notes = self.fact.notes if self.fact else {}
        found = [Note(n.at[1], n.word) for kind, n in notes.items() if kind in kinds and n.at]
        return max(found, default=None)

    def was_asked(self, at: float) -> bool:
        """Whether a request that the hooks told of, answered or not, is what a later notification repeats.

        Be it one of a teammate, which the client shows for it; it tells of the next one only when that is closed.
        """
        notes = self.fact.notes.values() if self.fact else ()
        mates = any(note.at[1] > at - REPEATED_S for note in notes if note.word and note.at)
        asked = any(ask.at <= at for ask in self.all_asks if not ask.is_form)
        return mates or asked or any(began <= at <= ended for began, ended in self.asked)

    @property
    def told_by(self) -> float | None:
        """When a hook must have told whose dialog the registry shows; None if none will."""
        said = self.said
        is_of_a_hook = said is not None and said.status == "waiting" and said.waiting_for in TOLD_BY_HOOKS
        return said.at + HOOK_S if said is not None and is_of_a_hook and self.has_hooks else None

    @property
    def dialog_due(self) -> float | None:
        """When it is known better whose dialog the registry shows."""
        is_shown = self.said is not None and self.said.status == "waiting"
        times = [self.told_by, self.mates.asked_at + BEHIND_S if is_shown else None]
        return min((at for at in times if at is not None and at > self.now), default=None)

    @property
    def is_about_to_be_told(self) -> bool:
        """The registry is often a moment ahead of the hook, which alone says who asks and for what."""
        return self.told_by is not None and self.now < self.told_by

    def is_explained(self, at: float) -> bool:
        """Whether a dialog that the registry shows is one that is told of elsewhere, or has just been answered."""
        notes = self.fact.notes.values() if self.fact else ()
        # For a moment only: of a dialog that follows a teammate's nothing tells, and the registry's stamp stays.
        told = [note.at[1] for note in notes if note.word and note.at and abs(note.at[1] - at) < TOGETHER_S]
        # A dialog that opened after an answer is another one.
        fits = [ask for ask in self.all_asks if self.said is None or ask.fits(self.said.waiting_for)]
        just = [ask.answered_at for ask in fits if ask.answered and ask.answered_at > at]
        is_new = any(self.now - one < LAG_S for one in (*told, *just)) or self.now < self.mates.asked_at + BEHIND_S
        return is_new or self.mates.is_asking or any(not (ask.answered or ask.is_form) for ask in fits)

    # --- the background

    def tasks(self, kind: str) -> tuple[Task, ...]:
        """What the client listed at its last Stop; it says itself when the last shell has ended."""
        if self.fact is None or (kind == "shell" and self._shells_ended):
            return ()
        return tuple(task for task in self.fact.background if task.type == kind and task.status in ("running", ""))

    @property
    def _shells_ended(self) -> bool:
        return self.said is not None and self.said.status == "idle" and self.said.at > (self.listed or 0.0)

    @property
    def shell_said(self) -> bool:
        return self.said is not None and self.said.status == "shell"

    @property
    def crons(self) -> tuple[Cron, ...]:
        return tuple(self.fact.crons) if self.fact else ()

    @property
    def has_company(self) -> bool:
        return bool(self.children) or self.mates.busy > 0

    @property
    def stop_at(self) -> float:
        """When a sub-agent last stopped whose news is still on its way."""
        return max(self.stops, default=NEVER)

    @property
    def news_at(self) -> float:
        """From when on it can be told: of one that stops in mid-turn it is after the end of the turn."""
        opened = tick(self.fact.turn.opened) if self.fact and self.fact.turn else None
        is_queued = opened is not None and opened <= self.stop_at and self.is_closed
        at = max(self.stop_at, self.closing.at) if is_queued else self.stop_at
        return at if at == NEVER else max(at, self._compacted_at)

    @property
    def _compacted_at(self) -> float:
        """Until when a compaction kept everything else back; of one that was refused only a line tells."""
        turn, told = self.turn, tick(self.fact.compacted) if self.fact else None
        refused = turn.local_at if turn and self.compacting is not None else None
        return max((at for at in (told, refused) if at is not None), default=NEVER)

    @property
    def idle_at(self) -> float:
        """When a teammate last told that it has nothing to do."""
        return max((at for at in (*self.idles, self.mates.idle_at) if at is not None), default=NEVER)

    @property
    def message_at(self) -> float:
        """When this agent last sent a message to another one."""
        done = self.fact.done.values() if self.fact else ()
        return max((ended.at[1] for ended in done if ended.name == "SendMessage" and ended.at), default=NEVER)

    def children_started_since(self, at: float) -> bool:
        """The start of one that was sent for may be told a moment before the message."""
        return any(began > at - TOGETHER_S for began in self.starts)

    def prompted_since(self, at: float) -> bool:
        return any(sign.at > at for sign in self._own_signs if sign.says == "prompt")

    @property
    def children_words(self) -> str:
        mates = sum(child.is_teammate for child in self.children.values())
        parts = (counted(len(self.children) - mates, "sub-agent"), counted(mates + self.mates.busy, "teammate"))
        return ", ".join(part for part in parts if part)

    # --- sub-agents

    @property
    def has_hooks(self) -> bool:
        return is_heard(self.fact, self.turn)

    @property
    def stopped(self) -> float | None:
        return tick(self.fact.stopped) if self.fact else None

    @property
    def rests(self) -> float | None:
        """Since when it has had nothing to do: it stopped, or its team was told so and nothing has happened since.

        By team and name the wrong one of two namesakes may be meant: that must never hide one that asks.
        """
        if self.told_idle is None or self.stopped is not None or self.is_open or self.open_asks:
            return self.stopped
        return self.told_idle

    @property
    def finished(self) -> bool:
        """By the client's note on it, or by its parent's transcript; or it belongs to an earlier process."""
        begun = self.turn.prompted_at if self.turn and not self.has_hooks else None
        is_woken = self.turn is not None and self.turn.is_of_news  # after that was noted
        is_noted = self.meta is not None and self.meta.over and not is_woken
        return is_noted or (begun or self.newest_sign) < self.began or self._is_reported

    @property
    def hears_at(self) -> float:
        """From when on one that is over can be told of an agent of its own that has stopped after it."""
        turn = self.turn
        if self.stopped is not None or turn is None or self.has_hooks:
            return self.stop_at if self.stopped is not None and self.stop_at > self.stopped else NEVER
        is_noted = self.meta is not None and self.meta.over and not turn.open
        is_of_now = (turn.prompted_at or 0.0) >= self.began
        return self.stop_at if is_noted and is_of_now and self.stop_at > (turn.ended_at or 0.0) else NEVER

    @property
    def is_noted_over(self) -> bool:
        """The client's note on it says so, and its hooks say nothing newer."""
        return self.finished and (not self.has_hooks or (self.noted_over is not None and self.now >= self.noted_over))

    @property
    def noted_over(self) -> float | None:
        """When a note or its parent's result that it is over counts against hooks of which the last one was lost."""
        ended, last = self.turn.ended_at if self.turn else None, self.fact.last if self.fact else None
        if ended is None or not ((self.meta is not None and self.meta.over) or self._is_told):
            return None
        is_woken = last is not None and last.word == "SubagentStart" and (tick(last.at) or 0.0) > ended
        return None if is_woken else self.newest_sign + LAG_S

    @property
    def _is_reported(self) -> bool:
        turn = self.turn
        has_said = turn is not None and turn.how == "said" and self.now - (turn.ended_at or 0.0) > LAST_WORD_S
        return has_said or self._is_told

    @property
    def _is_told(self) -> bool:
        """Its parent was told of its end; one in the foreground ends with the call that started it."""
        parent, turn = self.parent_turn, self.turn
        if parent is None:
            return False
        if self.key in parent.finished:
            return parent.finished[self.key] > (turn.prompted_at or 0.0 if turn else 0.0)
        call = self.meta.call_id if self.meta else ""
        return call in parent.results and self.key not in parent.tasks and not self.is_teammate

    @property
    def is_teammate(self) -> bool:
        return is_mate(self.key, self.fact, self.meta)

    @property
    def _is_of_workflow(self) -> bool:
        return (self.fact.type if self.fact else "") == "workflow-subagent"

    @property
    def unlisted(self) -> float | None:
        """When the client's list, newer than all signs of it, did not name it; of a workflow it names no agents."""
        is_named = any(
            task.id == self.key or (task.type == "workflow" and self._is_of_workflow) for task in self.listing
        )
        gone = self.listed is not None and self.listed > self.newest_sign and not is_named
        return self.listed if gone and not self.is_teammate and not self.is_nested else None


def counted(number: int, word: str) -> str:
    return f"{number} {word}{'s' if number > 1 else ''}" if number else ""


def tick(stamp: Stamp | None) -> float | None:
    return stamp[1] if stamp else None
