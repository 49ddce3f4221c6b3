"""What an agent of ours asks for over its stream: each request is open as long as the agent waits, by its own id.

The same file, pipe, digest and record as those of the hook that waits beside a dialog (`answers.waiting_hook`), so
whoever answers need not know the difference. But here nobody else can be asked: what goes wrong decides nothing, and
the request stays open, or the agent is told that nobody could be asked.
"""

from __future__ import annotations

import contextlib
import math
import os
import time
from typing import TYPE_CHECKING

from agency import registration
from agency.events import Asked, Cancelled, Finished, Mode, Unserved
from agency.input_closing import InputClosing
from answers import open_requests, record
from answers.answer_reader import AnswerReader
from answers.request import KEEPER, encode
from contract import store

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from agency.clients import Stream
    from agency.events import Event
    from agency.registration import Spawned
    from answers.request import Request
    from answers.word import Word

LARGEST_LINE = 16 << 20
LARGEST = store.LARGEST  # bytes of a request's file: more could not be read
DEEPEST = 100  # values in values: nobody reads more, and to write it down again would fail somewhere
LOOK_S = 1.0  # how often open requests are looked after
REMEMBERED = 100  # answers of which the client may still say that it did not wait for them
NOT_SHOWN = "nobody could be asked: this cannot be shown to a person"
NOT_SERVED = "yourturn cannot do this"


class Open:
    """One request of the client. Without files for a while if the disk was full, or somebody has removed them."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.held: open_requests.Held | None = None
        self.hearing: AnswerReader | None = None

    def open(self, home: str) -> None:
        """OSError or NotOurs if it cannot be. With a new id each time: an answer is for what was seen under its id."""
        self.request.id = open_requests.new_id()
        held = open_requests.Held(home, self.request)
        held.__enter__()
        self.held, self.hearing = held, AnswerReader(home, held)

    def close(self) -> None:
        if self.held:
            self.held.close()
        self.held = self.hearing = None


class Host:
    def __init__(self, home: str, env: Mapping[str, str], agent: Spawned, stream: Stream) -> None:
        self._home, self._env, self._agent, self._stream = home, env, agent, stream
        self._input_closing, self._mode = InputClosing(), ""
        self._open: dict[str, Open] = {}  # by the client's id
        self._given: dict[str, tuple[Request, Word]] = {}
        self._line, self._is_cut, self.is_over = bytearray(), False, False
        self._looks_at = math.inf
        self.result = b""  # the line that tells of its last turn
        with contextlib.suppress(OSError):  # there from the start, so that front ends at rest can watch it
            store.private_folder(open_requests.place(home))

    # What the agent says

    def hear(self, chunk: bytes, now: float) -> bytes:
        """What it printed; what is to be said to it."""
        return b"".join(self._answered_at_once(event, now) for event in self._events(chunk))

    def _events(self, chunk: bytes) -> Iterator[Event]:
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            line, self._is_cut = None if self._is_cut else bytes(self._line + end), False
            self._line = bytearray()
            if line and (event := self._stream.heard(line)):
                yield event
        self._line += b"" if self._is_cut else rest
        if len(self._line) > LARGEST_LINE:
            event, self._line, self._is_cut = self._stream.cut_off(bytes(self._line[:1024])), bytearray(), True
            if event:
                yield event

    def _answered_at_once(self, event: Event, now: float) -> bytes:
        self._input_closing.told(event, now)
        if isinstance(event, Asked):
            return self._ask(event, now)
        if isinstance(event, Unserved):
            return self._stream.failed(event.id, NOT_SERVED)
        if isinstance(event, Cancelled):
            self._withdraw(event.id)
        elif isinstance(event, Finished):
            self.result = event.line + b"\n"
        elif isinstance(event, Mode):
            self._mode = event.name
        return b""

    def _ask(self, event: Asked, now: float) -> bytes:
        request = self._described(event) if _is_flat(event.given, DEEPEST) else None
        if request is None or not request.digest() or len(encode(request)) > LARGEST:
            return self._stream.failed(event.id, NOT_SHOWN)
        if not self.is_over:
            self._withdraw(event.id)  # asked anew under the same id, the first is over
            self._open[event.id] = Open(request)
            self.look(now)
        return b""

    def _described(self, event: Asked) -> Request | None:
        request = self._stream.described(event, self._agent, self._env, self._mode)
        if request:
            request.host, request.at = KEEPER, round(time.time(), 3)
            request.pid, request.start = registration.this_process(os.getpid())
            request.id = open_requests.new_id()
        return request

    def _withdraw(self, id_: str) -> None:
        """The client does not wait for it any more: a hook of the user's own was quicker, perhaps than our answer."""
        if found := self._open.pop(id_, None):
            self._close(found, record.ELSEWHERE)
        elif given := self._given.pop(id_, None):
            self._note(given[0], record.ELSEWHERE, given[1])

    # What people answer

    def pipes(self) -> dict[int, str]:
        """The descriptors through which answers come, each with the id of its request."""
        return {each.held.fd: each.request.id for each in self._open.values() if each.held}

    def answered(self, fd: int) -> bytes:
        """Something came through this pipe; what is to be said to the client. What cannot be noted does not count."""
        id_, found = next((id_, each) for id_, each in self._open.items() if each.held and each.held.fd == fd)
        try:
            answer = found.hearing.read() if found.hearing else None
            if answer is None:
                return b""
            record.note(self._home, found.request, time.time(), record.TAKEN, answer)
        except OSError:
            return b""
        found.close()
        del self._open[id_]
        self._given[id_] = (found.request, answer)
        for old in list(self._given)[:-REMEMBERED]:
            del self._given[old]
        return self._stream.decided(id_, found.request, answer)

    # As time goes by

    @property
    def due(self) -> float:
        """When `look` is to be called, or the client's input to be closed."""
        return min(self._looks_at, self.closes_at)

    @property
    def closes_at(self) -> float:
        """When the client's input is to be closed: not as long as it waits for an answer."""
        return math.inf if self._open or self.is_over else self._input_closing.closes_at

    def look(self, now: float) -> None:
        """What could not be opened, or was removed by somebody, is opened again: the client still waits."""
        for found in self._open.values():
            if found.held and not found.held.is_there():
                self._close(found, record.RELEASED)
            if not found.held and os.path.isdir(self._home):
                with contextlib.suppress(OSError, open_requests.NotOurs):
                    found.open(self._home)
        self._looks_at = now + LOOK_S if self._open else math.inf

    def close(self) -> None:
        """The client has ended, or does not listen any more."""
        self.is_over = True
        for found in self._open.values():
            self._close(found, record.GONE)
        self._open.clear()
        self._looks_at = math.inf

    def _close(self, found: Open, outcome: str) -> None:
        found.close()
        self._note(found.request, outcome)

    def _note(self, request: Request, outcome: str, answer: Word = record.NOBODY) -> None:
        """What has happened already is told as well as it can be."""
        with contextlib.suppress(OSError):
            record.note(self._home, request, time.time(), outcome, answer)


def _is_flat(value: Any, deepest: int) -> bool:
    below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return deepest > 0 and all(_is_flat(each, deepest - 1) for each in below)
