"""What each event of the client changes in an agent's fact.

Events may come late, twice, out of order, or as the first one ever seen. Each change carries its stamp and gives
way to what is newer; a call that has ended and a sub-agent that has stopped stay so.
"""

from __future__ import annotations

from contract.clean import clean, mask
from contract.facts import Call, Cron, Ended, Fact, Mark, Spawn, Task, Turn, before
from contract.wire import canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from contract.facts import Stamp

    Event = dict[str, Any]

# The input that says in a word what a call is about.
TARGETS = {
    "Bash": "command", "Edit": "file_path", "MultiEdit": "file_path", "Write": "file_path", "Read": "file_path",
    "NotebookEdit": "notebook_path", "WebFetch": "url", "WebSearch": "query", "Agent": "description",
    "Task": "description", "Skill": "skill", "Glob": "pattern", "Grep": "pattern",
}  # fmt: skip
TARGET_LENGTH = 60
MOST_CALLS = 256
MOST_LISTED = 64
FRESH_SOURCES = ("startup", "resume", "clear", "fork")


def record(fact: Fact | None, event: Event, stamp: Stamp) -> Fact | None:
    """The fact after the event; None if the event leaves no trace."""
    name = event["hook_event_name"]
    if fact is None:
        if name == "SubagentStop" and not event.get("agent_type"):
            return None  # an agent of the client's own, such as the one that compacts
        fact = Fact(session=event["session_id"], agent=agent_of(event))
    if fact.stopped and name != "SubagentStart" and not _is_life_after(fact, name, stamp):
        return None
    _surroundings(fact, event, stamp)
    CHANGES[name](fact, event, stamp)
    return fact


def agent_of(event: Event) -> str:
    return _id(event, "agent_id") or "main"


def _id(event: Event, key: str) -> str:
    found = event.get(key)
    return found[:256] if isinstance(found, str) else ""


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
    if fact.turn and fact.turn.is_open and before(fact.turn.prompted, stamp):
        fact.turn.ended = stamp
    _end_calls(fact, stamp)
    fact.background, fact.crons, fact.listed = [], [], stamp
    fact.compacting = fact.elicited = fact.idle = None
    fact.notes = {kind: note for kind, note in fact.notes.items() if before(stamp, note.at)}
    if fact.ended and before(fact.ended.at, stamp):
        fact.ended = None


def _prompt(fact: Fact, event: Event, stamp: Stamp) -> None:
    machine = clean(event.get("prompt"), 40).startswith("<task-notification>")
    if not machine:
        fact.human = _newer(fact.human, stamp)
    turn, name = fact.turn, _id(event, "prompt_id")
    if turn is None or not turn.is_open or (name != turn.id and before(turn.opened, stamp)):
        if turn is None or not before(stamp, turn.ended):
            fact.turn = Turn(id=name, opened=stamp, prompted=stamp, machine=machine)
        return
    turn.prompted = turn.queued = _newer(turn.prompted, stamp)
    turn.machine = turn.machine and machine


def _open_turn(fact: Fact, event: Event, stamp: Stamp) -> None:
    """An agent that calls a tool is in a turn, whether or not its beginning was seen."""
    turn = fact.turn
    if turn is None or (turn.ended and before(turn.ended, stamp)):
        fact.turn = Turn(id=_id(event, "prompt_id"), opened=stamp, prompted=stamp)


def _pre_tool(fact: Fact, event: Event, stamp: Stamp) -> None:
    call = _call(event, stamp)
    name = _id(event, "tool_use_id")
    if not name or name in fact.done or (fact.turn and before(stamp, fact.turn.ended)):
        return
    _open_turn(fact, event, stamp)
    for ask in fact.asks:
        if ask.digest == call.digest and ask.name == call.name:
            call.asked = ask.asked
            fact.asks.remove(ask)
            break
    fact.calls[name] = call
    while len(fact.calls) > MOST_CALLS:
        del fact.calls[next(iter(fact.calls))]


def _permission(fact: Fact, event: Event, stamp: Stamp) -> None:
    asked = _call(event, stamp)
    asked.asked = stamp
    if any(e.digest == asked.digest and e.name == asked.name and before(stamp, e.at) for e in fact.done.values()):
        return
    if fact.turn and before(stamp, fact.turn.ended):
        return
    _open_turn(fact, event, stamp)
    call = _pending(fact, asked)
    if call:
        call.asked = stamp
    else:
        fact.asks = [*fact.asks, asked][-MOST_LISTED:]


def _pending(fact: Fact, asked: Call) -> Call | None:
    """The call that is meant: equal input, else the newest pending one of that tool."""
    same_tool = [call for call in fact.calls.values() if call.name == asked.name and not call.asked]
    equal = [call for call in same_tool if call.digest == asked.digest]
    if equal:
        return equal[0]
    return max(same_tool, key=lambda call: call.began or (0.0, 0.0), default=None)


def _post_tool(fact: Fact, event: Event, stamp: Stamp) -> None:
    _end_call(fact, event, stamp)
    if event.get("tool_name") in ("Agent", "Task"):
        _spawn(fact, event, stamp)


def _denied(fact: Fact, event: Event, stamp: Stamp) -> None:
    _end_call(fact, event, stamp)
    fact.denied = Mark(at=stamp, word=clean(event.get("tool_name"), 80))


def _batch(fact: Fact, event: Event, stamp: Stamp) -> None:
    calls = event.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict):
            _end_call(fact, call, stamp)
    if fact.turn and before(fact.turn.queued, stamp):
        fact.turn.queued = None


def _end_call(fact: Fact, event: Event, stamp: Stamp) -> None:
    """By its id. Its input is taken from the beginning, as the client may fill in answers on the way."""
    name = _id(event, "tool_use_id")
    call = fact.calls.pop(name, None) or _call(event, stamp)
    fact.asks = [
        ask for ask in fact.asks if (ask.name, ask.digest) != (call.name, call.digest) or before(stamp, ask.asked)
    ]
    if name and name not in fact.done:
        fact.done[name] = Ended(name=call.name, digest=call.digest, at=stamp)
    while len(fact.done) > MOST_CALLS:
        del fact.done[next(iter(fact.done))]
    if fact.turn is None:  # the first event we see, in the middle of a turn
        fact.turn = Turn(id=_id(event, "prompt_id"), opened=stamp, prompted=stamp)


def _end_calls(fact: Fact, stamp: Stamp) -> None:
    """The turn is over, so nothing that began before is still going on."""
    fact.calls = {name: call for name, call in fact.calls.items() if before(stamp, call.began)}
    fact.asks = [ask for ask in fact.asks if before(stamp, ask.asked)]


def _spawn(fact: Fact, event: Event, stamp: Stamp) -> None:
    answer, given = event.get("tool_response"), event.get("tool_input")
    if not isinstance(answer, dict) or not isinstance(given, dict):
        return
    made = Spawn(
        id=_id(answer, "agentId") or _id(answer, "agent_id"),
        call=_id(event, "tool_use_id"),
        name=clean(given.get("name"), 80),
        team=clean(answer.get("team_name") or given.get("team_name"), 80),
        type=clean(given.get("subagent_type"), 80),
        at=stamp,
    )
    fact.spawned = [*[s for s in fact.spawned if s.call != made.call], made][-MOST_LISTED:]


def _stop(fact: Fact, event: Event, stamp: Stamp, error: str = "") -> None:
    _listing(fact, event, stamp)
    turn = fact.turn = fact.turn or Turn(id=_id(event, "prompt_id"), opened=stamp, prompted=stamp)
    if turn.prompted is not None and before(stamp, turn.prompted):
        return  # the end of the turn before
    if turn.ended and before(turn.ended, stamp):
        turn.queued = None  # the turn that the queued prompt began has ended too
    if not turn.ended or before(turn.ended, stamp):
        turn.ended, turn.error = stamp, error
    fact.compacting = None
    _end_calls(fact, stamp)


def _stop_failure(fact: Fact, event: Event, stamp: Stamp) -> None:
    _stop(fact, event, stamp, error=clean(event.get("error"), 80) or "error")


def _listing(fact: Fact, event: Event, stamp: Stamp) -> None:
    """What goes on in the background, as the client tells it when an agent stops."""
    tasks, crons = event.get("background_tasks"), event.get("session_crons")
    if not isinstance(tasks, list) or before(stamp, fact.listed):
        return
    fact.listed = stamp
    fact.background = [_task(raw) for raw in tasks[:MOST_LISTED] if isinstance(raw, dict)]
    fact.crons = [_cron(raw) for raw in crons[:MOST_LISTED] if isinstance(raw, dict)] if isinstance(crons, list) else []


def _task(raw: Event) -> Task:
    return Task(
        id=_id(raw, "id"),
        type=clean(raw.get("type"), 40),
        status=clean(raw.get("status"), 40),
        about=clean(raw.get("description"), TARGET_LENGTH),
        agent_type=clean(raw.get("agent_type"), 80),
    )


def _cron(raw: Event) -> Cron:
    return Cron(id=_id(raw, "id"), schedule=clean(raw.get("schedule"), 80), recurring=raw.get("recurring") is True)


def _subagent_start(fact: Fact, _event: Event, stamp: Stamp) -> None:
    if before(stamp, fact.stopped):
        return
    fact.started, fact.stopped = fact.started if fact.started and not fact.stopped else stamp, None
    fact.idle = None


def _subagent_stop(fact: Fact, event: Event, stamp: Stamp) -> None:
    _listing(fact, event, stamp)
    fact.stopped = stamp
    _end_calls(fact, stamp)


def _is_life_after(fact: Fact, name: str, stamp: Stamp) -> bool:
    """A teammate goes idle after it has stopped, and that is worth knowing."""
    return name == "TeammateIdle" and before(fact.stopped, stamp)


def _teammate_idle(fact: Fact, event: Event, stamp: Stamp) -> None:
    fact.idle = Mark(at=stamp, word=clean(event.get("teammate_name"), 80), team=clean(event.get("team_name"), 80))


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


def _elicitation(fact: Fact, _event: Event, stamp: Stamp) -> None:
    fact.elicited = _newer(fact.elicited, stamp)


def _elicitation_result(fact: Fact, _event: Event, stamp: Stamp) -> None:
    if not before(stamp, fact.elicited):
        fact.elicited = None


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


def _call(event: Event, stamp: Stamp) -> Call:
    name = clean(event.get("tool_name"), 80)
    given = event.get("tool_input")
    return Call(name=name, target=_target(name, given), began=stamp, digest=_digest(given))


def _digest(given: Any) -> str:
    from zlib import crc32  # noqa: PLC0415 - only events of calls need it

    return f"{crc32(canonical(given)):08x}"


def _target(name: str, given: Any) -> str:
    word = given.get(TARGETS.get(name, "")) if isinstance(given, dict) else None
    if not isinstance(word, str):
        return ""
    if name == "Bash":
        return clean(mask(word[:400]), TARGET_LENGTH)
    if name == "WebFetch":
        return clean(word.split("?")[0].split("@")[-1], TARGET_LENGTH)
    return clean(word.rsplit("/", 1)[-1] if TARGETS[name].endswith("_path") else word, TARGET_LENGTH)


CHANGES: dict[str, Callable[[Fact, Event, Stamp], None]] = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "PreToolUse": _pre_tool,
    "PermissionRequest": _permission,
    "PermissionDenied": _denied,
    "PostToolUse": _post_tool,
    "PostToolUseFailure": _post_tool,
    "PostToolBatch": _batch,
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
