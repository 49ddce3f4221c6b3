"""Many live sessions that do nothing: real processes, and all files that clients and hooks would have left."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any, Self

from bench import events, lines
from bench.sleepers import Sleepers
from contract import paths
from processes.identity import start_of

if TYPE_CHECKING:
    from bench.place import Place

CALLS = 5


class Crowd:
    """Each in a project of its own: the first half works, the other half waits. All agents but main are sub-agents."""

    def __init__(self, where: Place, sessions: int, agents_each: int = 1) -> None:
        self.where, self.sessions, self.agents_each = where, [_id(k) for k in range(sessions)], agents_each
        self._sleepers = Sleepers(sessions)
        self._begun = CALLS  # those before have ended in the transcripts
        self._open: dict[tuple[str, str], int] = {}

    def __enter__(self) -> Self:
        os.makedirs(f"{self.where.config}/sessions", 0o700)
        self._sleepers.__enter__()
        for number, session in enumerate(self.sessions):
            self._furnish(session, works=number < len(self.sessions) / 2)
        return self

    def __exit__(self, *_: object) -> None:
        self._sleepers.__exit__()

    def pid(self, session: str) -> int:
        return self._sleepers.pids[self.sessions.index(session)]

    def agents(self, session: str) -> list[str]:
        """The keys of its agents, main first."""
        return [paths.MAIN, *(f"a{k:03x}{session[:8]}" for k in range(1, self.agents_each))]

    def fact(self, session: str, agent: str = paths.MAIN) -> str:
        return paths.fact(self.where.state, session, agent)

    def happens(self, session: str, name: str, agent: str = paths.MAIN, **more: Any) -> None:
        """An event of this agent, kept as a hook keeps it."""
        told = self.event(session, name, agent, **more)
        events.keep(self.where.state, {"CLAUDE_PID": str(self.pid(session))}, told)

    def event(self, session: str, name: str, agent: str = paths.MAIN, **more: Any) -> dict[str, Any]:
        whose = {} if agent == paths.MAIN else {"agent_id": agent, "agent_type": "general-purpose"}
        return events.event(session, name, self._transcript(session), cwd=_cwd(session), **whose, **more)

    def goes_on(self, session: str, agent: str = paths.MAIN) -> None:
        """It ends the call that is open, or begins one it has never made before: there is something new to tell."""
        name, number = "PostToolUse", self._open.pop((session, agent), 0)
        if not number:
            self._begun += 1
            name, number = "PreToolUse", self._begun
            self._open[session, agent] = number
        self.happens(session, name, agent, **events.call(number))

    def _furnish(self, session: str, *, works: bool) -> None:
        _write(self._transcript(session), lines.turn(session, CALLS, ended=not works))
        self._register(session, works=works)
        self.happens(session, "SessionStart", source="startup")
        self.happens(session, "UserPromptSubmit", prompt="please do it")
        if works:
            self.goes_on(session)
        for agent in self.agents(session)[1:]:
            self._furnish_sub_agent(session, agent)
        if not works:
            self.happens(session, "Stop", background_tasks=[], session_crons=[])

    def _furnish_sub_agent(self, session: str, agent: str) -> None:
        beside = f"{self._transcript(session).removesuffix('.jsonl')}/subagents/agent-{agent}"
        _write(f"{beside}.jsonl", lines.turn(session, CALLS, ended=False, sidechain=True))
        _write(f"{beside}.meta.json", b'{"agentType":"general-purpose","description":"a job","spawnDepth":1}')
        self.happens(session, "SubagentStart", agent)
        self.goes_on(session, agent)

    def _register(self, session: str, *, works: bool) -> None:
        pid, now = self.pid(session), int(time.time() * 1000)
        entry = {
            "pid": pid, "sessionId": session, "cwd": _cwd(session), "startedAt": now, "procStart": start_of(pid),
            "version": "2.1.325", "kind": "interactive", "entrypoint": "cli", "name": f"proj-{session[-2:]}",
            "status": "busy" if works else "idle", "statusUpdatedAt": now,
        }  # fmt: skip
        _write(f"{self.where.config}/sessions/{pid}.json", json.dumps(entry).encode())

    def _transcript(self, session: str) -> str:
        return f"{self.where.config}/projects/-home-me-proj-{session[:8]}/{session}.jsonl"


def _cwd(session: str) -> str:
    return f"/home/me/proj/{session[:8]}"


def _id(number: int) -> str:
    return f"{number:08x}-3c33-4845-8b68-{number:012x}"


def _write(path: str, data: bytes) -> None:
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
