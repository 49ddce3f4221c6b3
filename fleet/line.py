"""The line to one host: a command of the user's that runs `yourturn status` there, and what it prints."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from typing import IO, TYPE_CHECKING, NamedTuple

from contract.clean import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Hear = Callable[[bytes], bool]

BEAT_S = 5.0
SILENT_S = 15.0  # a line on which nothing comes for so long does not stand any more
LONGEST = 8 << 20  # bytes of one line
ERRORS = 4096  # bytes of the end of its standard error
PORTION = 1 << 16
TICK_S, GRACE_S = 0.5, 2.0
PAUSE_S = 0.02
IDLE = 4  # for each second of work so many of rest: a host that floods us takes a fifth of a core
STATES = b'"sessions"'


class End(NamedTuple):
    """How a line has ended."""

    code: int | None  # of the command; None if we ended it
    why: str


class Line:
    """`silent_s`: None for a host that does not say that nothing is new."""

    def __init__(self, argv: Sequence[str], silent_s: float | None = SILENT_S) -> None:
        self._argv, self._silent_s = argv, silent_s
        self._rest, self._said = b"", b""

    def follow(self, hear: Hear, is_wanted: Callable[[], bool]) -> End:
        """Hand on the newest states as they come, until no more come or nobody wants them.

        `hear` says whether it understood the line: garbage is silence.
        """
        try:
            # Its standard input stays open as long as we live: by its end the other side knows that we are gone.
            process = subprocess.Popen(
                self._argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            return End(127, f"{self._argv[0]}: {error.strerror}")
        with _ending(process), selectors.DefaultSelector() as ready:
            for stream in (process.stdout, process.stderr):
                ready.register(stream or -1, selectors.EVENT_READ)
            return self._read(process, ready, hear, is_wanted)

    def _read(
        self, process: subprocess.Popen[bytes], ready: selectors.BaseSelector, hear: Hear, is_wanted: Callable[[], bool]
    ) -> End:
        heard = time.monotonic()
        while is_wanted():
            lines: list[bytes] = []
            for key, _ in ready.select(TICK_S):
                if not self._take(key, process.stderr, lines):
                    ready.unregister(key.fileobj)
            begun = time.monotonic()
            understood = [line for line in newest(lines) if hear(line)]
            heard = time.monotonic() if understood else heard
            time.sleep(max(PAUSE_S, IDLE * (time.monotonic() - begun)) if lines else 0.0)
            if not any(key.fileobj is process.stdout for key in ready.get_map().values()):
                return self._its_own_end(process)
            if len(self._rest) > LONGEST:
                return End(None, f"it sends a line of more than {LONGEST >> 20} MB")
            if self._silent_s is not None and time.monotonic() - heard > self._silent_s:
                return End(None, f"silent for {self._silent_s:.0f} s")
        return End(None, "")

    def _take(self, key: selectors.SelectorKey, errors: IO[bytes] | None, lines: list[bytes]) -> bool:
        """Whether there may be more."""
        portion = os.read(key.fd, PORTION)
        if key.fileobj is errors:
            self._said = (self._said + portion)[-ERRORS:]
        else:
            *whole, self._rest = (self._rest + portion).split(b"\n")
            lines += whole
        return bool(portion)

    def _its_own_end(self, process: subprocess.Popen[bytes]) -> End:
        """In its own last words, if it said any."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            _, said = process.communicate(timeout=GRACE_S)
            self._said = (self._said + said)[-ERRORS:]
        lines = [clean(line, 200) for line in self._said.decode(errors="replace").splitlines()]
        last = next((line for line in reversed(lines) if line), "")
        return End(process.poll(), last or f"the command has ended with code {process.poll()}")


def newest(lines: Sequence[bytes]) -> list[bytes]:
    """Each line with states has all of them: of several only the last counts. Others say that the line stands."""
    states = [line for line in lines if STATES in line]
    return states[-1:] or [*lines[-1:]]


@contextlib.contextmanager
def _ending(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """It and what it has started, which are a group of their own, end with us."""
    try:
        yield
    finally:
        for number in (signal.SIGTERM, signal.SIGKILL):
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, number)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(GRACE_S)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                with contextlib.suppress(OSError):
                    stream.close()
