"""Claude Code: the answers to what `watcher.clients.base` asks of every client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract import paths
from contract.clients import claude
from processes import shells
from processes.clients.claude import command
from watcher.clients.claude import team_names
from watcher.clients.claude.notifications import mate_request
from watcher.clients.claude.origin import origin
from watcher.clients.claude.registry import Registry, pid_of
from watcher.clients.claude.teamfiles import TeamFiles
from watcher.clients.claude.transcripts import Following
from watcher.clients.no_teams import NoHost

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from processes.process import Proc
    from processes.shells import Command
    from processes.table import Probe
    from watcher.clients.base import Adapter, Entry, MateRequest, Member, Origin
    from watcher.clock import Clock
    from watcher.files.allowance import Share


class ClaudeFolder(NoHost):
    """`~/.claude`, or what CLAUDE_CONFIG_DIR names."""

    def __init__(self, folder: str, probe: Probe) -> None:
        self._sessions = f"{folder}/sessions"
        self.watched = {folder, self._sessions}
        self._registry, self._teams = Registry(self._sessions, probe), TeamFiles(f"{folder}/teams")

    def concerns(self, path: str) -> set[int] | None:
        if path == self._sessions:
            return set()
        folder = path.rpartition("/")[0]
        return {pid} if folder == self._sessions and (pid := pid_of(path)) else None

    def entries(
        self, now: float, elsewhere: Mapping[str, int | None], changed: Iterable[int] | None = None
    ) -> tuple[Entry, ...]:
        if changed is None:
            return self._registry.read(now, elsewhere)
        return self._registry.read_some(changed, now, elsewhere)

    def refresh(self, known: Entry, now: float) -> Entry | None:
        return self._registry.refresh(known.pid, now)

    def members(self) -> tuple[Member, ...]:
        return self._teams.members()

    def team_open_since(self) -> float | None:
        return self._teams.open_since()


class Claude:
    name = "claude"
    asks_first = False

    def default_folder(self, env: Mapping[str, str]) -> str:
        return claude.config_dir(env)

    def folder_of(self, transcript: str) -> str:
        return transcript.rpartition("/projects/")[0]

    def open(self, folder: str, probe: Probe, _clock: Clock) -> ClaudeFolder:
        return ClaudeFolder(folder, probe)

    def transcript(self, folder: str, cwd: str, session: str) -> str:
        """Where the client would put it; if it is elsewhere, it is looked for by its name."""
        slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in cwd)
        return f"{folder}/projects/{slug}/{paths.file_name(session)}.jsonl" if folder else ""

    def follow(self, session: str, folder: str, path: str, share: Share | None) -> Following:
        return Following(session, folder, path, share)

    def origin(self, pid: int, probe: Probe) -> Origin:
        return origin(pid, probe)

    def commands(self, children: Iterable[Proc], pid: int) -> tuple[Command, ...]:
        return shells.commands(children, pid, command)

    def is_scripted(self, entrypoint: str) -> bool:
        return entrypoint.startswith("sdk")

    def mate_request(self, words: str) -> MateRequest | None:
        return mate_request(words)

    def is_mate(self, agent: str, name: str) -> bool:
        return team_names.is_mate(agent, name)

    def implicit_team(self, lead: str) -> str:
        return team_names.implicit_team(lead)

    def implicit_lead(self, team: str) -> str | None:
        return team_names.implicit_lead(team)


ADAPTER: Adapter = Claude()
