"""A program and its wrong light, told so that a person can follow."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from simulator.observation import BOOT, NOON, File, Hook, Line
from simulator.program import Call, Compact, Fail, Retry, Say, Spawn, Together, Wait

if TYPE_CHECKING:
    from simulator.checker import Wrong
    from simulator.judgement import Judgement
    from simulator.observation import Observation
    from simulator.program import Deed, Move


def story(judgement: Judgement, wrong: Wrong) -> str:
    program = judgement.program
    means = [] if program.hooks else ["no hooks"]
    means += [] if program.registry else ["no registry"]
    means += [] if program.processes else ["no process table"]
    means += [] if program.notes else ["notes without an end"]
    own = program.own
    means += [f"own hook says {own.permission} after {own.after} s"] if own.permission else []
    means += ["own hook refuses every second prompt"] if own.prompt_blocks else []
    means += [f"own Stop hook blocks {own.stop_blocks} times"] if own.stop_blocks else []
    means += [
        f"{fault.kind} {fault.number or fault.at or ''} {fault.seconds or ''}".strip() for fault in program.faults
    ]
    paragraphs = [*([f"({', '.join(means)})"] if means else []), *(_deed(deed) for deed in program.deeds)]
    light = wrong.light
    detail = f" “{light.detail}”" if light.detail else ""
    who, expected = wrong.key[1] or "the session", wrong.expected or "another detail"
    paragraphs.append(
        f"{wrong.at:.2f} s {who}: {wrong.kind}; expected {expected}, "
        f"shown {light.state}{detail}" + (f" by rule {light.rule}" if light.rule else "")
    )
    return "\n".join(paragraphs)


def _deed(deed: Deed) -> str:
    script = ", ".join(_move(move) for move in deed.script)
    more = f" {deed.word}" * bool(deed.word) + f" {deed.takes} s" * bool(deed.takes)
    return f"{deed.at:.2f} s {deed.session}: {deed.do}{more}" + (f" ({script})" if script else "")


def _move(move: Move) -> str:
    match move:
        case Say(takes):
            return f"writes for {takes} s"
        case Wait(takes):
            return f"is silent for {takes} s"
        case Retry(takes, lines_written):
            return f"is overloaded for {takes} s" + f", {lines_written} lines tell" * bool(lines_written)
        case Fail(takes, error):
            return f"fails after {takes} s ({error})"
        case Compact(takes):
            return f"compacts for {takes} s"
        case Call(tool, target, takes, ask, fails, background, denied, elicits):
            answer = f", asks: {ask.answer or 'no answer'} after {ask.after} s" if ask else ""
            return (
                f"{tool} `{target}`{answer}, {takes} s"
                + ", fails" * fails
                + ", in the background" * background
                + ", denied by auto mode" * denied
                + (f", its server asks: {elicits.answer or 'no answer'} after {elicits.after} s" if elicits else "")
            )
        case Together(calls):
            return " and ".join(_move(call) for call in calls)
        case Spawn(name, script, background, _, in_pane):
            where = "a pane" if in_pane else "the background" if background else "the foreground"
            return f"starts {name} in {where} [{', '.join(_move(move) for move in script)}]"


def timeline(judgement: Judgement) -> str:
    """What was seen and what was shown, in order."""
    events = [(observation.at, 0, _observed(observation)) for observation in judgement.played.seen]
    for at, sessions in judgement.shown:
        rows = [f"{a.key} {a.status} “{a.detail}” {a.rule}" for s in sessions.values() for a in s.agents]
        events.append((at, 1, "        => " + ("; ".join(rows) or "nothing")))
    events += [
        (c.at, 2, f"    TRUE {key[1]} {c.state}") for key, cs in judgement.played.truth.changes.items() for c in cs
    ]
    return "\n".join(f"{at:8.3f} {words}" for at, _, words in sorted(events))


def _observed(observation: Observation) -> str:
    match observation:
        case Hook(_, stamp, _, payload):
            event = observation.event
            about = payload.get("tool_name") or payload.get("source") or payload.get("tool") or ""
            who = payload.get("agent_id") or payload.get("agent") or "main"
            return f"hook {event} {who} {about} stamped {stamp[1] - BOOT:.3f}"
        case Line(_, path, data):
            record = json.loads(data)
            message = record.get("message", {})
            blocks = message.get("content", record.get("content", record.get("payload", record.get("data", ""))))
            at = record.get("timestamp", "")[17:23]
            why = record.get("subtype") or message.get("stop_reason") or ""
            return f"line {path.rpartition('/')[2][-12:]} {at} {record.get('type', '')} {why} {str(blocks)[:100]}"
        case File(_, path, data) if "/.claude/" not in path:
            return f"file {path.rpartition('/')[2]} {(data or b'gone')[-160:]!r}"
        case File(_, path, data):
            record = json.loads(data or b"{}")
            stamped = record.get("statusUpdatedAt", 0) / 1000 - NOON
            return f"file {path.rpartition('/')[2]} {record.get('status')} {record.get('waitingFor', '')} {stamped:.3f}"
        case _:
            return str(observation)


def pasteable(value: Any) -> str:
    """A program as source, without what is as usual."""
    if isinstance(value, tuple):
        return "(" + "".join(f"{pasteable(item)}, " for item in value).rstrip(" ") + ")"
    if not is_dataclass(value):
        return repr(value)
    parts = [(part, getattr(value, part.name)) for part in fields(value)]
    words = [f"{part.name}={pasteable(given)}" for part, given in parts if given != part.default]
    return f"{type(value).__name__}({', '.join(words)})"
