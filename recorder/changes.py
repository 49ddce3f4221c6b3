"""What each event of the client changes in an agent's fact.

Events may come late, twice, out of order, or as the first one ever seen. Each change carries its stamp and gives
way to what is newer; a call that has ended and a sub-agent that has stopped stay so.
"""

from __future__ import annotations

from contract.clean import clean
from contract.facts import Cron, Fact, Mark, Task, Turn, before
from recorder import calls
from recorder.calls import MOST_LISTED, identifier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from contract.facts import Stamp

    Event = dict[str, Any]

HEAD = 512
MOST_TASKS = 1000  # who is not listed any more has ended, so a list that is cut would end somebody
TWICE_S = 0.1  # so soon nothing is asked or prompted again: two hook entries tell of the same
FRESH_SOURCES = ("startup", "resume", "clear", "fork")


def record(fact: Fact | None, event: Event, stamp: Stamp) -> Fact | None:
    """The fact after the event; None if the event leaves no trace."""
    name = event["hook_event_name"]
    if fact is None:
        if name in ("SubagentStop", "StopFailure") and event.get("agent_id") and not event.get("agent_type"):
            return None  # an agent of the client's own, such as the one that compacts
        fact = Fact(session=event["session_id"], agent=agent_of(event))
    if fact.stopped and name != "SubagentStart" and not _is_life_after(fact, name, stamp):
        return None
    _surroundings(fact, event, stamp)
    CHANGES[name](fact, event, stamp)
    return fact


def agent_of(event: Event) -> str:
    return identifier(event, "agent_id") or "main"


def _surroundings(fact: Fact, event: Event, stamp: Stamp) -> None:
    fact.seq += 1
    if fact.last and before(stamp, fact.last.at):
        return
    fact.last = Mark(at=stamp, word=event["hook_event_name"])
    fact.cwd = clean(event.get("cwd"), 1024) or fact.cwd
    fact.type = clean(event.get("agent_type"), 80) or fact.type
    fact.mode = clean(event.get("permission_mode"), 40) or fact.mode
    key = "transcript_path" if fact.agent == "main" else "agent_transcript_path"
    fact.transcript = clean(event.get(key), 2048) or fact.transcript


def _session_start(fact: Fact, event: Event, stamp: Stamp) -> None:
    fact.source = clean(event.get("source"), 20)
    if fact.source not in FRESH_SOURCES:  # a compaction may come in mid-turn
        fact.compacted = _newer(fact.compacted, stamp)
        return
    fact.started = _newer(fact.started, stamp)
    fresh(fact, stamp)


def fresh(fact: Fact, stamp: Stamp) -> None:
    """A new life in a new process: what was going on before is over."""
    if fact.turn and not before(stamp, fact.turn.prompted):
        fact.turn.ended = fact.turn.ended or stamp
        fact.turn.queued = None
    calls.end_all(fact, stamp)
    fact.background, fact.crons, fact.listed = [], [], stamp
    fact.compacting = None
    fact.idles, fact.questions = [], []
    fact.notes = {kind: note for kind, note in fact.notes.items() if before(stamp, note.at)}
    if fact.ended and not before(stamp, fact.ended.at):
        fact.ended = None


def _prompt(fact: Fact, event: Event, stamp: Stamp) -> None:
    machine = clean(event.get("prompt"), 40).startswith("<task-notification>")
    if machine:
        _hear(fact, event["prompt"], stamp)
    else:
        fact.human = _newer(fact.human, stamp)
    turn, name = fact.turn, identifier(event, "prompt_id")
    if turn is None or not turn.is_open or (name != turn.id and not before(stamp, turn.opened)):
        if turn is None or not before(stamp, turn.ended):
            fact.turn = Turn(id=name, before=turn.id if turn else "", opened=stamp, prompted=stamp, machine=machine)
            calls.end_all(fact, stamp)  # a call that was rejected or interrupted has no end of its own
        return
    turn.prompted = _newer(turn.prompted, stamp)
    if not machine and not _is_twice(
        turn, stamp
    ):  # a notification is told when the turn takes it in, a person's prompt when it is queued
        turn.queued = turn.prompted
    turn.machine = turn.machine and machine


def _is_twice(turn: Turn, stamp: Stamp) -> bool:
    return _is_same_moment(stamp, turn.opened)


def _is_same_moment(stamp: Stamp, known: Stamp | None) -> bool:
    return known is not None and abs(stamp[1] - known[1]) < TWICE_S


def _hear(fact: Fact, notification: str, stamp: Stamp) -> None:
    """Of a notification only the task that it is about is kept; it stands at its beginning."""
    task = notification[:HEAD].partition("<task-id>")[2].partition("</task-id>")[0]
    if task and task.isascii() and task.isprintable():
        fact.heard[task[:128]] = stamp
    while len(fact.heard) > MOST_LISTED:
        del fact.heard[next(iter(fact.heard))]


def _stop(fact: Fact, event: Event, stamp: Stamp, error: str = "") -> None:
    _listing(fact, event, stamp)
    turn = fact.turn = fact.turn or Turn(id=identifier(event, "prompt_id"), opened=stamp, prompted=stamp)
    is_late = turn.is_open and turn.before and identifier(event, "prompt_id") == turn.before
    if is_late or (turn.prompted is not None and before(stamp, turn.prompted)):
        return  # the end of the turn before
    if turn.ended and not before(stamp, turn.ended):
        turn.queued = None  # the turn that the queued prompt began has ended too
    if not before(stamp, turn.ended):
        turn.ended, turn.error = stamp, error
    fact.compacting = None
    calls.end_all(fact, stamp)


def _stop_failure(fact: Fact, event: Event, stamp: Stamp) -> None:
    _stop(fact, event, stamp, error=clean(event.get("error"), 80) or "error")
    if fact.agent != "main" and not before(stamp, fact.started):
        fact.stopped = stamp  # of a sub-agent the client tells nothing else


def _listing(fact: Fact, event: Event, stamp: Stamp) -> None:
    """What goes on in the background, as the client tells it when an agent stops."""
    tasks, crons = event.get("background_tasks"), event.get("session_crons")
    if not isinstance(tasks, list) or before(stamp, fact.listed):
        return
    fact.listed = stamp
    fact.background = [_task(raw) for raw in tasks[:MOST_TASKS] if isinstance(raw, dict)]
    fact.crons = [_cron(raw) for raw in crons[:MOST_LISTED] if isinstance(raw, dict)] if isinstance(crons, list) else []


def _task(raw: Event) -> Task:
    return Task(
        id=identifier(raw, "id"),
        type=clean(raw.get("type"), 40),
        status=clean(raw.get("status"), 40),
        agent_type=clean(raw.get("agent_type"), 80),
    )


def _cron(raw: Event) -> Cron:
    return Cron(
        id=identifier(raw, "id"), schedule=clean(raw.get("schedule"), 80), recurring=raw.get("recurring") is True
    )


def _subagent_start(fact: Fact, _event: Event, stamp: Stamp) -> None:
    if before(stamp, fact.stopped):
        return
    fact.started, fact.stopped = fact.started if fact.started and not fact.stopped else stamp, None
    fact.idles = []


def _subagent_stop(fact: Fact, event: Event, stamp: Stamp) -> None:
    if fact.last and fact.last.word == "SubagentStart" and before(stamp, fact.last.at):
        return  # it has been started again since
    _listing(fact, event, stamp)
    fact.stopped = stamp
    calls.end_all(fact, stamp)


def _is_life_after(fact: Fact, name: str, stamp: Stamp) -> bool:
    """A teammate goes idle after it has stopped, and that is worth knowing."""
    return name == "TeammateIdle" and not before(stamp, fact.stopped)


def _teammate_idle(fact: Fact, event: Event, stamp: Stamp) -> None:
    """Some clients tell it under the lead's session and name no agent: then only name and team say who is meant."""
    fact.idles.append(
        Mark(at=stamp, word=clean(event.get("teammate_name"), 80), team=clean(event.get("team_name"), 80))
    )
    del fact.idles[:-MOST_LISTED]


def _notification(fact: Fact, event: Event, stamp: Stamp) -> None:
    kind = clean(event.get("notification_type"), 60) or "unknown"
    # The only message worth keeping: which teammate asks, and for which tool. Several may ask at once.
    word = clean(event.get("message"), 120) if kind == "worker_permission_prompt" else ""
    key = f"{kind}: {word}" if word else kind
    if key in fact.notes and before(stamp, fact.notes[key].at):
        return
    fact.notes[key] = Mark(at=stamp, word=word)
    while len(fact.notes) > MOST_LISTED:
        del fact.notes[next(iter(fact.notes))]


def _elicitation(fact: Fact, event: Event, stamp: Stamp) -> None:
    asked = Mark(at=stamp, word=clean(event.get("mcp_server_name"), 60))
    if not any(_is_same_moment(stamp, one.at) for one in fact.questions if one.word == asked.word):
        fact.questions = [*fact.questions, asked][-MOST_LISTED:]


def _elicitation_result(fact: Fact, event: Event, stamp: Stamp) -> None:
    """It says which server asked, but not which of its questions: the client shows them in order."""
    fact.notes["elicitation_response"] = Mark(at=stamp)  # as the client's notification says it a moment later
    server = clean(event.get("mcp_server_name"), 60)
    for asked in fact.questions:
        if server in (asked.word, "") and not before(stamp, asked.at):
            fact.questions.remove(asked)
            return


def _pre_compact(fact: Fact, _event: Event, stamp: Stamp) -> None:
    if not before(stamp, fact.compacted):
        fact.compacting = _newer(fact.compacting, stamp)


def _post_compact(fact: Fact, _event: Event, stamp: Stamp) -> None:
    fact.compacted = _newer(fact.compacted, stamp)
    if fact.compacting and not before(stamp, fact.compacting):
        fact.compacting = None


def _session_end(fact: Fact, event: Event, stamp: Stamp) -> None:
    if not before(stamp, fact.started):
        fact.ended = Mark(at=stamp, word=clean(event.get("reason"), 40) or "other")


def _newer(one: Stamp | None, other: Stamp) -> Stamp:
    return one if one is not None and before(other, one) else other


CHANGES: dict[str, Callable[[Fact, Event, Stamp], None]] = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "PreToolUse": calls.begin,
    "PermissionRequest": calls.ask,
    "PermissionDenied": calls.deny,
    "PostToolUse": calls.finish,
    "PostToolUseFailure": calls.finish,
    "PostToolBatch": calls.finish_batch,
    "Notification": _notification,
    "Elicitation": _elicitation,
    "ElicitationResult": _elicitation_result,
    "SubagentStart": _subagent_start,
    "SubagentStop": _subagent_stop,
    "Stop": _stop,
    "StopFailure": _stop_failure,
    "TeammateIdle": _teammate_idle,
    "PreCompact": _pre_compact,
    "PostCompact": _post_compact,
    "SessionEnd": _session_end,
}
