"""A session made of what was seen, for the law to judge: hook events, transcript lines, registry, commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contract.facts import Stamp
from processes.shells import Command
from recorder import changes
from recorder.clients import claude
from support.builders import ask, call, event
from support.turns import fold_all
from watcher.clients.claude.adapter import ADAPTER
from watcher.rules.evidence import Evidence, Mates, RegistryReport
from watcher.rules.law import resolve
from watcher.rules.turn import Turn
from watcher.teams.idles import mates_inside

if TYPE_CHECKING:
    from collections.abc import Iterable

    from contract.facts import Fact
    from processes.helpers import Helper
    from watcher.clients.base import Meta
    from watcher.rules.evidence import Shown
    from watcher.rules.past_reports import PastReport
    from watcher.rules.turn_events import Event
    from watcher.rules.verdict import Verdict


WAITING, WORKING, ASKING = "waiting", "working", "needs_approval"
BASH = {"command": "npm test"}
PROMPT = (10.0, event("UserPromptSubmit", prompt="x", prompt_id="p"))
PRE = (11.0, call("PreToolUse", "t1", given=BASH))
ASK = (11.1, ask(BASH))
POST = (20.0, call("PostToolUse", "t1", given=BASH))
STOP = (21.0, event("Stop", prompt_id="p", background_tasks=[], session_crons=[]))
SUB: dict[str, Any] = {"agent_id": "a1", "agent_type": "Explore"}
SUB2: dict[str, Any] = {"agent_id": "a2", "agent_type": "general-purpose"}
TWO_ASK = [(12.0, ask(BASH, **SUB)), (12.1, ask({"command": "ls"}, **SUB2))]
OPEN_DIALOG = ("waiting", 12.15, "permission prompt")


def stop(at: float, *tasks: tuple[str, str], crons: tuple[str, ...] = ()) -> tuple[float, dict[str, Any]]:
    listed = [{"id": name, "type": kind, "status": "running"} for name, kind in tasks]
    return at, event("Stop", background_tasks=listed, session_crons=[{"id": c, "schedule": c} for c in crons])


def launched(*who: dict[str, Any]) -> list[tuple[float, dict[str, Any]]]:
    """Sub-agents in the background, and main's turn over."""
    found = [PROMPT]
    for k, one in enumerate(who):
        answer = {"agentId": one["agent_id"]}
        found.append((11.0, event("SubagentStart", **one)))
        found.append((11.1, call("PostToolUse", f"ag{k}", tool="Agent", given={}, tool_response=answer)))
    return [*found, stop(13, *((one["agent_id"], "subagent") for one in who))]


def facts_of(events: Iterable[tuple[float, dict[str, Any]]], client: Any = None) -> dict[str, Fact]:
    found: dict[str, Fact] = {}
    for at, payload in events:
        (change,) = claude.translate(payload)
        key = changes.agent_of(change)
        kept = changes.record(found.get(key), change, Stamp((at, at)))
        if kept is not None:
            kept.client = client
            found[key] = kept
    return found


def judge(  # noqa: PLR0913 - one for each source
    *events: tuple[float, dict[str, Any]],
    now: float,
    lines: Iterable[Event] = (),
    sub_lines: dict[str, list[Event]] | None = None,
    metas: dict[str, Meta] | None = None,
    report: RegistryReport | tuple[str, float] | tuple[str, float, str] | None = None,
    commands: Iterable[tuple[str, float]] = (),
    client: Any = None,
    parents: dict[str, str] | None = None,
    began: float = 0.0,
    helpers: tuple[Helper, ...] | None = None,
    stopped_at: float | None = None,
    history: tuple[PastReport, ...] = (),
    asks_first: bool = False,
    mates: Mates | None = None,
    shown: tuple[Shown, ...] = (),
    lead_report: RegistryReport | None = None,
    has_lead: bool = False,
) -> dict[str, Verdict]:
    turns = {"main": fold_all(Turn(), lines), **{k: fold_all(Turn(), v) for k, v in (sub_lines or {}).items()}}
    if isinstance(report, tuple):
        report = RegistryReport(report[0], report[2] if len(report) > 2 else "", report[1])
    facts = facts_of(events, client)
    return resolve(
        Evidence(
            now=now,
            facts=facts,
            turns={key: turn for key, turn in turns.items() if turn != Turn()},
            metas=metas or {},
            parents=parents or {},
            began=began,
            report=report,
            history=history,
            asks_first=asks_first,
            mates=mates or Mates(),
            shown=shown,
            lead_report=lead_report,
            has_lead=has_lead,
            helpers=helpers,
            mates_inside=mates_inside(facts, metas or {}, ADAPTER),
            stopped_at=stopped_at,
            commands=tuple(Command(100 + k, str(k), at, text) for k, (text, at) in enumerate(commands)),
        )
    )


def verdict(*events: tuple[float, dict[str, Any]], **more: Any) -> tuple[str, str]:
    """Main's status and detail."""
    main = judge(*events, **more)["main"]
    return main.status, main.detail


def rule(*events: tuple[float, dict[str, Any]], **more: Any) -> str:
    return judge(*events, **more)["main"].rule
