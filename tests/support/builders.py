"""Events and facts for tests, with everything a test does not care about filled in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from contract import facts
from contract.facts import Stamp
from recorder import changes
from recorder.clients import claude
from support.project import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

    from contract.facts import Fact

SESSION = "9df7420c-3c33-4845-8b68-60c055e751a8"
HOOK = [sys.executable, "-S", "-E", str(PROJECT / "hook.py")]


def event(name: str, **more: Any) -> dict[str, Any]:
    base = {
        "session_id": SESSION,
        "transcript_path": f"/home/me/.claude/projects/-p/{SESSION}.jsonl",
        "cwd": "/home/me/proj",
    }
    return {**base, "hook_event_name": name, **more}


def call(name: str, id_: str, tool: str = "Bash", **more: Any) -> dict[str, Any]:
    """An event of a tool call."""
    given = more.pop("given", {"command": f"echo {id_}"})
    return event(name, tool_use_id=id_, tool_name=tool, tool_input=given, **more)


def ask(given: dict[str, Any], tool: str = "Bash", **more: Any) -> dict[str, Any]:
    return event("PermissionRequest", tool_name=tool, tool_input=given, **more)


def record(*events: dict[str, Any], fact: Fact | None = None, at: list[float] | None = None) -> Fact | None:
    """The fact after these events of one agent, one second apart unless told otherwise."""
    times = at or [1000.0 + k for k in range(len(events))]
    for time, one in zip(times, events, strict=True):
        for change in claude.translate(one):
            fact = changes.record(fact, change, Stamp((time, time))) or fact
        fact = facts.decode(facts.encode(fact)) if fact else None
    return fact


def known(*events: dict[str, Any], at: list[float] | None = None) -> Fact:
    fact = record(*events, at=at)
    assert fact is not None
    return fact


def run_hook(home: Path, payload: dict[str, Any] | bytes, **env: str) -> subprocess.CompletedProcess[bytes]:
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return subprocess.run(HOOK, input=data, capture_output=True, env=hook_env(home, **env), check=False)


def hook_env(home: Path, **more: str) -> dict[str, str]:
    base = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "YOURTURN_HOME": str(home / "state"),
        "YOURTURN_NO_WATCHER": "1",
    }
    return {**base, "CLAUDE_PID": str(os.getpid()), **more}


def facts_in(home: Path) -> dict[str, Fact]:
    """By agent; fails on a file that does not decode."""
    found = {}
    for path in sorted((home / "state" / "facts").glob("*.json")):
        fact = facts.decode(path.read_bytes())
        assert fact is not None, f"{path.name} is torn"
        found[fact.agent] = fact
    return found
