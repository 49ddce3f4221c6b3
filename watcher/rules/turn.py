"""The turn of an agent as it stands after all that has happened in it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from watcher.rules.pace import HOOK_S, MOMENT_S
from watcher.rules.turn_events import (
    Aborted,
    Activity,
    Answered,
    Asked,
    Call,
    Compacted,
    Continued,
    Ended,
    Failed,
    Finished,
    Handed,
    Hooked,
    Interrupted,
    Killed,
    Local,
    Message,
    Prompt,
    Queued,
    Refused,
    Result,
    Started,
)
from watcher.rules.vocabulary import ALWAYS_ASK

if TYPE_CHECKING:
    from collections.abc import Mapping

    from watcher.rules.turn_events import Event

End = Literal["end", "said", "interrupt", "error"]
LAST_WORDS = frozenset({"end_turn", "stop_sequence", "refusal"})
KEPT = 64
LATEST = 10.0  # seconds that a line may be late


@dataclass(frozen=True, slots=True)
class Turn:
    """The newest turn of one agent, each part with the time of its evidence; None: never seen."""

    prompted_at: float | None = None  # the prompt that opened it
    seen_at: float = 0.0  # when that prompt was read
    machine: bool = False  # no person gave that prompt
    was_queued: bool = False  # it waited for the end of the turn before it
    has_goal: bool = False
    active_at: float | None = None  # the last sign of the agent's own work: a word, a call, a result
    ended_at: float | None = None  # None while it goes on
    how: End | None = None  # "said": the last word is said, but Stop hooks may still run or send it back
    error: str = ""  # in a few words, where `how` is "error"
    refused_at: float | None = None  # when a hook of the user last refused a prompt
    calls: Mapping[str, Call] = field(default_factory=dict)  # begun and without a result
    results: Mapping[str, Result] = field(default_factory=dict)  # the newest, of earlier turns too
    handed: tuple[Handed, ...] = ()  # the newest that covers all calls before, and perhaps one that covers some
    denied: Result | None = None  # the newest refusal
    answered_at: float | None = None  # the last question or plan of it
    sent_back: bool = False  # by a Stop hook, while others may still run
    sent_back_at: float | None = None  # when one last did, in its own words
    compacted_at: float | None = None
    queue: tuple[float, ...] = ()  # prompts that still wait
    taken_at: float | None = None  # when the last one was taken out of the queue
    local_at: float | None = None  # the end of the newest command of the client's own
    tasks: Mapping[str, Started] = field(default_factory=dict)  # in the background, over the turn's end
    finished: Mapping[str, float] = field(default_factory=dict)  # the newest of those whose end was told, and when
    agents_left: int = 0  # went on in the background when the turn ended
    workflows_left: int = 0
    is_live: bool = False  # its lines are written at once, and tell of every call, request and answer
    asks: Mapping[str, Asked] = field(default_factory=dict)  # of a live one: those that are open

    @property
    def open(self) -> bool:
        return self.ended_at is None and (self.prompted_at is not None or self.active_at is not None)

    @property
    def queued_at(self) -> float | None:
        return self.queue[-1] if self.queue else None

    def has_handed(self, began: float) -> bool:
        """Whether a call that began then is over, by what the model has been given since."""
        return any(one.since < began < one.at for one in self.handed)

    def is_sent_back_since(self, stopped: float) -> bool:
        """Whether a hook of the user's has sent the agent back to work, which goes on.

        That hook runs beside ours, which may be the slower one to tell of the stop.
        """
        return self.open and self.sent_back_at is not None and self.sent_back_at > stopped - HOOK_S

    @property
    def is_of_news(self) -> bool:
        """It goes on, and the end of a task has begun it."""
        return self.open and self.prompted_at in self.finished.values()


def fold(turn: Turn, event: Event) -> Turn:
    """The turn after one more event, in the order of the file, which is nearly that of time."""
    match event:
        case Prompt():
            return _prompted(turn, event)
        case Activity(at) | Call(at):
            return turn if _late(turn.ended_at, at) else _active(turn, event)
        case Message(at, reason):
            return _ended(turn, at, "said") if reason in LAST_WORDS else turn
        case Result():
            return _with_result(turn, event)
        case Asked() | Answered():
            return _with_ask(turn, event)
        case Interrupted(at) | Aborted(at):
            return turn if _is_of_turn_before(turn, event) else _ended(turn, at, "interrupt")
        case Failed(at, error):
            return _ended(turn, at, "error", error)
        case Ended(at, agents, workflows):
            return replace(_ended(turn, at, "end"), agents_left=agents, workflows_left=workflows)
        case Refused() | Continued() | Hooked():
            return _by_hooks(turn, event)
        case _:
            return _beside(turn, event)


def _by_hooks(turn: Turn, event: Refused | Continued | Hooked) -> Turn:
    """What hooks of the user make of a turn."""
    match event:
        case Refused(at):
            return replace(turn, ended_at=at, how="end", error="", calls={}, refused_at=at)
        case Continued(at, is_sure) if is_sure or turn.how == "said":
            told_at = at if is_sure else turn.sent_back_at
            return replace(_reopened(turn), active_at=at, sent_back=True, sent_back_at=told_at)
        case Hooked(at) if turn.sent_back:
            return replace(turn, active_at=at, sent_back=False)  # later than every Stop hook, so also than our own
        case _:
            return turn


def _beside(turn: Turn, event: Event) -> Turn:
    """What neither opens nor closes a turn."""
    match event:
        case Local(at):
            return replace(turn, local_at=at)
        case Handed():
            return replace(turn, handed=(event,))
        case Compacted(at):
            return replace(turn, compacted_at=at)
        case Queued(at, waits=True):
            return replace(turn, queue=(*turn.queue, at)[-KEPT:])
        case Queued(at, every=every):
            return replace(turn, queue=() if every else turn.queue[1:], taken_at=at)
        case Finished(at, task_id):
            over = _newest({**turn.finished, task_id: at})
            return replace(turn, tasks=_tasks(turn.tasks, event), finished=over)
        case _:
            return replace(turn, tasks=_tasks(turn.tasks, event))


def _late(known: float | None, at: float) -> bool:
    """Whether a line was written after one that is newer; a line much older shows a clock that was set back."""
    return known is not None and 0 < known - at < LATEST


def _prompted(turn: Turn, prompt: Prompt) -> Turn:
    over = _late(turn.ended_at, prompt.at)
    calls = {key: call for key, call in turn.calls.items() if _late(call.at, prompt.at)}
    opened = replace(turn if over else _reopened(turn), prompted_at=prompt.at, calls=calls, has_goal=prompt.goal)
    return replace(opened, machine=prompt.machine, was_queued=prompt.queued, queue=_left(turn.queue, prompt))


def _left(queue: tuple[float, ...], prompt: Prompt) -> tuple[float, ...]:
    """Who still waits when a turn begins. One that did not wait came when nobody did; an old client never tells."""
    if prompt.machine:
        return queue
    return queue[1:] if prompt.queued else ()


def _active(turn: Turn, event: Activity | Call) -> Turn:
    turn = replace(_reopened(turn), active_at=event.at)
    if isinstance(event, Activity) or event.call_id in turn.results:
        return turn
    return replace(turn, calls=_newest({**turn.calls, event.call_id: event}))


def _reopened(turn: Turn) -> Turn:
    if turn.ended_at is None:
        return turn
    return replace(turn, ended_at=None, how=None, error="", agents_left=0, workflows_left=0)


def _ended(turn: Turn, at: float, how: End, error: str = "") -> Turn:
    """The first end stays: a plain end follows the interruption or the error that caused it."""
    if turn.how not in (None, "said") or _late(turn.prompted_at, at):
        return turn
    return replace(turn, ended_at=at, how=how, error=error, calls={}, asks={})


def _is_of_turn_before(turn: Turn, event: Interrupted | Aborted) -> bool:
    """An interruption lets the queued prompt begin, and may be written after that.

    Nobody interrupts that one so soon, and before it has said anything no line tells of it.
    """
    if not turn.was_queued or turn.prompted_at is None:
        return False
    has_said_nothing = isinstance(event, Interrupted) and (turn.active_at or 0.0) < turn.prompted_at
    return has_said_nothing or event.at < turn.prompted_at + MOMENT_S


def _with_ask(turn: Turn, event: Asked | Answered) -> Turn:
    if _late(turn.ended_at, event.at):
        return turn
    if isinstance(event, Asked):
        return replace(_reopened(turn), asks=_newest({**turn.asks, event.ask_id: event}))
    asks = {key: ask for key, ask in turn.asks.items() if key != event.ask_id}
    return replace(_reopened(turn), asks=asks, active_at=event.at)


def _with_result(turn: Turn, result: Result) -> Turn:
    """A result alone never reopens a turn: an interruption writes the results of the calls it cut off.

    Who resumes a session writes that open calls are lost, also of one that has come to its end in another process.
    """
    if result.denied == "lost" and result.call_id in turn.results:
        return turn
    calls = {key: call for key, call in turn.calls.items() if key != result.call_id}
    called = turn.calls.get(result.call_id)
    results = _newest({**turn.results, result.call_id: replace(result, tool=called.tool) if called else result})
    answered_at = result.at if called and called.tool in ALWAYS_ASK else turn.answered_at
    asks = {key: ask for key, ask in turn.asks.items() if ask.call_id != result.call_id}
    turn = replace(turn, calls=calls, results=results, answered_at=answered_at, asks=asks)
    return replace(turn, denied=result) if result.denied else replace(turn, active_at=result.at)


def _tasks(tasks: Mapping[str, Started], event: Event) -> Mapping[str, Started]:
    match event:
        case Started(_, task_id):
            return _newest({**tasks, task_id: event})
        case Finished(_, over):
            return {key: task for key, task in tasks.items() if key != over}
        case Killed():
            return {key: task for key, task in tasks.items() if task.kind != "agent"}
        case _:
            return tasks


V = TypeVar("V", bound=Any)


def _newest(kept: dict[str, V]) -> dict[str, V]:
    """No transcript, however long or hostile, makes a turn grow without end."""
    for key in list(kept)[:-KEPT]:
        del kept[key]
    return kept
