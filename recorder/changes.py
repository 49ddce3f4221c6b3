"""What each change that a client tells of does to an agent's fact, whichever client it is.

They may come late, twice, out of order, or as the first one ever seen. Each carries its stamp and gives
way to what is newer; a call that has ended and a sub-agent that has stopped stay so.
"""

from __future__ import annotations

from contract.clean import clean
from contract.facts import Cron, Fact, Mark, Task, Turn, before
from recorder import calls
from recorder.calls import MOST_LISTED, TWICE_S, identifier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from contract.facts import Stamp
    from recorder.change import Change, Kind

MOST_TASKS = 1000  # far more than a client has: a task that is not listed counts as ended
LATE_S = 2.0  # a hook that nobody waits for may be so late
FRESH_SOURCES = ("startup", "resume", "clear", "fork")


def record(fact: Fact | None, change: Change, stamp: Stamp) -> Fact | None:
    """The fact after the change; None if it leaves no trace."""
    if fact is None:
        if change.inner:
            return None
        fact = Fact(session=session_of(change), agent=agent_of(change), client_name=change.client)
    if fact.stopped and change.kind != "agent started" and not _is_life_after(fact, change, stamp):
        return calls.spawn_late(fact, change, stamp)
    if fact.stopped and change.awaited:
        fact.stopped, fact.woken = None, stamp
    _surroundings(fact, change, stamp)
    CHANGES[change.kind](fact, change, stamp)
    return fact


def session_of(change: Change) -> str:
    return identifier(change.session)


def agent_of(change: Change) -> str:
    return identifier(change.agent) or "main"


def _surroundings(fact: Fact, change: Change, stamp: Stamp) -> None:
    fact.seq += 1
    if fact.last and before(stamp, fact.last.at):
        return
    fact.last = Mark(at=stamp, word=clean(change.event, 80))
    fact.cwd = clean(change.cwd, 1024) or fact.cwd
    fact.type = clean(change.type, 80) or fact.type
    fact.mode = clean(change.mode, 40) or fact.mode
    fact.transcript = clean(change.transcript, 2048) or fact.transcript


def _session_start(fact: Fact, change: Change, stamp: Stamp) -> None:
    fact.source, stamp = clean(change.source, 20), _when_said(change, stamp)
    if fact.source not in FRESH_SOURCES:  # a compaction may come in mid-turn
        fact.compacted = _newer(fact.compacted, stamp)
        return
    fact.started = _newer(fact.started, stamp)
    fresh(fact, stamp)


def fresh(fact: Fact, stamp: Stamp) -> None:
    """A new life in a new process: what was going on before is over."""
    if fact.turn and not before(stamp, fact.turn.prompted) and not was_given_its_task(fact):
        fact.turn.ended = fact.turn.ended or stamp
        fact.turn.queued = None
    calls.end_all(fact, stamp)
    fact.background, fact.crons, fact.listed = [], [], stamp
    fact.compacting = fact.killed = None
    fact.idles, fact.questions = [], []
    fact.notes = {kind: note for kind, note in fact.notes.items() if before(stamp, note.at)}
    if fact.ended and not before(stamp, fact.ended.at):
        fact.ended = None


def was_given_its_task(fact: Fact) -> bool:
    """The turn that is open was opened when the agent was registered: its prompt is on its way."""
    return bool(fact.registered and fact.turn and fact.turn.opened == fact.registered.at)


def _prompt(fact: Fact, change: Change, stamp: Stamp) -> None:
    machine, stamp = change.machine, _when_said(change, stamp)
    if machine:
        _hear(fact, change.heard, stamp)
    else:
        fact.human = _newer(fact.human, stamp)
    turn, name = fact.turn, identifier(change.turn)
    if turn is None or not turn.is_open or (name != turn.id and not before(stamp, turn.opened)):
        if turn is None or not before(stamp, turn.ended):
            fact.turn = Turn(id=name, before=turn.id if turn else "", opened=stamp, prompted=stamp, machine=machine)
            calls.end_all(fact, stamp)  # a call that was rejected or interrupted has no end of its own
        return
    turn.prompted = _newer(turn.prompted, stamp)
    if not machine and not (change.once or _is_twice(turn, stamp)):
        # A notification is told when the turn takes it in, a person's prompt when it is queued.
        turn.queued = turn.prompted
    turn.machine = turn.machine and machine


def _when_said(change: Change, stamp: Stamp) -> Stamp:
    """A start that is told late ends only what was before it, and no sub-agent that has begun since.

    As told, if somebody has set the clock meanwhile.
    """
    late = (stamp.wall - change.said) % 60 if change.said is not None else 0.0
    return type(stamp)((stamp.wall - late, stamp.boot - late)) if 0.0 < late < LATE_S else stamp


def _is_twice(turn: Turn, stamp: Stamp) -> bool:
    return _is_same_moment(stamp, turn.opened)


def _is_same_moment(stamp: Stamp, known: Stamp | None) -> bool:
    return known is not None and abs(stamp.boot - known.boot) < TWICE_S


def _hear(fact: Fact, task: Any, stamp: Stamp) -> None:
    if isinstance(task, str) and task and task.isascii() and task.isprintable():
        fact.heard[task[:128]] = stamp
    while len(fact.heard) > MOST_LISTED:
        del fact.heard[next(iter(fact.heard))]


def _stop(fact: Fact, change: Change, stamp: Stamp, error: str = "") -> None:
    turn = fact.turn = fact.turn or Turn(id=identifier(change.turn), opened=stamp, prompted=stamp)
    is_late = bool(turn.before) and identifier(change.turn) == turn.before  # the end of the turn before
    if is_late and turn.ended:
        return  # of what goes on, the end of this one has told since
    _listing(fact, change, stamp)
    if is_late or (turn.prompted is not None and before(stamp, turn.prompted)):
        return
    if turn.ended and not before(stamp, turn.ended):
        turn.queued = None  # the turn that the queued prompt began has ended too
    if not before(stamp, turn.ended):
        turn.ended, turn.error, turn.final = stamp, error, change.final
    fact.compacting = None
    calls.end_all(fact, stamp)


def _stop_failure(fact: Fact, change: Change, stamp: Stamp) -> None:
    _stop(fact, change, stamp, error=clean(change.error, 80) or "error")
    if fact.agent != "main" and not before(stamp, fact.started):
        fact.stopped = stamp  # of a sub-agent the client tells nothing else


def _at_rest(fact: Fact, change: Change, stamp: Stamp) -> None:
    """It waits for the person, however its turn ended: what was told of that end stays."""
    turn = fact.turn
    if turn and turn.opened and _was_said_before(turn, change):
        _listing(fact, change, turn.opened)
    elif turn is None or turn.is_open:
        _stop(fact, change, stamp)


def _was_said_before(turn: Turn, change: Change) -> bool:
    """A client that does not wait for the hook may have gone on to its next turn. It names its turns by their times.

    Not if somebody has set the clock between the two: then they are not so close to each other.
    """
    if change.said is None or turn.prompted is None or identifier(change.turn) >= turn.id:
        return False
    return (turn.prompted.wall - change.said) % 60 < LATE_S


def _listing(fact: Fact, change: Change, stamp: Stamp) -> None:
    """What goes on in the background, as the client tells it when an agent stops."""
    tasks, crons = change.tasks, change.crons
    if not isinstance(tasks, list) or before(stamp, fact.listed):
        return
    fact.listed = stamp
    fact.background = [_task(raw) for raw in tasks[:MOST_TASKS] if isinstance(raw, dict)]
    fact.crons = [_cron(raw) for raw in crons[:MOST_LISTED] if isinstance(raw, dict)] if isinstance(crons, list) else []


def _task(raw: dict[str, Any]) -> Task:
    return Task(
        id=identifier(raw.get("id")),
        type=clean(raw.get("type"), 40),
        status=clean(raw.get("status"), 40),
        agent_type=clean(raw.get("agent_type"), 80),
    )


def _cron(raw: dict[str, Any]) -> Cron:
    return Cron(
        id=identifier(raw.get("id")), schedule=clean(raw.get("schedule"), 80), recurring=raw.get("recurring") is True
    )


def _agent_start(fact: Fact, _change: Change, stamp: Stamp) -> None:
    if before(stamp, fact.stopped):
        return
    fact.started, fact.stopped = fact.started if fact.started and not fact.stopped else stamp, None
    fact.woken = _newer(fact.woken, stamp)
    fact.idles = []


def _agent_stop(fact: Fact, change: Change, stamp: Stamp) -> None:
    if before(stamp, fact.woken):
        return  # it has been started again since
    _listing(fact, change, stamp)
    fact.stopped = stamp
    calls.end_all(fact, stamp)


def _is_life_after(fact: Fact, change: Change, stamp: Stamp) -> bool:
    """A teammate goes idle after it has stopped, and that is worth knowing.

    Or it calls a tool, or stops once more: a hook of the user's has sent it back to work, and none tells of that.
    """
    return (change.kind in ("idle", "agent stopped") or change.awaited) and not before(stamp, fact.stopped)


def _idle(fact: Fact, change: Change, stamp: Stamp) -> None:
    """Some clients tell it under the lead's session and name no agent: then only name and team say who is meant."""
    fact.idles.append(Mark(at=stamp, word=clean(change.word, 80), team=clean(change.team, 80)))
    del fact.idles[:-MOST_LISTED]


def _note(fact: Fact, change: Change, stamp: Stamp) -> None:
    kind, word = clean(change.note, 60) or "unknown", clean(change.word, 120)
    key = f"{kind}: {word}" if word else kind  # several teammates may ask at once
    if key in fact.notes and before(stamp, fact.notes[key].at):
        return
    fact.notes[key] = Mark(at=stamp, word=word)
    while len(fact.notes) > MOST_LISTED:
        del fact.notes[next(iter(fact.notes))]


def _question(fact: Fact, change: Change, stamp: Stamp) -> None:
    asked = Mark(at=stamp, word=clean(change.word, 60))
    if not any(_is_same_moment(stamp, one.at) for one in fact.questions if one.word == asked.word):
        fact.questions = [*fact.questions, asked][-MOST_LISTED:]


def _answer(fact: Fact, change: Change, stamp: Stamp) -> None:
    """It says which server asked, but not which of its questions: the client shows them in order."""
    fact.notes["elicitation_response"] = Mark(at=stamp)  # as the client's notification says it a moment later
    server = clean(change.word, 60)
    for asked in fact.questions:
        if server in (asked.word, "") and not before(stamp, asked.at):
            fact.questions.remove(asked)
            return


def _compacting(fact: Fact, change: Change, stamp: Stamp) -> None:
    turn = fact.turn
    if change.by_hand and turn and not before(stamp, turn.prompted):
        turn.rested = stamp  # a teammate's message may have begun another one, of which no hook tells
        if turn.is_open or turn.queued:
            turn.ended = stamp  # the client compacts by hand between two turns: an interruption left no other trace
            turn.queued = None  # nor did that of the turn which a queued prompt began
            calls.end_all(fact, stamp)
    if not before(stamp, fact.compacted):
        fact.compacting = _newer(fact.compacting, stamp)


def _compacted(fact: Fact, _change: Change, stamp: Stamp) -> None:
    fact.compacted = _newer(fact.compacted, stamp)
    if fact.compacting and not before(stamp, fact.compacting):
        fact.compacting = None


def _session_end(fact: Fact, change: Change, stamp: Stamp) -> None:
    if not before(stamp, fact.started):
        fact.ended = Mark(at=stamp, word=clean(change.word, 40) or "other")


def _newer(one: Stamp | None, other: Stamp) -> Stamp:
    return one if one is not None and before(other, one) else other


CHANGES: dict[Kind, Callable[[Fact, Change, Stamp], None]] = {
    "session started": _session_start,
    "prompted": _prompt,
    "call began": calls.begin,
    "asked": calls.ask,
    "approved": calls.approve,
    "denied": calls.deny,
    "call ended": calls.finish,
    "batch ended": calls.finish_batch,
    "note": _note,
    "question": _question,
    "answer": _answer,
    "agent started": _agent_start,
    "agent stopped": _agent_stop,
    "turn ended": _stop,
    "turn failed": _stop_failure,
    "at rest": _at_rest,
    "idle": _idle,
    "compacting": _compacting,
    "compacted": _compacted,
    "session ended": _session_end,
}
