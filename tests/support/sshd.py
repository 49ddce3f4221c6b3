"""A real sshd of a test's own: its keys, its configuration and its log lie below the folder of the test."""

from __future__ import annotations

import os
import shlex
import shutil
import socket
import subprocess
import sys
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

import psutil
import pytest

from support.needs import need
from support.patience import until

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

SEPARATION = "/run/sshd"  # sshd of root does not start without it
NONE: Mapping[str, str] = MappingProxyType({})
TRIES = 5  # for a port that nobody else takes meanwhile


class Sshd:
    """`within`: the words before a command that put it into a network of its own. `env`: for whoever logs in."""

    def __init__(
        self, folder: Path, address: str = "127.0.0.1", within: Sequence[str] = (), env: Mapping[str, str] = NONE
    ) -> None:
        self.folder, self._address, self._within, self._env = folder, address, within, env
        self._process: subprocess.Popen[bytes] | None = None
        need("ssh", "ssh-keygen")
        self._program = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")
        if self._program is None:
            need("sshd")
        if os.getuid() == 0 and not os.path.isdir(SEPARATION):
            pytest.skip(f"{SEPARATION} is missing: `mkdir {SEPARATION}`")
        folder.mkdir(parents=True)
        for name in ("host", "me"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)

    def __enter__(self) -> Self:
        for _ in range(TRIES):
            self.port = _free_port()
            self.start()
            if self._listens():
                return self
            self.stop()
        raise AssertionError(self.log())

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        self._write()
        log = (self.folder / "log").open("wb")
        argv = [*self._within, self._program or "", "-D", "-e", "-f", str(self.folder / "sshd_config")]
        with log:
            self._process = subprocess.Popen(argv, stderr=log)

    def stop(self) -> None:
        """The listener and the sessions; nobody else's."""
        if not self._process:
            return
        for one in self.sessions():
            with suppress(psutil.NoSuchProcess):
                one.kill()
        self._process.kill()
        self._process.wait()
        self._process = None

    def sessions(self) -> list[psutil.Process]:
        """The processes of the connections that stand, and what runs over them."""
        return psutil.Process(self._process.pid).children(recursive=True) if self._process else []

    @property
    def ssh(self) -> str:
        """What a person would type, with a configuration of the test's own."""
        return f"ssh -F {shlex.quote(str(self.folder / 'ssh_config'))} box"

    def command(self, home: Path, *more: str) -> str:
        """The command that reaches this machine, with a home of its own there: nobody's real home is touched."""
        path = f"{os.path.dirname(sys.executable)}:/usr/bin:/bin"
        known = (f"HOME={home}", f"YOURTURN_HOME={home}/state", f"PATH={path}", "YOURTURN_NO_WATCHER=1", *more)
        return f"{self.ssh} env -C {home} -u XDG_CONFIG_HOME -u XDG_STATE_HOME {' '.join(known)}"

    def log(self) -> str:
        return (self.folder / "log").read_text()

    def _listens(self) -> bool:
        def is_said() -> bool:
            return "Server listening" in self.log() or self._process is None or self._process.poll() is not None

        until(is_said, self.log)
        return "Server listening" in self.log()

    def _write(self) -> None:
        folder = self.folder
        (folder / "sshd_config").write_text(
            f"Port {self.port}\nListenAddress {self._address}\nHostKey {folder}/host\n"
            f"AuthorizedKeysFile {folder}/me.pub\nPidFile none\nStrictModes no\nUsePAM no\n"
            + (f"SetEnv {' '.join(f'{name}={value}' for name, value in self._env.items())}\n" if self._env else "")
        )
        (folder / "ssh_config").write_text(
            f"Host box\n HostName {self._address}\n Port {self.port}\n IdentityFile {folder}/me\n IdentitiesOnly yes\n"
            f" UserKnownHostsFile {folder}/known\n StrictHostKeyChecking accept-new\n LogLevel ERROR\n"
        )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
