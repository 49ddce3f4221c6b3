"""How Claude Code names teammates and teams: an id tells whether its agent is a teammate, and a team who leads it."""

from __future__ import annotations

IMPLICIT = "session-"  # a team that nobody named is named after the first characters of its lead's session
IMPLICIT_LENGTH = 8


def is_mate(agent: str, name: str) -> bool:
    """In the lead's own process the id of a teammate has its name in it; the id of a sub-agent has not."""
    return bool(name) and agent.startswith(f"a{name}-")


def implicit_team(lead: str) -> str:
    return IMPLICIT + lead[:IMPLICIT_LENGTH]


def implicit_lead(team: str) -> str | None:
    return team.removeprefix(IMPLICIT) if team.startswith(IMPLICIT) else None
