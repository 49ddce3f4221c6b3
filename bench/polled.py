"""The same over ssh, asked again and again: a few machines are measured, many are reckoned from them."""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import subprocess
import time
from typing import TYPE_CHECKING, NamedTuple

import psutil

from bench import figure, place, race
from bench.broker import answers, free_port, server
from bench.figure import Figure, Missing
from bench.place import OURS
from bench.watching import wait
from contract import paths, status, store
from contract.status import WORKING, SessionStatus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.dose import Dose
    from bench.place import Place

MACHINES, ROUNDS, MANY = 5, 6, 1000
SERVER = """\
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/authorized_keys
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
"""


class Asked(NamedTuple):
    """Milliseconds of one question to one machine: until its answer is here, and of a core on either side."""

    wall: list[float]
    here: list[float]


def figures(dose: Dose, sessions: int) -> Iterator[Figure | Missing]:
    if not server("sshd") or not shutil.which("ssh-keygen"):
        yield Missing("the same, polled over ssh", "sshd is not installed")
        return
    with place.folder() as path:
        asked, both = measure(place.Place(path), dose.rounds(ROUNDS), sessions)
    what = f"polled over ssh, {MACHINES} machines:"
    yield figure.of("fleet.polled.one", f"{what} one question to one", asked.wall)
    yield Figure("fleet.polled.cpu", f"{what} one question, of a core here and there", both)
    yield Figure("fleet.polled.here", f"{what} one question, of a core here", race.median(asked.here))
    seconds = race.median(asked.here) * MANY / 1000
    yield Figure("fleet.polled.many", f"{MANY:,} machines polled over ssh once, RECKONED: of a core here", seconds, "s")


def measure(where: Place, rounds: int, sessions: int) -> tuple[Asked, float]:
    """The questions, and the milliseconds of a core that one cost on both sides."""
    homes = [f"{where.path}/machine-{number}" for number in range(MACHINES)]
    for home in homes:
        _furnish(home, sessions)
    with _sshd(where.path) as daemon:
        asked, before, began = Asked([], []), _spent(daemon), os.times()
        for number in range(rounds * MACHINES):
            taken = race.run(_question(where.path, daemon.port, homes[number % MACHINES]), where.environment())
            asked.wall.append(taken.wall)
            asked.here.append(taken.cpu)
        assert began
        time.sleep(0.5)  # until the server has waited for its children
        there = (_spent(daemon) - before) * race.MS / (rounds * MACHINES)
    return asked, race.median(asked.here) + there


class _Daemon(NamedTuple):
    pid: int
    port: int


def _spent(daemon: _Daemon) -> float:
    """Seconds of a core, with all that it has started and that has ended."""
    times = psutil.Process(daemon.pid).cpu_times()
    return float(times.user + times.system + times.children_user + times.children_system)


@contextlib.contextmanager
def _sshd(folder: str) -> Iterator[_Daemon]:
    for name in ("host_key", "key"):
        argv = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{folder}/{name}"]
        subprocess.run(argv, check=True, stdin=subprocess.DEVNULL)
    shutil.copy(f"{folder}/key.pub", f"{folder}/authorized_keys")
    port = free_port()
    with open(f"{folder}/sshd_config", "w", encoding="utf-8") as file:
        file.write(SERVER.format(folder=folder, port=port))
    argv = [server("sshd"), "-D", "-f", f"{folder}/sshd_config"]
    with subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            wait(lambda: answers(port), "sshd does not listen", 0.05)
            yield _Daemon(process.pid, port)
        finally:
            process.terminate()


def _question(folder: str, port: int, home: str) -> list[str]:
    """With nothing of the person's own: neither configuration nor known hosts."""
    ssh = shutil.which("ssh") or "ssh"
    options = ("BatchMode=yes", "StrictHostKeyChecking=no", f"UserKnownHostsFile={folder}/known", "LogLevel=ERROR")
    there = ["env", f"HOME={home}", f"YOURTURN_HOME={home}", "YOURTURN_NO_WATCHER=1", *OURS]
    return [
        ssh, "-F", "none", "-i", f"{folder}/key", *(word for option in options for word in ("-o", option)),
        "-p", str(port), f"{getpass.getuser()}@127.0.0.1", *there, "status", "--json", "--full", "--all",
    ]  # fmt: skip


def _furnish(home: str, sessions: int) -> None:
    store.private_folder(paths.status_dir(home))
    for number in range(sessions):
        one = SessionStatus(f"s{number:03}", "shop-1", "/home/me/shop", 7, WORKING, "", time.time(), "", "")
        store.replace(paths.status(home, one.session_id), status.encode(one))
