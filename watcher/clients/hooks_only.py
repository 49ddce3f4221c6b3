"""A client whose hooks tell all that is known of it: none of its files is read. Also one that is not known here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watcher.clients.no_teams import NoHost, NoMembers, NoTeams
from watcher.clients.origin import origin
from watcher.rules.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from processes.process import Proc
    from processes.shells import Command
    from processes.table import Probe
    from watcher.clients.base import Entry, Meta, Origin, Transcripts
    from watcher.clock import Clock
    from watcher.files.allowance import Share
    from watcher.files.tail import Mark


class NoTranscripts:
    is_unseen = False

    def __init__(self) -> None:
        self.turn = Turn()
        self.turns: dict[str, Turn] = {}
        self.metas: dict[str, Meta] = {}
        self.folders: set[str] = set()
        self.files: set[str] = set()

    @property
    def main(self) -> NoTranscripts:
        return self

    def told(self, _path: str) -> None:
        return

    def look(self, _now: float, _clock: Clock, _live: Collection[str] | None) -> None:
        return

    def is_unchanged(self, _now: float, _live: Collection[str] | None) -> bool:
        return True

    def mark(self, _live: Collection[str] | None) -> Mark | None:
        return None


class NoFolder(NoMembers, NoHost):
    def __init__(self) -> None:
        self.watched: set[str] = set()

    def concerns(self, _path: str) -> set[int] | None:
        return None

    def entries(
        self, _now: float, _elsewhere: Mapping[str, int | None], _changed: Iterable[int] | None = None
    ) -> tuple[Entry, ...]:
        return ()

    def refresh(self, _known: Entry, _now: float) -> Entry | None:
        return None


class HooksOnly(NoTeams):
    asks_first = False

    def __init__(self, name: str, headless: Collection[str] = ()) -> None:
        """`headless`: the options with which nobody can be asked."""
        self.name, self._headless = name, frozenset(headless)

    def default_folder(self, _env: Mapping[str, str]) -> str:
        return ""

    def folder_of(self, _transcript: str) -> str:
        return ""

    def open(self, _folder: str, _probe: Probe, _clock: Clock) -> NoFolder:
        return NoFolder()

    def transcript(self, _folder: str, _cwd: str, _session: str) -> str:
        return ""

    def follow(self, _session: str, _folder: str, _path: str, _share: Share | None) -> Transcripts:
        return NoTranscripts()

    def origin(self, pid: int, probe: Probe) -> Origin:
        return origin(pid, probe, self._headless)

    def commands(self, _children: Iterable[Proc], _pid: int) -> tuple[Command, ...]:
        """An approval is told, so nobody has to look for a command."""
        return ()

    def is_scripted(self, _entrypoint: str) -> bool:
        return False


UNKNOWN = HooksOnly("")  # of a newer version perhaps
