"""A look at the transcripts: what is new in them is counted, and nothing twice."""

from __future__ import annotations

import os
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from usage import clients, entry, reading
from usage.lines import BLOCK, LONGEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from usage.clients import Client, Transcript
    from usage.ledger import File, Ledger

    Progress = Callable[[int, int], None]

PORTION = 64 << 20  # as much as is counted at once, whole or not at all: few enough writes, and little is lost
GLANCE = LONGEST + BLOCK  # the same while somebody looks on; more than the longest line, to get on in any case


class Work(NamedTuple):
    """A transcript with something new in it."""

    client: Client
    transcript: Transcript
    left: int  # bytes


def look(ledger: Ledger, env: Mapping[str, str], progress: Progress = lambda _done, _whole: None) -> int:
    """Count all that is new; how many transcripts could not be read. `progress` is told bytes, and of how many."""
    known = ledger.files()
    work = deque(one for client in clients.known() for one in _new(client, client.transcripts(env), known))
    failed, whole = 0, sum(one.left for one in work)
    while work:
        failed += _count(ledger, work, PORTION)
        progress(whole - sum(one.left for one in work), whole)
    return failed


def look_at_session(ledger: Ledger, env: Mapping[str, str], session: str) -> bool:
    """Count a little of its transcripts; whether that was all."""
    known = ledger.files(session)
    work = deque(one for client in clients.known() for one in _new(client, client.of_session(env, session), known))
    if work:
        _count(ledger, work, GLANCE)
    return not work


def _new(client: Client, transcripts: Iterable[Transcript], known: Mapping[bytes, File]) -> Iterator[Work]:
    for transcript in transcripts:
        try:
            found = os.stat(transcript.path)
        except OSError:
            continue  # gone meanwhile, or a link to nowhere
        file = known.get(os.fsencode(transcript.path))
        if file is None or file.signature != reading.signature(found):
            left = found.st_size - (file.place.offset if file else 0)
            yield Work(client, transcript, left if left >= 0 else found.st_size)


def _count(ledger: Ledger, work: deque[Work], most: int) -> int:
    """About so many bytes from the front of the queue, where what is not done stays; how many failed.

    All of it is written down at once: to do so for each small transcript would take far longer.
    """
    room, failed = most, 0
    with ledger.writing():
        while work and room > 0:
            one = work.popleft()
            try:
                news = reading.read(one.client, ledger.file(one.transcript), most)
            except OSError:
                failed += 1
                continue
            entry.enter(ledger, news)
            room -= max(one.left - news.left, 0)
            if news.left:
                work.appendleft(one._replace(left=news.left))
    return failed
