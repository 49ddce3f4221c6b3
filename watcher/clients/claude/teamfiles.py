"""`<config>/teams/*/config.json`: the client's own list of teams and their members."""

from __future__ import annotations

import os
import stat
from typing import Any

from contract import store, wire
from contract.clean import clean
from watcher.clients.base import Member

LARGEST = 1 << 20
OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class TeamFiles:
    """One folder of teams; a file is read again only when it changed."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._kept: dict[str, tuple[tuple[int, int, int], tuple[Member, ...]]] = {}

    def members(self) -> tuple[Member, ...]:
        """Of all teams, without their leads."""
        self._kept = {path: found for path in self._files() if (found := self._current(path))}
        return tuple(member for _, members in self._kept.values() for member in members)

    def open_since(self) -> float | None:
        """When the newest team with an active member in a pane of its own was last written; None if there is none."""
        self.members()
        times = [at[0] / 1e9 for at, members in self._kept.values() if any(m.active and m.pane for m in members)]
        return max(times, default=None)

    def _files(self) -> list[str]:
        try:
            with os.scandir(self._folder) as entries:
                return [f"{entry.path}/config.json" for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            return []

    def _current(self, path: str) -> tuple[tuple[int, int, int], tuple[Member, ...]] | None:
        try:
            found = os.stat(path, follow_symlinks=False)
            signature = store.signature(found)
            known = self._kept.get(path)
            return known if known and known[0] == signature else (signature, decode(_read(path)))
        except (OSError, ValueError):
            return None


def decode(data: bytes) -> tuple[Member, ...]:
    """Never the prompts that stand there too. ValueError for what is not JSON."""
    raw = wire.decode(data)
    if not isinstance(raw, dict) or not isinstance(raw.get("members"), list):
        return ()
    team, lead = clean(raw.get("name"), 80), clean(raw.get("leadSessionId"), 128)
    members = (m for m in raw["members"] if isinstance(m, dict) and m.get("agentId") != raw.get("leadAgentId"))
    return tuple(_member(m, lead, team) for m in members)


def _member(raw: dict[str, Any], lead: str, team: str) -> Member:
    pane = clean(raw.get("tmuxPaneId"), 20)
    return Member(
        clean(raw.get("name"), 80), lead, team, pane if pane.startswith("%") else "", raw.get("isActive") is True
    )


def _read(path: str) -> bytes:
    fd = os.open(path, OPEN)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return b""
        return os.read(fd, LARGEST)
    finally:
        os.close(fd)
