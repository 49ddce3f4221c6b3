"""Codex: the answers to what `watcher.clients.base` asks of every client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract.clients import codex
from watcher.clients.codex.commands import commands
from watcher.clients.codex.folder import CodexFolder
from watcher.clients.codex.origin import origin
from watcher.clients.codex.rollouts import Rollouts, find_rollout
from watcher.clients.no_teams import NoTeams

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from processes.process import Proc
    from processes.shells import Command
    from processes.table import Probe
    from watcher.clients.base import Adapter, Origin
    from watcher.clock import Clock
    from watcher.files.allowance import Share


class Codex(NoTeams):
    name = "codex"
    asks_first = False

    def default_folder(self, env: Mapping[str, str]) -> str:
        return codex.config_dir(env)

    def folder_of(self, transcript: str) -> str:
        return transcript.rpartition("/sessions/")[0]

    def open(self, folder: str, probe: Probe, clock: Clock) -> CodexFolder:
        return CodexFolder(folder, probe, clock)

    def transcript(self, folder: str, _cwd: str, session: str) -> str:
        """Of a session without hooks: looked for by its name."""
        return find_rollout(f"{folder}/sessions", session) if folder else ""

    def follow(self, _session: str, folder: str, path: str, share: Share | None) -> Rollouts:
        return Rollouts(folder, path, share)

    def origin(self, pid: int, probe: Probe) -> Origin:
        return origin(pid, probe)

    def commands(self, children: Iterable[Proc], pid: int) -> tuple[Command, ...]:
        return commands(children, pid)

    def is_scripted(self, _entrypoint: str) -> bool:
        return False


ADAPTER: Adapter = Codex()
