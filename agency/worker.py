"""One agent that runs, and the pipes between it and us."""

from __future__ import annotations

import contextlib
import math
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agency.two_step_start import Streams

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agency.family import Family
    from agency.host import Host
    from agency.registration import Spawned
    from agency.request import Request

CHUNK = 1 << 16


@dataclass
class Worker:
    """One agent that runs."""

    request: Request
    agent: Spawned
    began: float
    prompt: memoryview = field(repr=False, default_factory=lambda: memoryview(b""))
    output: bytearray = field(repr=False, default_factory=bytearray)
    stdin: int = -1
    stdout: int = -1
    stderr: int = -1  # -1 too if it goes where ours goes
    begun_line: bytes = field(repr=False, default=b"")  # of its standard error
    collects: bool = True  # what it prints comes to us
    stopped: str = ""  # why we are ending it: timeout, interrupted
    family: Family | None = None  # what it had started when we began to end it
    due: float = math.inf  # when to end it, or to end it for certain
    host: Host | None = None  # of one that asks over its stream


@contextlib.contextmanager
def pipes(*, has_prompt: bool, hears: bool) -> Iterator[tuple[Streams, tuple[int, int, int]]]:
    """The streams of a new process, and our ends of them, -1 for none. Ours are closed if it does not come to be."""
    take, feed = os.pipe() if has_prompt else (os.open(os.devnull, os.O_RDONLY), -1)
    collect, give = os.pipe()
    listen, speak = os.pipe() if hears else (-1, os.dup(2))
    try:
        yield Streams(take, give, speak), (feed, collect, listen)
    except BaseException:
        for fd in (feed, collect, listen):
            if fd >= 0:
                os.close(fd)
        raise
    finally:
        for fd in (take, give, speak):
            os.close(fd)


def read(fd: int) -> bytes | None:
    """b"" at its end, None if there is nothing yet."""
    try:
        return os.read(fd, CHUNK)
    except BlockingIOError:
        return None
