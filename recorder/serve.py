"""One run of the hook: who asks, where it is kept, and what is done if that fails."""

from __future__ import annotations

import posix
import time

from contract import paths
from contract.facts import Stamp

LARGEST = 64 << 20


def serve(client: str) -> None:
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    stamp = Stamp((round(time.time(), 6), round(time.clock_gettime(clock), 6)))
    try:
        env = paths.environ()
        home = paths.home(env)
    except (KeyError, OSError):
        return  # no home, so no place to say so
    try:
        from recorder.receive import receive  # noqa: PLC0415 - a fault in it is worth a note too

        receive(home, env, read_all(), stamp, client, alone=True)
    except Exception as error:
        from recorder.trouble import note  # noqa: PLC0415 - the usual path does without

        note(home, stamp, error)


def serve_and_pack(client: str) -> None:
    """The first run: each module is looked for, and the next hook finds them all in one file."""
    serve(client)
    from recorder.bundle import pack  # noqa: PLC0415 - once for each version

    pack(client)


def read_all() -> bytes:
    chunks, size = [], 0
    while size <= LARGEST and (chunk := posix.read(0, 1 << 16)):
        chunks.append(chunk)
        size += len(chunk)
    return b"".join(chunks)
