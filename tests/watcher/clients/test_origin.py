"""Where a process comes from: whether another agent or no terminal started it."""

from __future__ import annotations

import pytest

from processes.process import Proc
from processes.table import Probe
from watcher.clients.copilot.adapter import ADAPTER as COPILOT
from watcher.clients.origin import origin

QWEN, OTHER, SHELL = ("node", "/usr/bin/qwen", "-p", "x"), ("node", "/usr/bin/qwen"), ("bash",)


class Table(Probe):
    """Processes that stand below each other, all in one terminal."""

    def __init__(self, *argvs: tuple[str, ...]) -> None:
        self._procs = {pid: made(pid, argv) for pid, argv in enumerate(argvs, 100)}

    def process(self, pid: int) -> Proc | None:
        return self._procs.get(pid)

    def tty(self, _pid: int) -> str | None:
        return "/dev/pts/1"


def made(pid: int, argv: tuple[str, ...]) -> Proc:
    return Proc(pid=pid, ppid=pid - 1, start="", began=0.0, name=argv[0], argv=argv)


@pytest.mark.parametrize(
    ("above", "is_helper"),
    [((), False), ((SHELL,), False), ((QWEN,), False), ((SHELL, QWEN), False), ((OTHER,), True), ((QWEN, SHELL), True)],
)
def test_the_script_that_launches_an_agent_is_not_another_agent(
    above: tuple[tuple[str, ...], ...], is_helper: bool
) -> None:
    pid = 100 + len(above)
    assert origin(pid, Table(*above, QWEN), headless=("-p",)).helper is is_helper


def test_an_option_says_that_nobody_can_be_asked() -> None:
    assert origin(100, Table(QWEN), headless=("-p",)).headless
    assert not origin(100, Table(OTHER), headless=("-p",)).headless


class Alone(Table):
    """The same without a terminal."""

    def tty(self, _pid: int) -> str | None:
        return None


@pytest.mark.parametrize(
    ("table", "is_headless"),
    [
        (Table(("copilot",)), False),
        (Table(("copilot", "-p", "x")), True),
        (Alone(("copilot", "--no-ask-user")), True),
        (Table(("copilot", "--no-ask-user")), False),
        (Alone(("copilot",)), False),
    ],
    ids=["in a terminal", "with its prompt", "its prompt on standard input", "without questions", "of another program"],
)
def test_copilot_asks_nobody_if_it_has_its_prompt_and_no_terminal(table: Table, is_headless: bool) -> None:
    assert COPILOT.origin(100, table).headless is is_headless
