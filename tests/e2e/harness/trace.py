"""One client's run as one timeline: hooks, registry, transcripts, commands, keys and requests, merged by their time.

Everything here is pure: what a payload, a registry record or a line of a transcript is called, and how a timeline is
reduced to its order. ``e2e.harness.tracer`` records one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

HOOK, REGISTRY, TRANSCRIPT, COMMAND, KEY, API = "hook", "registry", "transcript", "command", "key", "api"
MAIN = "main"

INTERRUPT = re.compile(r"\[Request interrupted by user(?: for tool use)?\]")
# What a line of the transcript may be marked with, on its outside.
MARKS = (
    "isMeta",
    "toolDenialKind",
    "interruptedMessageId",
    "isAbortedMidStream",
    "isApiErrorMessage",
    "isCompactSummary",
    "isVisibleInTranscriptOnly",
    "hookErrors",
    "hasOutput",
    "preventedContinuation",
    "stopReason",
    "pendingWorkflowCount",
    "pendingBackgroundAgentCount",
    "operation",
    "retryAttempt",
)


class Moment(NamedTuple):
    """Something that happened: when, seen where, to whom, and what, in words without any time."""

    at: float
    stream: str
    who: str
    what: str
    own: float | None = None  # the time it carries itself
    session: str = ""  # where that is known


Timeline = list[Moment]


def order(timeline: Iterable[Moment]) -> dict[tuple[str, str], list[str]]:
    """Without times: the kinds of what happened in each stream, in order. Agents are counted as they appear."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for moment in named(timeline):
        found[moment.stream, moment.who].append(moment.what)
    return dict(found)


def named(timeline: Iterable[Moment]) -> Timeline:
    """The same, without what is made anew in each run: sessions, agents and processes by the order they appear in."""
    names: dict[str, dict[tuple[str, str], str]] = {MAIN: {}, "agent": {}, "process": {}}
    return [moment._replace(who=_name(moment, names), session="") for moment in timeline]


def _name(moment: Moment, names: dict[str, dict[tuple[str, str], str]]) -> str:
    if not moment.who:
        return ""
    kind = MAIN if moment.who == MAIN else "process" if moment.stream == REGISTRY else "agent"
    known = names[kind]
    first = kind if kind == MAIN else f"{kind} 1"
    key = (moment.who, moment.session if kind == MAIN else "")
    return known.setdefault(key, f"{kind} {len(known) + 1}" if known else first)


def hook(payload: Mapping[str, Any]) -> str:
    """The event, what it is about, and the call."""
    about = [
        str(payload[key])
        for key in ("source", "reason", "trigger", "notification_type", "tool_name", "error", "teammate_name")
        if payload.get(key)
    ]
    return " ".join([payload["hook_event_name"], *about, *_target(payload.get("tool_input")), *_tasks(payload)])


def registry(record: Mapping[str, Any]) -> str:
    """The status, and what it waits for."""
    waiting = f" ({record['waitingFor']})" if record.get("waitingFor") else ""
    return f"{record.get('status', 'no status')}{waiting}"


def line(record: Mapping[str, Any]) -> str:
    """The kind of a transcript's line with its marks."""
    kind = " ".join(str(record[key]) for key in ("type", "subtype") if record.get(key))
    inside = record.get("attachment") or {}
    words = [kind, str(inside.get("type", ""))] if inside else [kind]
    words += _blocks((record.get("message") or {}).get("content"))
    words += [_short(record["content"])] if record.get("subtype") == "informational" else []
    words += [f"{mark}={_short(record[mark])}" for mark in MARKS if record.get(mark) not in (None, [], "", False)]
    return " ".join(word for word in words if word)


def table(timeline: Iterable[Moment], zero: float) -> str:
    """For people: milliseconds since ``zero``, each stream in a column of its own."""
    streams = (KEY, API, HOOK, REGISTRY, TRANSCRIPT, COMMAND)
    rows = ["| ms | " + " | ".join(streams) + " |", "|---:" + "|---" * len(streams) + "|"]
    for moment in timeline:
        who = f"**{moment.who}** " if moment.who else ""
        own = f" _(own {_ms(moment.own, zero)})_" if moment.own is not None else ""
        cells = [f"{who}{_cell(moment.what)}{own}" if stream == moment.stream else "" for stream in streams]
        rows.append(f"| {_ms(moment.at, zero)} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def _target(given: Any) -> list[str]:
    if not isinstance(given, dict):
        return []
    found = next((given[key] for key in ("command", "file_path", "description", "door") if given.get(key)), "")
    return [f"`{_short(found)}`"] if found else []


def _tasks(payload: Mapping[str, Any]) -> list[str]:
    """What still runs in the background, as the client tells it when an agent stops."""
    tasks = [f"{task.get('type')} {task.get('status')}" for task in payload.get("background_tasks") or []]
    crons = payload.get("session_crons") or []
    active = ["stop_hook_active"] if payload.get("stop_hook_active") else []
    return [*active, *([f"tasks={tasks}"] if tasks else []), *([f"crons={len(crons)}"] if crons else [])]


def _blocks(content: Any) -> list[str]:
    if isinstance(content, str):
        return [_text(content)]
    return [_block(block) for block in content or [] if isinstance(block, dict)]


def _block(block: Mapping[str, Any]) -> str:
    if block.get("type") == "tool_use":
        return " ".join(["tool_use", str(block.get("name")), *_target(block.get("input"))])
    if block.get("type") == "tool_result":
        return "tool_result" + (" is_error" if block.get("is_error") else "")
    return _text(str(block.get("text", ""))) if block.get("type") == "text" else str(block.get("type"))


def _text(words: str) -> str:
    """A text is only told by what it is, not by what it says, unless the client itself wrote it."""
    if INTERRUPT.fullmatch(words):
        return words
    mark = re.match(r"<([a-z-]+)>", words)
    return f"<{mark[1]}>" if mark else "text"


def _short(value: Any) -> str:
    words = " ".join(str(value).split())
    return words if len(words) <= 60 else words[:57] + "..."


def _cell(words: str) -> str:
    return words.replace("|", "\\|").replace("\n", " ")


def _ms(at: float | None, zero: float) -> str:
    return "" if at is None else f"{(at - zero) * 1000:.0f}"
