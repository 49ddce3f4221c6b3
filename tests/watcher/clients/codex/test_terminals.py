"""Which terminals may show what runs in the daemon."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from processes.identity import Identity
from processes.process import Proc
from processes.table import Probe
from watcher.clients.codex import terminals
from watcher.clients.codex.terminals import Terminals, fitting

if TYPE_CHECKING:
    from collections.abc import Collection

PROJ, OTHER = "/home/me/proj", "/home/me/other"
TUI, DAEMON = ("/opt/codex",), ("/home/me/.codex/packages/codex", "app-server", "--listen", "unix://")


class Table(Probe):
    """Processes with a folder, a terminal and a home each."""

    def __init__(self) -> None:
        self.procs: dict[int, tuple[tuple[str, ...], str, str]] = {}
        self.looked_at: list[int] = []

    def add(self, pid: int, argv: tuple[str, ...], cwd: str = PROJ, home: str = "/home/me") -> None:
        self.procs[pid] = argv, cwd, home

    def everyone(self, but: Collection[int] = ()) -> tuple[Proc, ...]:
        new = [pid for pid in self.procs if pid not in but]
        self.looked_at += new
        return tuple(
            Proc(pid, 1, "1", began=float(pid), name=self.procs[pid][0][0], argv=self.procs[pid][0]) for pid in new
        )

    def pids(self) -> frozenset[int]:
        return frozenset(self.procs)

    def identity(self, pid: int, _start: str | None) -> Identity:
        return Identity.SAME if pid in self.procs else Identity.GONE

    def tty(self, pid: int) -> str | None:
        return None if self.procs[pid][0] == DAEMON else "/dev/pts/1"

    def cwd(self, pid: int) -> str | None:
        return self.procs[pid][1] or None

    def variable(self, pid: int, name: str) -> str | None:
        return {"HOME": self.procs[pid][2]}.get(name, "")


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def known(table: Table) -> Terminals:
    return Terminals("/home/me/.codex", table)


def pids(known: Terminals, folder: str = PROJ, now: float = 1000.0) -> list[int]:
    return [one.pid for one in fitting(known.look({folder: True}, now), folder)]


@pytest.mark.parametrize(
    ("argv", "is_one"),
    [
        (TUI, True),
        ((*TUI, "a prompt"), True),
        ((*TUI, "-C", PROJ), True),
        ((*TUI, f"--cd={PROJ}"), True),
        ((*TUI, "-C", OTHER), False),
        ((*TUI, "-C", "../other"), False),
        ((*TUI, "resume", "--last"), True),
        ((*TUI, "--no-daemon"), False),
        ((*TUI, "exec", "x"), False),
        ((*TUI, "-m", "gpt", "exec", "x"), False),
        ((*TUI, "login"), False),
        (("node", "/usr/bin/codex"), False),
        (DAEMON, False),
        (("vim",), False),
    ],
)
def test_a_terminal_is_a_codex_that_serves_nobody_else(
    table: Table, known: Terminals, argv: tuple[str, ...], is_one: bool
) -> None:
    table.add(50, argv)
    assert pids(known) == ([50] if is_one else [])


def test_one_of_another_folder_or_another_home_shows_nothing_of_ours(table: Table, known: Terminals) -> None:
    table.add(50, TUI, cwd=OTHER)
    table.add(51, TUI, home="/home/you")
    assert pids(known) == []


def test_one_whose_folder_cannot_be_told_may_show_any(table: Table, known: Terminals) -> None:
    table.add(50, TUI, cwd="")
    table.add(51, (*TUI, "resume"), cwd=OTHER)
    assert pids(known) == [50, 51]


def test_one_that_has_gone_is_known_at_once(table: Table, known: Terminals) -> None:
    table.add(50, TUI)
    assert pids(known) == [50]
    del table.procs[50]
    assert pids(known, now=1000.1) == []


def test_the_table_is_looked_through_seldom_and_then_only_who_came(table: Table, known: Terminals) -> None:
    table.add(1, ("init",))
    table.add(50, ("vim",))
    assert pids(known) == []
    pids(known, now=1000.5)
    assert table.looked_at == [1, 50]
    table.add(99, TUI)
    assert pids(known, now=1000.0 + terminals.RESCAN_S) == [99]
    assert table.looked_at == [1, 50, 50, 99]  # the second had just begun: it might have become another program


def test_a_thread_that_came_is_a_reason_to_look(table: Table, known: Terminals) -> None:
    assert pids(known) == []
    table.add(50, TUI)
    known.forget()
    assert pids(known, now=1000.1) == [50]
