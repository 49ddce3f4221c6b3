"""The process table of a program, at the seam where the watcher asks its kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from processes.process import Proc
from simulator.observation import BOOT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from simulator.observation import Process

FIRST_PROCESS = 1


class Table:
    """Answers as /proc would; where it may not be looked at, every question fails."""

    def __init__(self, *, readable: bool) -> None:
        self._readable = readable
        self._procs: dict[int, Proc] = {}
        self._children: dict[int, list[int]] = {}
        self._folders: dict[int, str] = {}  # by process: in which it runs
        self.speaker = 0  # whose hook runs now
        self.threads: tuple[Mapping[str, Any], ...] = ()  # what Codex's daemon would tell of its own

    def take(self, seen: Process) -> None:
        if not seen.is_alive:
            gone = self._procs.pop(seen.pid, None)
            if gone:
                self._children[gone.ppid].remove(seen.pid)
        elif known := self._procs.get(seen.pid):
            self._procs[seen.pid] = known._replace(stopped=seen.is_stopped)
        else:
            began = BOOT + seen.at
            name = seen.argv[0].rpartition("/")[2]
            self._procs[seen.pid] = Proc(seen.pid, seen.ppid, str(round(began * 100)), began, name, seen.argv)
            self._children.setdefault(seen.ppid, []).append(seen.pid)
            self._folders[seen.pid] = seen.cwd

    def row(self, pid: int) -> Proc | None:
        if not self._readable:
            raise PermissionError("processes are hidden")
        return self._procs.get(pid)

    def children(self, pid: int) -> list[int]:
        return list(self._children.get(pid, ())) if self._readable else []

    def pids(self) -> list[int]:
        return list(self._procs) if self._readable else []

    def is_mine(self, pid: int) -> bool:
        return pid in self._procs and self._readable

    def argv(self, pid: int) -> tuple[str, ...]:
        proc = self._procs.get(pid) if self._readable else None
        return proc.argv if proc else ()

    def agent_mode(self, pid: int) -> bool | None:
        return False if pid in self._procs and self._readable else None

    def tty(self, pid: int) -> str | None:
        return "/dev/pts/1" if pid in self._procs and self._readable else None

    def variable(self, _pid: int, _name: str) -> str | None:
        return None

    def cwd(self, pid: int) -> str | None:
        return self._folders.get(pid) or None if self._readable else None

    def forget(self) -> None:
        """Nothing is kept from one look to the next."""

    @property
    def parent(self) -> int:
        """Of the hook that runs now: who outlives its client is a child of the first process."""
        return self.speaker if self.speaker in self._procs else FIRST_PROCESS

    def stat(self, pid: int) -> dict[str, str]:
        """As the hook reads it."""
        if pid == FIRST_PROCESS:
            return {"name": "systemd", "parent": "0", "start": "0"}
        proc = self._procs.get(pid)
        return {"name": proc.name, "parent": str(proc.ppid), "start": proc.start} if proc else {}
