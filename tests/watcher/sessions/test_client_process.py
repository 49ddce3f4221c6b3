"""What is remembered of a client's children between two looks."""

from __future__ import annotations

from processes.process import Proc
from processes.table import Probe
from watcher.clients.codex.adapter import ADAPTER
from watcher.sessions.client_process import ClientProcess


class Children(Probe):
    def __init__(self) -> None:
        self.there: tuple[Proc, ...] = ()

    def children(self, _pid: int) -> tuple[Proc, ...]:
        return self.there


def child(*argv: str) -> Proc:
    return Proc(8, 7, "1", began=1.0, name=argv[0], argv=argv)


def test_a_starter_that_becomes_the_command_is_known_as_the_command() -> None:
    probe, process = Children(), ClientProcess()
    texts = []
    for one in (child("/opt/codex", "--run"), child("/bin/bash", "-c", "wc door"), child("wc", "door")):
        probe.there = (one,)
        commands, _ = process.children(7, 1.0, probe, adapter=ADAPTER, facts={}, over=set())
        texts.append([command.text for command in commands])
    assert texts == [["/opt/codex --run"], ["wc door"], ["wc door"]]
    probe.there = ()
    commands, _ = process.children(7, 2.0, probe, adapter=ADAPTER, facts={}, over=set())
    assert [command.text for command in commands] == ["wc door"], "it was approved, though it has ended"
