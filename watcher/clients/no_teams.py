"""What the adapter of a client without teams answers when it is asked about them."""

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


class NoMembers:
    """For the folder of a client."""

    def members(self) -> tuple[Member, ...]:
        return ()

    def team_open_since(self) -> float | None:
        return None
