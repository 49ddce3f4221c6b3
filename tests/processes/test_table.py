"""Questions to the process table, put to real processes through each of the tables."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

import psutil
import pytest

from processes.identity import start_of
from processes.process import Proc
from processes.procfs import Procfs
from processes.table import DEPTH, Probe
from support.families import TABLES, shell, spawn, without_lists
from support.patience import until

if TYPE_CHECKING:
    from processes.system_table import SystemTable

ME = os.getpid()
CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
ON_A_TERMINAL = """
import fcntl, os, pty, sys, termios
near, far = pty.openpty()
fcntl.ioctl(far, termios.TIOCSCTTY, 0)
print(os.ttyname(far), flush=True)
sys.stdin.read()
"""


@pytest.fixture(params=TABLES)
def table(request: pytest.FixtureRequest) -> SystemTable:
    return TABLES[request.param]()


@pytest.fixture
def probe(table: SystemTable) -> Probe:
    return Probe(table)


def by_name(procs: tuple[Proc, ...]) -> dict[str, Proc]:
    return {proc.name: proc for proc in procs}


def test_a_snapshot_holds_the_root_and_all_below_parents_first(probe: Probe) -> None:
    with shell("sh -c \"sh -c 'echo ready; read x'; :\"; :") as (root, _):
        found = probe.snapshot([root])
    assert [proc.pid for proc in found[:1]] == [root]
    assert [proc.ppid for proc in found] == [ME, found[0].pid, found[1].pid]
    assert [proc.argv[-1] for proc in found[1:]] == ["sh -c 'echo ready; read x'; :", "echo ready; read x"]


def test_a_snapshot_of_a_member_and_its_root_has_each_once(probe: Probe) -> None:
    with shell("sleep 3600 & echo $!; wait") as (root, child):
        found = probe.snapshot([int(child), root])
    assert sorted(proc.pid for proc in found) == sorted([root, int(child)])


def test_a_new_tick_sees_new_children(probe: Probe) -> None:
    with spawn(["/bin/sh", "-c", "echo ready; read x; sleep 3600 & echo $!; wait"]) as process:
        assert process.stdout
        assert process.stdin
        process.stdout.readline()
        assert len(probe.snapshot([process.pid])) == 1
        process.stdin.write("\n")
        process.stdin.flush()
        child = int(process.stdout.readline())
        probe.tick()
        assert [proc.pid for proc in probe.snapshot([process.pid])] == [process.pid, child]


def test_what_is_not_there_is_not_in_a_snapshot(probe: Probe) -> None:
    assert probe.snapshot([0, -1, 2**22 + 1, 10**30]) == ()


def test_direct_children_are_found_alone(probe: Probe) -> None:
    with shell('sh -c "sleep 3600 & echo ready; wait"; :') as (root, _):
        found = probe.children(root)
    assert [(proc.name, proc.ppid) for proc in found] == [("sh", root)]


def test_an_orphan_is_found_by_its_pid_and_belongs_to_nobody(probe: Probe) -> None:
    # The substitution waits until the parent in between has ended.
    with shell('pid=$(sh -c "sleep 3600 >&2 & echo \\$!"); echo $pid; read x') as (root, orphan):
        start = start_of(int(orphan))
        assert start
        found = probe.snapshot([root], known={int(orphan): start})
    assert [(proc.pid, proc.ppid) for proc in found] == [(root, ME), (int(orphan), 0)]


def test_a_stranger_with_the_pid_of_a_known_one_is_left_out(probe: Probe) -> None:
    with shell("echo ready; read x") as (root, _), shell("echo ready; read x") as (stranger, _):
        found = probe.snapshot([root], known={stranger: "1"})
    assert [proc.pid for proc in found] == [root]


def test_everyone_is_found(probe: Probe) -> None:
    with spawn(["sleep", "3600"]) as process:
        until(lambda: psutil.Process(process.pid).cmdline())  # empty for a moment while the program is being loaded
        found = {proc.pid: proc for proc in probe.everyone()}
    assert ME in found
    assert found[process.pid].argv == ("sleep", "3600")


def test_a_start_is_on_the_clock_of_the_hooks(probe: Probe) -> None:
    before = time.clock_gettime(CLOCK)
    with spawn(["sleep", "3600"]) as process:
        after = time.clock_gettime(CLOCK)
        (proc,) = probe.snapshot([process.pid])
    # The kernel counts in hundredths and rounds down.
    assert before - 0.011 <= proc.began <= after


@pytest.mark.parametrize(("env", "said"), [({"AGENT_MODE": "1"}, True), ({"AGENT_MODE": "yes"}, False), ({}, False)])
def test_agent_mode_is_read_when_asked(probe: Probe, env: dict[str, str], said: bool) -> None:
    with shell("echo ready; read x", **env) as (pid, _):
        (proc,) = probe.snapshot([pid])
        assert not proc.agent_mode
        assert probe.agent_mode(pid) is said
        assert [p.agent_mode for p in probe.flagged([proc])] == [said]


def test_nothing_else_of_an_environment_is_kept(probe: Probe) -> None:
    with shell("echo ready; read x", AGENT_MODE="1", OTHER="do-not-keep-me") as (pid, _):
        assert "do-not-keep-me" not in repr(probe.flagged(probe.snapshot([pid])))


def test_an_environment_that_cannot_be_read_says_nothing(probe: Probe) -> None:
    assert probe.agent_mode(2**22 + 1) is None
    assert probe.flagged([Proc(2**22 + 1, 1, "1", 0.0, "gone")])[0].agent_mode is False


def test_the_terminal_of_a_process_is_told(probe: Probe) -> None:
    with spawn([sys.executable, "-c", ON_A_TERMINAL]) as process:
        assert process.stdout
        path = process.stdout.readline().strip()
        assert path.startswith("/dev/")
        assert probe.tty(process.pid) == path


def test_a_process_without_a_terminal_has_none(probe: Probe) -> None:
    with spawn(["sleep", "3600"]) as process:
        assert probe.tty(process.pid) is None
    assert probe.tty(2**22 + 1) is None


def test_a_process_that_ends_while_we_look_is_no_error(table: SystemTable) -> None:
    with shell("sleep 3600 & echo $!; wait") as (root, child):
        children = table.children
        table.children = lambda pid: [os.kill(int(child), 9) or k for k in children(pid)]  # type: ignore[method-assign, func-returns-value]
        found = Probe(table).snapshot([root])
    assert root in {proc.pid for proc in found}


def test_a_process_that_ends_before_its_arguments_are_read_has_none(table: SystemTable) -> None:
    argv = table.argv
    with spawn(["sleep", "3600"]) as process:

        def too_late(pid: int) -> tuple[str, ...]:
            process.kill()
            process.wait()
            return argv(pid)

        table.argv = too_late  # type: ignore[method-assign]
        (proc,) = Probe(table).snapshot([process.pid])
    assert proc.argv == ()


def test_a_glance_at_a_process_reads_no_arguments(table: SystemTable) -> None:
    asked: list[int] = []
    table.argv = lambda pid: (str(asked.append(pid)),)  # type: ignore[method-assign, func-returns-value]
    seen, probe = Probe(table).process(ME), Probe(table)
    assert seen is not None
    assert asked == [ME]
    assert probe.glance(ME) == seen._replace(argv=())
    assert probe.glance(ME) is probe.glance(ME)
    assert asked == [ME]


def test_a_process_that_may_not_be_looked_at_is_left_out() -> None:
    class Denying(Procfs):
        def row(self, pid: int) -> Proc | None:
            raise PermissionError(pid)

    assert Probe(Denying()).snapshot([ME]) == ()
    assert Probe(Denying()).glance(ME) is None


def test_a_chain_without_end_is_cut() -> None:
    class Endless(Procfs):
        def row(self, pid: int) -> Proc:
            return Proc(pid, pid - 1, "1", 0.0, "x")

        def children(self, pid: int) -> list[int]:
            return [pid + 1]

        def argv(self, pid: int) -> tuple[str, ...]:
            return ()

    assert len(Probe(Endless()).snapshot([1])) == DEPTH


def test_a_circle_of_children_ends() -> None:
    class Circle(Procfs):
        def row(self, pid: int) -> Proc:
            return Proc(pid, 3 - pid, "1", 0.0, "x")

        def children(self, pid: int) -> list[int]:
            return [3 - pid, pid]

        def argv(self, pid: int) -> tuple[str, ...]:
            return ()

    assert [proc.pid for proc in Probe(Circle()).snapshot([1])] == [1, 2]


def test_the_default_probe_knows_this_process() -> None:
    (me, *_) = Probe().snapshot([ME])
    assert me.pid == ME
    assert me.start == start_of(ME)


if sys.platform == "linux":

    def test_a_fork_that_runs_its_parents_program_is_told() -> None:
        with shell("(echo ready; read x); echo end") as (root, _):
            parent, child = Probe().snapshot([root])
        assert (parent.forked, child.forked) == (False, True)
        assert child.argv == parent.argv

    def test_without_lists_of_children_one_scan_serves_all_questions_of_a_tick(
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        table = without_lists()
        scans: list[int] = []
        pids = table.pids

        def scan() -> list[int]:
            scans.append(1)
            return pids()

        monkeypatch.setattr(table, "pids", scan)
        probe = Probe(table)
        probe.snapshot([ME])
        probe.snapshot([ME])
        probe.children(ME)
        assert len(scans) == 1
        probe.tick()
        probe.snapshot([ME])
        assert len(scans) == 2
