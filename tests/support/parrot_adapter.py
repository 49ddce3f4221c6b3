"""The watcher's side of a client that does not exist; `parrot.py` is the hook's.

It lists its processes in `~/.parrot/running/<pid>` ("session status since"), and writes a log for each session, one
word a line with its time: `prompt`, `done`, `oops`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from processes import shells
from processes.clients import claude
from watcher.clients.base import Entry, Meta, Origin
from watcher.clients.no_teams import NoHost, NoMembers, NoTeams
from watcher.files.tail import Tail
from watcher.rules.turn import Turn, fold
from watcher.rules.turn_events import Ended, Event, Failed, Prompt

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from processes.process import Proc
    from processes.shells import Command
    from processes.table import Probe
    from watcher.clock import Clock
    from watcher.files.allowance import Share
    from watcher.files.tail import Mark


class Log:
    """Its only transcript: it has no sub-agents."""

    def __init__(self, path: str) -> None:
        self._tail = Tail(path, lambda line: line.endswith(b" prompt"))
        self.metas: dict[str, Meta] = {}
        self.turn = Turn()
        self.folders = {os.path.dirname(path)}
        self.files: set[str] = set()
        self.is_unseen = False

    @property
    def main(self) -> Log:
        return self

    @property
    def turns(self) -> dict[str, Turn]:
        return {"main": self.turn} if self.turn != Turn() else {}

    def told(self, _path: str) -> None:
        return

    def look(self, now: float, clock: Clock, _live: Collection[str] | None) -> None:
        for line in self._tail.read_new().lines:
            at, _, word = line.decode().partition(" ")
            self.turn = fold(self.turn, _event(word, clock.since_boot(float(at), now)))

    def is_unchanged(self, _now: float, _live: Collection[str] | None) -> bool:
        return self._tail.is_unchanged()

    def mark(self, _live: Collection[str] | None) -> Mark | None:
        return self._tail.mark()


def _event(word: str, at: float) -> Event:
    if word == "prompt":
        return Prompt(at, machine=False)
    return Ended(at) if word == "done" else Failed(at, word)


class ParrotFolder(NoMembers, NoHost):
    def __init__(self, folder: str) -> None:
        self._running = f"{folder}/running"
        self.watched = {folder, self._running}
        self._last: tuple[Entry, ...] = ()

    def concerns(self, path: str) -> set[int] | None:
        return set() if path.startswith(self._running) else None

    def entries(
        self, _now: float, _elsewhere: Mapping[str, int | None], _changed: Iterable[int] | None = None
    ) -> tuple[Entry, ...]:
        names = sorted(os.listdir(self._running)) if os.path.isdir(self._running) else []
        found = tuple(entry for name in names if (entry := self._entry(int(name))))
        self._last = self._last if found == self._last else found
        return self._last

    def refresh(self, known: Entry, _now: float) -> Entry | None:
        return self._entry(known.pid)

    def _entry(self, pid: int) -> Entry | None:
        with open(f"{self._running}/{pid}") as file:
            session, status, since = file.read().split()
        return Entry(pid, session, cwd="/home/me/cage", status=status, status_at=float(since), title="polly")


class Parrot(NoTeams):
    name = "parrot"
    asks_first = False

    def default_folder(self, env: Mapping[str, str]) -> str:
        return f"{env['HOME']}/.parrot"

    def folder_of(self, transcript: str) -> str:
        return transcript.rpartition("/logs/")[0]

    def open(self, folder: str, _probe: Probe, _clock: Clock) -> ParrotFolder:
        return ParrotFolder(folder)

    def transcript(self, folder: str, _cwd: str, session: str) -> str:
        return f"{folder}/logs/{session}.jsonl"

    def follow(self, _session: str, _folder: str, path: str, _share: Share | None) -> Log:
        return Log(path)

    def origin(self, _pid: int, _probe: Probe) -> Origin:
        return Origin("parrot")

    def commands(self, children: Iterable[Proc], pid: int) -> tuple[Command, ...]:
        return shells.commands(children, pid, claude.command)

    def is_scripted(self, _entrypoint: str) -> bool:
        return False


ADAPTER = Parrot()
