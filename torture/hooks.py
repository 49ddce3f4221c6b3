"""Hooks that are on their way at the same time."""

from __future__ import annotations

import json
import subprocess
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from torture.room import PATIENCE_S

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from torture.room import Room


@contextmanager
def at_once(room: Room, payloads: Iterable[dict[str, Any]]) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Each has been given its event; those that are still on their way at the end are killed."""
    with ExitStack() as stack:
        yield [stack.enter_context(started(room, payload)) for payload in payloads]


@contextmanager
def started(room: Room, payload: dict[str, Any], around: Sequence[str] = ()) -> Iterator[subprocess.Popen[bytes]]:
    pipe, argv = subprocess.PIPE, [*around, *room.argv]
    one = subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, env=room.env(), cwd=room.path)
    try:
        assert one.stdin
        one.stdin.write(json.dumps(payload).encode())
        one.stdin.close()
        one.stdin = None
        yield one
    finally:
        one.kill()
        one.communicate()


def ended(one: subprocess.Popen[bytes], patience: float = PATIENCE_S) -> bytes:
    """What it said; one that hangs is killed, and has another exit code."""
    try:
        return one.communicate(timeout=patience)[0]
    except subprocess.TimeoutExpired:
        one.kill()
        return one.communicate()[0]


def until(holds: Callable[[], object], otherwise: str, seconds: float = PATIENCE_S) -> None:
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(otherwise)
        time.sleep(0.01)
