"""A person's word, brought to the hook that waits; and what came of it, as far as that can be known."""

from __future__ import annotations

import contextlib
import posix
import time

from answers import clients, open_requests, record, word
from answers.open_requests import NobodyWaits, NotOurs, PipeFull
from answers.word import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from answers.clients import Client
    from answers.request import Request

TAKES_S, GOES_ON_S, STEP_S = 5.0, 5.0, 0.02
DONE = {word.ALLOW: "allowed", word.DENY: "denied", word.ANSWER: "answered", word.RELEASE: "released"}
FULL = "nothing was sent: others write to this request at the same time; try again"
DEAF = "sent, but it was not taken, and the request is still open; look at its terminal"
GONE = "nobody waits for this answer any more: it was answered elsewhere, or its agent has ended"
UNSURE = "sent, but the client has not gone on: look at its terminal"
FOREIGN = "the files of this request are not ours, or open to others; nothing was sent"


class Outcome:
    """`ok`: the client has gone on with this answer. `words` for a person."""

    def __init__(self, words: str, *, ok: bool = False) -> None:
        self.words, self.ok = words, ok


def give(home: str, drawn: Request, answer: Word) -> Outcome:
    """`drawn`: the request as the person saw it. ValueError for an answer that is too long."""
    answer.id, answer.digest, answer.tag = drawn.id, drawn.digest(), open_requests.new_id()
    line = word.encode(answer)
    client = clients.named(drawn.client)
    before = client.moment(drawn) if client else None
    try:
        _send(home, drawn.id, line)
    except NobodyWaits:
        return Outcome(GONE)
    except NotOurs:
        return Outcome(FOREIGN)
    except PipeFull:
        return Outcome(FULL)
    heard = _heard(home, answer)
    if heard.startswith(record.REFUSED):
        return Outcome(heard)
    if not heard and _is_open(home, drawn.id):
        return Outcome(DEAF)
    if heard != (record.RELEASED if answer.deed == word.RELEASE else record.TAKEN):
        return Outcome(GONE)
    if client and _would_tell(home, drawn, before) and not _went_on(client, drawn, before):
        return Outcome(UNSURE)
    return Outcome(DONE[answer.deed], ok=True)


def release(home: str, session: str) -> None:
    """The dialogs that the client hides while a hook waits appear in its terminal: the person goes there."""
    for request in open_requests.requests(home):
        if request.session == session and request.agent != "main" and not request.host:
            answer = Word(id=request.id, tag=open_requests.new_id(), deed=word.RELEASE, by="go")
            with contextlib.suppress(NobodyWaits, NotOurs, PipeFull):
                _send(home, request.id, word.encode(answer))


def _send(home: str, id_: str, line: bytes) -> None:
    fd = open_requests.writer(home, id_)
    try:
        if posix.write(fd, line) < len(line):
            raise PipeFull  # what has no end is no answer
    except BlockingIOError:
        raise PipeFull from None
    except OSError:
        raise NobodyWaits from None
    finally:
        posix.close(fd)


def _heard(home: str, answer: Word) -> str:
    """What the hook noted of it; '' if it noted nothing."""
    end = time.monotonic() + TAKES_S
    while not (said := record.outcome(home, answer.id, answer.tag)) and time.monotonic() < end:
        time.sleep(STEP_S)
    return said


def _is_open(home: str, id_: str) -> bool:
    try:
        return open_requests.find(home, id_).id == id_
    except (NobodyWaits, NotOurs, OSError):
        return False


def _would_tell(home: str, drawn: Request, before: object) -> bool:
    """Whether the client's registry changes when it goes on.

    A sub-agent's dialog was not open yet, an older client that is hosted says nothing of itself there, and one that
    waits for another answer too goes on saying so.
    """
    if drawn.agent != "main" or before is None:
        return False
    return not drawn.host or all(one.client_pid != drawn.client_pid for one in open_requests.requests(home))


def _went_on(client: Client, drawn: Request, before: object) -> bool:
    end = time.monotonic() + GOES_ON_S
    while client.moment(drawn) == before:
        if time.monotonic() > end:
            return False
        time.sleep(STEP_S)
    return True
