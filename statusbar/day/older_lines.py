"""The light of a session from lines about its agents: all that older versions of the watcher wrote."""

from __future__ import annotations

from typing import Any

from contract.life import ENDED
from contract.observed import GONE
from contract.paths import MAIN
from contract.status import STATES, WORKING, urgency

ENDS = (*ENDED, GONE)  # which is what the first versions wrote
Light = tuple[str, str, int]  # session, status, how many of its agents work


class OlderLines:
    def __init__(self) -> None:
        self._agents: dict[str, dict[str, str]] = {}  # by session: the light of each agent

    def take(self, entry: dict[str, Any]) -> Light | None:
        """How the session of this line stands after it; None if the line says nothing about that."""
        session, agent, kind, to = (entry.get(key) for key in ("session", "agent", "kind", "to"))
        if not isinstance(session, str) or not isinstance(agent, str) or not session:
            return None
        if kind == "status_changed" and to in STATES:
            self._agents.setdefault(session, {})[agent] = to
            return self._light(session)
        if kind == "agent_process_changed" and to in ENDS:
            return self._end(session, agent)
        return None

    def _end(self, session: str, agent: str) -> Light | None:
        if agent == MAIN:
            return (session, GONE, 0) if self._agents.pop(session, None) else None
        known = self._agents.get(session, {})
        return self._light(session) if known.pop(agent, None) and known else None

    def _light(self, session: str) -> Light:
        lights = self._agents[session].values()
        return session, min(lights, key=urgency), sum(light == WORKING for light in lights)
