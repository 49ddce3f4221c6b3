"""Copilot CLI: the answers to what `watcher.clients.base` asks of every client."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from contract.clients import copilot
from contract.clients.copilot import SESSIONS
from watcher.clients.copilot.registry import OpenSessions
from watcher.clients.copilot.transcripts import Following
from watcher.clients.no_teams import NoHost, NoMembers, NoTeams
from watcher.clients.origin import origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from processes.process import Proc
    from processes.shells import Command
    from processes.table import Probe
    from watcher.clients.base import Adapter, Entry, Origin
    from watcher.clock import Clock
    from watcher.files.allowance import Share

HEADLESS = ("-p", "--prompt")
ALONE = "--no-ask-user"
_SESSION = re.compile(r"[A-Za-z0-9_-]{1,128}")


class CopilotFolder(NoMembers, NoHost):
    """`~/.copilot`, or what COPILOT_HOME names."""

    def __init__(self, folder: str, probe: Probe, clock: Clock) -> None:
        self._list = OpenSessions(folder, probe, clock)
        self.watched = {folder}

    def concerns(self, path: str) -> set[int] | None:
        return set() if path == self._list.path else None

    def entries(
        self, now: float, _elsewhere: Mapping[str, int | None], _changed: Iterable[int] | None = None
    ) -> tuple[Entry, ...]:
        return self._list.read(now)

    def refresh(self, known: Entry, now: float) -> Entry | None:
        return next((entry for entry in reversed(self._list.read(now)) if entry.pid == known.pid), None)


class Copilot(NoTeams):
    name = "copilot"
    asks_first = False

    def default_folder(self, env: Mapping[str, str]) -> str:
        return copilot.config_dir(env)

    def folder_of(self, transcript: str) -> str:
        return transcript.rpartition(f"/{SESSIONS}/")[0]

    def open(self, folder: str, probe: Probe, clock: Clock) -> CopilotFolder:
        return CopilotFolder(folder, probe, clock)

    def transcript(self, folder: str, _cwd: str, session: str) -> str:
        is_fit = folder and _SESSION.fullmatch(session)
        return f"{folder}/{SESSIONS}/{session}/events.jsonl" if is_fit else ""

    def follow(self, _session: str, _folder: str, path: str, share: Share | None) -> Following:
        return Following(path, share)

    def origin(self, pid: int, probe: Probe) -> Origin:
        """Its prompt may also come on standard input, as that of a worker of ours does."""
        found = origin(pid, probe, HEADLESS)
        is_alone = ALONE in found.arguments and probe.tty(pid) is None
        return found._replace(headless=found.headless or is_alone)

    def is_scripted(self, _entrypoint: str) -> bool:
        return False

    def commands(self, _children: Iterable[Proc], _pid: int) -> tuple[Command, ...]:
        """An approval is told, so nobody has to look for a command."""
        return ()


ADAPTER: Adapter = Copilot()
