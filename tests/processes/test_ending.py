"""A signal reaches the process that was meant, or nobody."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from processes import ending
from processes.ending import Hold, Sent
from processes.identity import Identity, start_of
from processes.procfs import Procfs
from support.families import spawn, until_zombie
from support.needs import need
from support.patience import PATIENCE_S
from support.project import PROJECT

if TYPE_CHECKING:
    from processes.process import Proc

DEAF = ["/bin/sh", "-c", "trap '' TERM; echo ready; while :; do sleep 600; done"]
NAMESPACE = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc"]
# Runs as the first process of a pid namespace, where the next pid can be chosen.
REUSE = """
import os, signal, subprocess, sys
from processes import system_table
from processes.ending import Hold
from processes.identity import start_of

def sleeper(pid=0):
    if pid:
        with open("/proc/sys/kernel/ns_last_pid", "w") as file:
            file.write(str(pid - 1))
    return subprocess.Popen(["sleep", "600"])

def again(pid, start):
    while True:  # within one tick of the clock both would have the same start
        stranger = sleeper(pid)
        assert stranger.pid == pid, (stranger.pid, pid)
        if start_of(pid) != start:
            return stranger
        stranger.kill()
        stranger.wait()

class Late:
    # compares just before the pid is reused
    def row(self, pid):
        return before

first = sleeper()
before = system_table.here().row(first.pid)
start = before.start
held = {"held": Hold(first.pid, start), "compared": Hold(first.pid, start, Late()), "later": None}[sys.argv[1]]
if held:
    held.__enter__()
first.kill()
first.wait()
stranger = again(first.pid, start)
answer = (held or Hold(first.pid, start).__enter__()).send(signal.SIGKILL)
print(answer.sent.value, stranger.poll())
stranger.kill()
"""


@pytest.fixture(params=["descriptor", "none"])
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the kernel's descriptors for processes, and as on a system that has none."""
    if request.param == "none":
        monkeypatch.setattr(ending, "_descriptor", lambda pid: -1)


@pytest.mark.usefixtures("_way")
def test_a_process_takes_the_signal_and_its_end_is_waited_for() -> None:
    with spawn(["sleep", "600"]) as process, Hold(process.pid, start_of(process.pid) or "") as hold:
        assert not hold.wait(0)
        assert hold.send(signal.SIGTERM).sent is Sent.SENT
        assert hold.wait(PATIENCE_S)
        assert process.wait() == -signal.SIGTERM


@pytest.mark.usefixtures("_way")
def test_one_that_does_not_listen_is_still_there_after_the_wait() -> None:
    with spawn(DEAF) as process, Hold(process.pid, start_of(process.pid) or "") as hold:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        assert hold.send(signal.SIGTERM).sent is Sent.SENT
        assert not hold.wait(0.1)
        assert hold.send(signal.SIGKILL).sent is Sent.SENT
        assert hold.wait(PATIENCE_S)


@pytest.mark.usefixtures("_way")
def test_a_later_process_with_the_same_pid_is_not_hit() -> None:
    with spawn(["sleep", "600"]) as stranger, Hold(stranger.pid, "1") as hold:
        assert hold.send(signal.SIGKILL).sent is Sent.GONE
        assert stranger.poll() is None


@pytest.mark.usefixtures("_way")
def test_a_pid_that_is_reused_between_two_signals_is_not_hit() -> None:
    """At the seam: the table tells of another process from the second look on."""

    class Reused(Procfs):
        looks = 0

        def row(self, pid: int) -> Proc | None:
            self.looks += 1
            found = super().row(pid)
            return found._replace(start="1") if found and self.looks > 1 else found

    with spawn(DEAF) as stranger:
        assert stranger.stdout
        assert stranger.stdout.readline() == "ready\n"
        with Hold(stranger.pid, start_of(stranger.pid) or "", Reused()) as hold:
            assert [hold.send(signal.SIGTERM).sent, hold.send(signal.SIGKILL).sent] == [Sent.SENT, Sent.GONE]
            assert stranger.poll() is None


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("start", ["", "Tue Nov 17 08:26:03 2026"])
def test_without_a_start_that_can_be_compared_nothing_is_sent(start: str) -> None:
    with spawn(["sleep", "600"]) as process, Hold(process.pid, start) as hold:
        answer = hold.send(signal.SIGKILL)
        assert (answer.sent, str(process.pid) in answer.why) == (Sent.UNKNOWN, True)
        assert hold.identity() is Identity.UNKNOWN
        assert process.poll() is None


@pytest.mark.usefixtures("_way")
def test_one_that_has_ended_is_gone_whether_or_not_its_parent_has_noticed() -> None:
    with spawn(["cat"]) as process:
        start = start_of(process.pid) or ""
        assert process.stdin
        process.stdin.close()
        until_zombie(process)
        with Hold(process.pid, start) as hold:
            assert (hold.send(signal.SIGTERM).sent, hold.wait(PATIENCE_S)) == (Sent.GONE, True)
        process.wait()
        with Hold(process.pid, start) as hold:
            assert hold.send(signal.SIGTERM).sent is Sent.GONE


def test_what_the_kernel_forbids_is_said() -> None:
    """No signal has this number."""
    with Hold(os.getpid(), start_of(os.getpid()) or "") as hold:
        answer = hold.send(4711)
    assert (answer.sent, answer.why) == (Sent.FAILED, "Invalid argument")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has pid namespaces")
@pytest.mark.parametrize("when", ["held", "compared", "later"])
def test_a_pid_that_is_really_reused_is_not_hit(when: str) -> None:
    """While the process is held, right between comparing and the signal, or before anybody looks."""
    need_namespace()
    argv = [*NAMESPACE, sys.executable, "-c", REUSE, when]
    done = subprocess.run(argv, cwd=PROJECT, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert (done.stdout, done.returncode) == ("gone None\n", 0), done.stderr


def need_namespace() -> None:
    need("unshare")
    tried = subprocess.run([*NAMESPACE, "true"], capture_output=True, check=False)
    if tried.returncode:
        pytest.skip("a pid namespace cannot be made here")
