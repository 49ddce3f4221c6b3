"""What the adapter of a client without teams, or without a host, answers when it is asked about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watcher.clients.base import MateRequest, Member


class NoTeams:
    """For an adapter."""

    def mate_request(self, _words: str) -> MateRequest | None:
        return None

    def is_mate(self, _agent: str, _name: str) -> bool:
        return False

    def implicit_team(self, _lead: str) -> str:
        return ""

    def implicit_lead(self, _team: str) -> str | None:
        return None


class NoHost:
    """For the folder of a client whose sessions have processes of their own."""

    complete_at = 0.0

    def heard(self, _now: float) -> None:
        return

    def rest(self, _now: float) -> float | None:
        return None


class NoMembers:
    """For the folder of a client."""

    def members(self) -> tuple[Member, ...]:
        return ()

    def team_open_since(self) -> float | None:
        return None
