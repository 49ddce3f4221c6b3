"""`yourturn web` in a process of its own, and those who look at it: plain clients over real sockets."""

from __future__ import annotations

import contextlib
import http.client
import json
import signal
import subprocess
from typing import TYPE_CHECKING, Any, NamedTuple

from support.command import YOURTURN
from support.patience import PATIENCE_S
from support.project import PROJECT
from support.showing import environ

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator
    from pathlib import Path


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    body: str


class Serving:
    def __init__(self, home: Path, *words: str, **env: str) -> None:
        argv = [*YOURTURN, "web", "--json", *(words or ("--listen", "127.0.0.1:0"))]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            argv, env=environ(home, **env), cwd=PROJECT, stdout=pipe, stderr=pipe, text=True
        )
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, self.process.communicate()[1]
        self.told: dict[str, str] = json.loads(line)
        self.token, self.host = self.told["token"], self.told["address"]
        self.port = int(self.host.rpartition(":")[2])
        self.cookie = ""

    @property
    def origin(self) -> str:
        return f"http://{self.host}"

    def get(self, path: str = "/", method: str = "GET", **headers: str) -> Reply:
        """With the cookie, once somebody has entered. Underscores in names of headers stand for dashes."""
        with self.asked(path, method, **headers) as (answer, _):
            return Reply(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read().decode())

    @contextlib.contextmanager
    def asked(
        self, path: str, method: str = "GET", **headers: str
    ) -> Iterator[tuple[http.client.HTTPResponse, socket.socket]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        own = {"Cookie": self.cookie} if self.cookie else {}
        try:
            connection.request(method, path, headers={**own, **named})
            assert connection.sock
            yield connection.getresponse(), connection.sock
        finally:
            connection.close()

    def enter(self) -> None:
        found = self.get(f"/?token={self.token}")
        assert found.status == 303, found
        self.cookie = found.headers["set-cookie"].partition(";")[0]

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Its exit code, and what it complained about."""
        self.process.send_signal(number)
        complaints = self.process.communicate(timeout=PATIENCE_S)[1]
        return self.process.returncode, complaints


@contextlib.contextmanager
def serving(home: Path, *words: str, **env: str) -> Iterator[Serving]:
    made = Serving(home, *words, **env)
    try:
        yield made
    finally:
        made.process.kill()
        made.process.communicate()


def events(answer: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
    """Each event of an open stream: its fields, and its comments under ''."""
    fields: dict[str, Any] = {}
    while line := answer.readline().decode():
        name, _, value = line.rstrip("\n").partition(":")
        if line != "\n":
            fields[name] = value.strip()
        elif fields:
            yield fields
            fields = {}


def boards(answer: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
    for told in events(answer):
        if told.get("event") == "board":
            yield json.loads(told["data"])["board"]
