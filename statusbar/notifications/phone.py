"""Notices to a phone, through a server of ntfy (https://docs.ntfy.sh/publish): sent by a thread that nobody waits for.

How many agents need the person, and nothing of which or why, unless they have asked for that.
"""

from __future__ import annotations

import contextlib
import json
import queue
import re
import socket
import threading
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from contract.status import NEEDS_APPROVAL
from statusbar.system import secret_file
from statusbar.text.symbols import COUNTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from http.client import HTTPConnection

    from statusbar.notifications.rules import Notice
    from statusbar.settings.settings import Settings

LIMIT_S = 10.0  # for one message, whatever the server does
MOST = 20  # messages that wait; of more, the oldest go
HIGH, NORMAL = 4, 3  # of ntfy's five priorities
TAGS = {True: ["warning"], False: ["white_check_mark"]}
APP = "yourturn"
TOKEN = re.compile(r"[!-~]{1,500}", re.ASCII)  # what may stand in a header
ANSWER = 1024


class Message(NamedTuple):
    title: str
    text: str
    is_request: bool

    def record(self, topic: str) -> dict[str, Any]:
        priority = HIGH if self.is_request else NORMAL
        told = {"topic": topic, "title": self.title, "message": self.text}
        return {**told, "priority": priority, "tags": TAGS[self.is_request]}


class Failed(Exception):  # noqa: N818 - an expected outcome
    """Why a message did not arrive: no token and no topic is in it."""


def messages(notices: Sequence[Notice], *, details: bool) -> list[Message]:
    """With details, each notice as the desktop shows it; else one for all of them, with numbers only."""
    if details:
        return [Message(one.title, one.body or one.title, one.state == NEEDS_APPROVAL) for one in notices]
    # An answer that was given belongs to no session: it changes no number.
    parts = [part for one in notices for part in one.parts or (one,) if part.session_id]
    asking = sum(part.state == NEEDS_APPROVAL for part in parts)
    words = [_asking(asking)] * bool(asking) + [_finished(len(parts) - asking)] * (len(parts) > asking)
    return [Message(APP, ", ".join(words), bool(asking))] if words else []


def _asking(number: int) -> str:
    one, several, _ = COUNTED[NEEDS_APPROVAL]
    return f"1 agent {one}" if number == 1 else f"{number} agents {several}"


def _finished(number: int) -> str:
    return f"{number} {'agent' if number == 1 else 'agents'} finished"


class Phone:
    def __init__(self, tell: Callable[[str], None], limit_s: float = LIMIT_S) -> None:
        self._tell = tell
        self._limit_s = limit_s
        self._waiting: queue.SimpleQueue[tuple[Message, Settings] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._last_failure = ""

    def send(self, notices: Sequence[Notice], chosen: Settings) -> None:
        if chosen.ntfy_topic and notices:
            self._put((message, chosen) for message in messages(notices, details=chosen.ntfy_details))

    def close(self, patience_s: float) -> None:
        """Send what waits, for so long at most."""
        if self._thread:
            self._waiting.put(None)
            self._thread.join(patience_s)

    def _put(self, new: Iterable[tuple[Message, Settings]]) -> None:
        for one in new:
            self._waiting.put(one)
        while self._waiting.qsize() > MOST:
            with contextlib.suppress(queue.Empty):
                self._waiting.get_nowait()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="phone", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while one := self._waiting.get():
            self._deliver(*one)

    def _deliver(self, message: Message, chosen: Settings) -> None:
        """A server that is away is told of once, and again after it was there."""
        try:
            post(message, chosen, self._limit_s)
        except Failed as error:
            if str(error) != self._last_failure:
                self._tell(f"ntfy: {error}")
            self._last_failure = str(error)
        else:
            self._last_failure = ""


def post(message: Message, chosen: Settings, limit_s: float = LIMIT_S) -> None:
    """Raises Failed. A redirect is a failure too: the token is for this server, and for no other."""
    headers = {"Content-Type": "application/json", "User-Agent": APP, **_authorization(chosen.ntfy_token_file)}
    body = json.dumps(message.record(chosen.ntfy_topic)).encode()
    try:
        status = _posted(chosen.ntfy_server, body, headers, limit_s)
    except (OSError, ValueError, EOFError) as error:
        raise Failed(f"{chosen.ntfy_server} cannot be reached ({_reason(error)})") from None
    if not 200 <= status < 300:  # noqa: PLR2004 - as HTTP has it
        raise Failed(f"{chosen.ntfy_server} has refused the message (HTTP {status})")


def _posted(server: str, body: bytes, headers: dict[str, str], limit_s: float) -> int:
    from http.client import HTTPException  # noqa: PLC0415 - slow to import, and only needed here

    made, is_late = _connection(server, limit_s), threading.Event()
    timer = threading.Timer(limit_s, _cut_off, (made, is_late))
    timer.daemon = True
    timer.start()
    try:
        made.request("POST", f"{urlsplit(server).path.rstrip('/')}/", body, headers)
        answer = made.getresponse()
        answer.read(ANSWER)
    except HTTPException as error:
        raise OSError(type(error).__name__) from None
    finally:
        timer.cancel()
        made.close()
    if is_late.is_set():
        raise TimeoutError("timed out")
    return answer.status


def _connection(server: str, limit_s: float) -> HTTPConnection:
    import http.client  # noqa: PLC0415 - slow to import, and only needed here

    where = urlsplit(server)
    kind = http.client.HTTPSConnection if where.scheme == "https" else http.client.HTTPConnection
    return kind(str(where.hostname), where.port, timeout=limit_s)


def _cut_off(connection: HTTPConnection, is_late: threading.Event) -> None:
    """A server that sends a byte now and then would hold the others up for ever."""
    is_late.set()
    with contextlib.suppress(OSError):
        if connection.sock:
            connection.sock.shutdown(socket.SHUT_RDWR)


def _authorization(path: str) -> dict[str, str]:
    if not path:
        return {}
    try:
        token = secret_file.read(path)
    except secret_file.Unfit as error:
        raise Failed(str(error)) from None
    except OSError as error:
        raise Failed(f"{path} cannot be read ({error.strerror})") from None
    if not TOKEN.fullmatch(token):
        raise Failed(f"{path} holds no token")
    return {"Authorization": f"Bearer {token}"}


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
