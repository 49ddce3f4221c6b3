"""What is new in one transcript since it was left: the answers in its new lines, and how far it was read."""

from __future__ import annotations

import os
from contextlib import contextmanager
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from contract import transcript_file
from usage.ledger import NEW
from usage.lines import BLOCK, Cutter, Place
from usage.message import NEVER, Message, Opening

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from usage.clients import Client
    from usage.ledger import File

HEAD = 256 << 10  # as far into a transcript as its beginning is looked for
EDGE = 64
FURTHEST = 16 << 20  # bytes back, for the model of an answer
LARGEST = (1 << 63) - 1  # of SQLite's integers


class News(NamedTuple):
    file: File  # as it is to be left now
    messages: dict[int, Message]
    left: int  # bytes that were there and are still to be read
    is_anew: bool  # what was known of it is to be forgotten


def read(client: Client, file: File, most: int) -> News:
    """So many bytes on from where it was left. Raises OSError."""
    with _opened(os.fsdecode(file.path)) as fd:
        found = os.fstat(fd)
        transcript_file.check(found)
        now = _continued(client, fd, file)
        end = min(found.st_size, now.place.offset + most)
        cutter = Cutter(fd, now.place)
        messages = _messages(client, cutter.lines(end), _model_before(client, fd, now.place.offset))
        mark, left = _mark(fd, cutter.place.offset), found.st_size - end
    disk, number, size, changed = signature(found)
    seen = (disk, number, size, NEVER if left else changed)  # without its time, it is not taken for unchanged
    left_at = now._replace(place=cutter.place, mark=mark, signature=seen, context=_context(messages, now.context))
    return News(left_at, messages, left, is_anew=now.place != file.place)


def signature(found: os.stat_result) -> tuple[int, int, int, int]:
    """Another one when the file has been replaced or written to."""
    return found.st_dev & LARGEST, found.st_ino & LARGEST, found.st_size, found.st_mtime_ns


@contextmanager
def _opened(path: str) -> Iterator[int]:
    # Asked before it is opened, because to open a device may act.
    transcript_file.check(os.stat(path))
    fd = transcript_file.opened(path)
    try:
        yield fd
    finally:
        os.close(fd)


def _continued(client: Client, fd: int, file: File) -> File:
    """As it was left, or from its beginning: what shrank or was replaced, or tells only now when it began."""
    is_same = file.id == NEW or _is_same(fd, file)
    if is_same and file.opening.began and file.opening.folder:
        return file
    opening = _opening(client, fd, file.opening.folder)
    if is_same and opening.began == file.opening.began:
        return file._replace(opening=opening)
    return file._replace(opening=opening, place=Place(), context=0)


def _is_same(fd: int, file: File) -> bool:
    """Whether it goes on where it was left; the mark is another one also if the file is shorter now."""
    return file.signature[:2] == signature(os.fstat(fd))[:2] and file.mark == _mark(fd, file.place.offset)


def _opening(client: Client, fd: int, known: str) -> Opening:
    """`known`: the folder, if no line tells."""
    began, folder = Opening()
    for line in os.pread(fd, HEAD, 0).split(b"\n")[:-1]:
        told = client.opening(line)
        began, folder = began or told.began, folder or told.folder
        if began and folder:
            break
    return Opening(began, folder or known)


def _messages(client: Client, lines: Iterable[bytes], model: str) -> dict[int, Message]:
    found: dict[int, Message] = {}
    for line in lines:
        if client.MODEL and client.MODEL in line:
            model = client.model(line) or model
        elif message := client.message(line):
            message = message if message.model else message._replace(model=model)
            same = found.get(message.digest)
            found[message.digest] = same.merged(message) if same else message
    return found


def _model_before(client: Client, fd: int, offset: int) -> str:
    """The one that was named last before this place; '' if that was too far away. A first line names none."""
    end, rest = (offset if client.MODEL else 0), b""
    while end > max(0, offset - FURTHEST):
        start = max(0, end - BLOCK)
        rest, *whole = (os.pread(fd, end - start, start) + rest).split(b"\n")
        named = (client.model(line) for line in reversed(whole) if client.MODEL in line)
        if model := next(filter(None, named), ""):
            return model
        end = start
    return ""


def _context(messages: dict[int, Message], before: int) -> int:
    return next(reversed(messages.values())).tokens.context if messages else before


def _mark(fd: int, offset: int) -> bytes:
    """Of the bytes before the place where we go on: other ones, if the file was written anew. No word of it is kept."""
    start = max(0, offset - EDGE)
    return blake2b(os.pread(fd, offset - start, start), digest_size=8).digest()
