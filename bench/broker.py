"""A real mosquitto for a benchmark: on the loopback, with its own settings."""

from __future__ import annotations

import getpass
import shutil
import socket
import subprocess
from typing import Self

from bench.watching import wait

SERVERS = "/usr/sbin:/usr/local/sbin:/opt/homebrew/sbin"
# Unbounded, so that what is measured is how fast we are, and not how much mosquitto throws away.
SETTINGS = """\
user {user}
listener {port} 127.0.0.1
allow_anonymous true
persistence false
max_queued_messages 0
"""


def server(name: str) -> str:
    """Where a server's program is; '' if it is not installed."""
    return shutil.which(name) or shutil.which(name, path=SERVERS) or ""


class Broker:
    def __init__(self, folder: str) -> None:
        self.port = free_port()
        self._settings = f"{folder}/mosquitto.conf"
        with open(self._settings, "w", encoding="utf-8") as file:
            file.write(SETTINGS.format(user=getpass.getuser(), port=self.port))

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        return self._process.pid

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [server("mosquitto"), "-c", self._settings], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait(lambda: answers(self.port), "mosquitto does not listen", 0.05)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1.0).close()
    except OSError:
        return False
    return True


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
