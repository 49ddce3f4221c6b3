"""A look at the transcripts: what is new in them is counted, and nothing twice."""

from __future__ import annotations

import os
from collections import deque
from contextlib import contextmanager
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from contract import openable
from usage import clients, owner
from usage.ledger import NEW
from usage.lines import BLOCK, LONGEST, Cutter, Place
from usage.message import NEVER, Message, Opening
from usage.owner import Sighting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from usage.clients import Client, Transcript
    from usage.ledger import File, Ledger

    Progress = Callable[[int, int], None]

PORTION = 64 << 20  # as much as is counted at once, whole or not at all: few enough writes, and little is lost
GLANCE = LONGEST + BLOCK  # the same while somebody looks on; more than the longest line, to get on in any case
HEAD = 256 << 10  # as far into a transcript as its beginning is looked for
EDGE = 64
LARGEST = (1 << 63) - 1  # of SQLite's integers
FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY | os.O_NOFOLLOW


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


def _count(ledger: Ledger, work: deque[Work], most: int) -> int:
    """About so many bytes from the front of the queue, where what is not done stays; how many failed.

    All of it is written down at once: to do so for each small transcript would take far longer.
    """
    room, failed = most, 0
    with ledger.writing():
        while work and room > 0:
            one = work.popleft()
            try:
                left = _advance(ledger, one.client, one.transcript, most)
            except OSError:
                failed += 1
                continue
            room -= max(one.left - left, 0)
            if left:
                work.appendleft(one._replace(left=left))
    return failed


def _advance(ledger: Ledger, client: Client, transcript: Transcript, most: int) -> int:
    """Count more of it; how many bytes are left after that. Raises OSError, and nothing has changed then."""
    with _opened(transcript.path) as fd:
        found = os.fstat(fd)
        openable.check(found)
        before = ledger.file(transcript)
        file = _continued(client, fd, before)
        end = min(found.st_size, file.place.offset + most)
        cutter = Cutter(fd, file.place)
        messages = _messages(client, cutter.lines(end))
        mark, left = _mark(fd, cutter.place.offset), found.st_size - end
    disk, number, size, changed = _signature(found)
    if before.place != file.place:
        _forget(ledger, before.id)
    # Without a time, the next look does not take it for unchanged.
    file = file._replace(place=cutter.place, mark=mark, signature=(disk, number, size, NEVER if left else changed))
    _enter(ledger, ledger.save(file), messages)
    return left


def _new(client: Client, transcripts: Iterable[Transcript], known: Mapping[bytes, File]) -> Iterator[Work]:
    for transcript in transcripts:
        try:
            found = os.stat(transcript.path)
        except OSError:
            continue  # gone meanwhile, or a link to nowhere
        file = known.get(os.fsencode(transcript.path))
        if file is None or file.signature != _signature(found):
            left = found.st_size - (file.place.offset if file else 0)
            yield Work(client, transcript, left if left >= 0 else found.st_size)


@contextmanager
def _opened(path: str) -> Iterator[int]:
    # Asked before it is opened, because to open a device may act.
    openable.check(os.stat(path))
    fd = os.open(openable.real_name(path), FLAGS)
    try:
        yield fd
    finally:
        os.close(fd)


def _continued(client: Client, fd: int, file: File) -> File:
    """As it was left, or from its beginning: what shrank or was replaced, or tells only now when it began."""
    is_same = file.id == NEW or _is_same(fd, file)
    if is_same and file.opening.began and file.opening.folder:
        return file
    opening = _opening(client, fd)
    place = file.place if is_same and opening.began == file.opening.began else Place()
    return file._replace(opening=opening, place=place)


def _is_same(fd: int, file: File) -> bool:
    """Whether it goes on where it was left; the mark is another one also if the file is shorter now."""
    return file.signature[:2] == _signature(os.fstat(fd))[:2] and file.mark == _mark(fd, file.place.offset)


def _opening(client: Client, fd: int) -> Opening:
    began, folder = Opening()
    for line in os.pread(fd, HEAD, 0).split(b"\n")[:-1]:
        told = client.opening(line)
        began, folder = began or told.began, folder or told.folder
        if began and folder:
            break
    return Opening(began, folder)


def _messages(client: Client, lines: Iterable[bytes]) -> dict[int, Message]:
    found: dict[int, Message] = {}
    for line in lines:
        if message := client.message(line):
            same = found.get(message.digest)
            found[message.digest] = same.merged(message) if same else message
    return found


def _enter(ledger: Ledger, file: File, messages: Mapping[int, Message]) -> None:
    models = {name: ledger.model(name) for name in {message.model for message in messages.values()}}
    changes = [_sight(ledger, file, message, models[message.model]) for message in messages.values()]
    ledger.add(owner.sums(changes))


def _sight(ledger: Ledger, file: File, message: Message, model: int) -> tuple[list[Sighting], list[Sighting]]:
    before = ledger.sightings(message.digest)
    now = Sighting(file.id, file.opening.began, file.path, message.at, model, message.tokens)
    for same in (one for one in before if one.file == file.id):
        now = same.merged(now)
    if now not in before:
        ledger.sight(message.digest, now)
    return before, [*owner.without(before, file.id), now]


def _forget(ledger: Ledger, file: int) -> None:
    """What stands in other transcripts too counts for one of those from now on."""
    seen = {digest: ledger.sightings(digest) for digest in ledger.shared(file)}
    changes = owner.sums((before, owner.without(before, file)) for before in seen.values())
    ledger.forget(file)
    ledger.add({key: tokens for key, tokens in changes.items() if key[0] != file})


def _signature(found: os.stat_result) -> tuple[int, int, int, int]:
    return found.st_dev & LARGEST, found.st_ino & LARGEST, found.st_size, found.st_mtime_ns


def _mark(fd: int, offset: int) -> bytes:
    """Of the bytes before the place where we go on: other ones, if the file was written anew. No word of it is kept."""
    start = max(0, offset - EDGE)
    return blake2b(os.pread(fd, offset - start, start), digest_size=8).digest()
