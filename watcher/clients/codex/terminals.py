"""The terminals that show what runs in Codex's daemon: processes of their own, which the daemon does not tell of.

Which thread a terminal shows nobody says. So a thread counts as shown wherever a terminal could show it: in the same
folder, or in one that cannot be told. A terminal shows one thread at a time.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from contract.clients.codex import CONFIG
from processes.identity import Identity
from processes.programs import invocation
from watcher.clients.codex.origin import HEADLESS, command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from processes.process import Proc
    from processes.table import Probe

PROGRAM = "codex"
ALONE = "--no-daemon"
ANY_FOLDER = frozenset({"resume", "fork"})  # commands that open a thread of any folder
FOLDER_OPTIONS = ("-C", "--cd")
RESCAN_S, SELDOM_S = 3.0, 20.0  # so often those who came are looked at, while a thread seems to have no terminal
YOUNG_S = 5.0
ANEW_S = 60.0  # so often all are: a process may become another program
MOST = 64


class Terminal(NamedTuple):
    pid: int
    start: str
    cwd: str  # '' where it cannot be told, or may be any


class Terminals:
    def __init__(self, folder: str, probe: Probe) -> None:
        """`folder`: the client's, of which the daemon is."""
        self._config, self._probe = os.path.realpath(folder), probe
        self._known: tuple[Terminal, ...] = ()
        self._strangers: set[int] = set()  # pids of other programs
        self._looked_at = self._looked_anew_at = float("-inf")

    def forget(self) -> None:
        """One may have come."""
        self._looked_at = float("-inf")

    def look(self, folders: Mapping[str, bool], now: float) -> tuple[Terminal, ...]:
        """All that there are. `folders`: of the threads, and whether one of it is at work or asks."""
        there = tuple(one for one in self._known if self._probe.identity(one.pid, one.start) is not Identity.GONE)
        missed = [is_pressing for folder, is_pressing in folders.items() if not fitting(there, folder)]
        gap = RESCAN_S if any(missed) else SELDOM_S
        has_come = self._looked_at == float("-inf")
        if has_come or (missed and not 0 <= now - self._looked_at < gap):
            there = (*there, *self._newcomers({one.pid for one in there}, now))[:MOST]
        self._known = there
        return there

    def _newcomers(self, known: set[int], now: float) -> tuple[Terminal, ...]:
        self._looked_at = now
        if not 0 <= now - self._looked_anew_at < ANEW_S:
            self._looked_anew_at = now
            self._strangers = set()
        procs = self._probe.everyone(but=self._strangers | known)
        found = tuple(one for proc in procs if (one := self._terminal(proc)))
        # A process that has just begun may be another program in a moment.
        last = max((proc.began for proc in procs), default=0.0)
        grown = {proc.pid for proc in procs if proc.began < last - YOUNG_S}
        self._strangers = (self._strangers & self._probe.pids()) | (grown - {one.pid for one in found})
        return found

    def _terminal(self, proc: Proc) -> Terminal | None:
        called = None if proc.forked else invocation(proc.argv, proc.name)
        if called is None or called.program != PROGRAM or called.scripted or called.hosts or called.serves:
            return None
        if ALONE in called.arguments or command(called.arguments) in HEADLESS or not self._probe.tty(proc.pid):
            return None
        if self._is_of_another(proc.pid):
            return None
        return Terminal(proc.pid, proc.start, self._folder(proc.pid, called.arguments))

    def _is_of_another(self, pid: int) -> bool:
        """Whether it has another folder, and so another daemon; not where that cannot be told."""
        chosen, home = self._probe.variable(pid, CONFIG), self._probe.variable(pid, "HOME")
        config = chosen or (f"{home}/.codex" if home else "")
        return bool(config) and os.path.realpath(config) != self._config

    def _folder(self, pid: int, arguments: tuple[str, ...]) -> str:
        if command(arguments) in ANY_FOLDER:
            return ""
        cwd, chosen = self._probe.cwd(pid) or "", _chosen(arguments)
        return os.path.normpath(os.path.join(cwd, chosen)) if cwd and chosen else cwd


def fitting(terminals: tuple[Terminal, ...], folder: str) -> list[Terminal]:
    """Those that may show a thread of this folder."""
    return [one for one in terminals if not one.cwd or not folder or one.cwd == folder]


def _chosen(arguments: tuple[str, ...]) -> str:
    """The folder that an option names."""
    for number, word in enumerate(arguments):
        for option in FOLDER_OPTIONS:
            if word == option:
                return next(iter(arguments[number + 1 :]), "")
            if word.startswith(f"{option}="):
                return word.partition("=")[2]
    return ""
