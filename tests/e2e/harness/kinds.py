"""What a client shows, reduced to the order of kinds in each stream: the same for the real client and for the model.

A stream is what keeps its own order: the hooks of one agent, the lines of one transcript, the registry entry of one
process. Times, ids and texts are left out, and so is what no reader of ours looks at.
"""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from e2e.harness import trace

Record = dict[str, Any]
Streams = dict[str, list[str]]

CUE = "cue"  # in the registry of every process: somebody did something, and a turn may follow

# Lines of other types say how the client was set up, or repeat what other lines say.
TYPES = ("user", "assistant", "system", "queue-operation")
MARKS = (
    "isMeta", "toolDenialKind", "isAbortedMidStream", "isApiErrorMessage", "isCompactSummary", "operation",
    "promptSource", "turnOrigin", "pendingBackgroundAgentCount",
)  # fmt: skip
ABOUT = ("source", "reason", "trigger", "notification_type", "tool_name", "teammate_name")


@dataclass
class Shown:
    """Everything that was seen of the clients of one run, each list in its own order."""

    hooks: list[Record] = field(default_factory=list)
    lines: list[tuple[str, Record]] = field(default_factory=list)  # with the path of the transcript
    registry: list[tuple[str, str]] = field(default_factory=list)  # the process, and its status in words
    agents: dict[str, str] = field(default_factory=dict)  # what each sub-agent is for, by its id


def streams(shown: Shown) -> Streams:
    found: Streams = defaultdict(list)
    names = _Names()
    for payload in shown.hooks:
        session = names.of("session", payload["session_id"])
        found[f"hooks of {session}, {_agent(shown, payload.get('agent_id'))}"].append(hook_kind(payload))
    for path, record in shown.lines:
        if record.get("type") in TYPES:
            session, agent = _whose(path)
            found[f"lines of {names.of('session', session)}, {_agent(shown, agent)}"].append(line_kind(record))
    for process in dict.fromkeys(process for process, _ in shown.registry if process):
        found[f"registry of {names.of('process', process)}"] = _statuses(shown.registry, process)
    return {name: kinds for name, kinds in found.items() if kinds}


def _statuses(registry: list[tuple[str, str]], process: str) -> list[str]:
    """Without an `idle` that a turn follows by itself: it lasts 5 to 30 ms, too short to be seen by everybody."""
    words = [word for whose, word in registry if whose in ("", process) and word != trace.registry({})]
    lasting = [one for one, after in zip(words, [*words[1:], ""], strict=True) if (one, after) != ("idle", "busy")]
    found: list[str] = []
    for word in lasting:
        if word != CUE and found[-1:] != [word]:
            found.append(word)
    return found


def hook_kind(payload: Record) -> str:
    """The event, what it is about, and how the call went."""
    about = [str(payload[key]) for key in ABOUT if payload.get(key)]
    failure = [str(payload["error"])] if payload["hook_event_name"] == "StopFailure" else []
    return " ".join([payload["hook_event_name"], *about, *failure, *_outcome(payload), *trace._tasks(payload)])


def line_kind(record: Record) -> str:
    kind = " ".join(str(record[key]) for key in ("type", "subtype") if record.get(key))
    blocks = [_without_target(block) for block in trace._blocks((record.get("message") or {}).get("content"))]
    marks = [f"{mark}={record[mark]}" for mark in MARKS if record.get(mark) not in (None, "", False)]
    errors = ["with errors"] if record.get("hookErrors") else []
    return " ".join([kind, *blocks, *marks, *errors])


class _Names:
    """Ids are made anew in each run: they are counted as they appear."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, str]] = defaultdict(dict)

    def of(self, kind: str, key: str) -> str:
        known = self._known[kind]
        return known.setdefault(key, f"{kind} {len(known) + 1}")


def _agent(shown: Shown, agent: str | None) -> str:
    return shown.agents.get(agent, "an agent of the client's own") if agent else "main"


def _whose(path: str) -> tuple[str, str | None]:
    """Session and sub-agent of a transcript."""
    name = os.path.basename(path).removesuffix(".jsonl")
    if name.startswith("agent-"):
        return os.path.basename(os.path.dirname(os.path.dirname(path))), name.removeprefix("agent-")
    return name, None


def _outcome(payload: Record) -> list[str]:
    response = payload.get("tool_response")
    if not isinstance(response, dict):
        return []
    behind = ["goes on in the background"] if response.get("backgroundTaskId") else []
    return [*behind, *([str(response["status"])] if response.get("status") else [])]


def _without_target(block: str) -> str:
    return block.partition(" `")[0].replace(" is_error", "")
