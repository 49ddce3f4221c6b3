"""The connection to one host: a command of the user's that runs `yourturn` there, and what it prints."""

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
SILENT_S = 13.0  # a connection over which nothing comes for so long is taken for lost: that is known within 15 s
LONGEST = 8 << 20  # bytes of one line
VALUES = 250_000  # in one line: small ones take thirty times the memory of their bytes
ERRORS = 4096  # bytes of the end of its standard error
PORTION = 1 << 16
TICK_S, GRACE_S = 0.5, 2.0
PAUSE_S = 0.02
IDLE = 4  # for each second of work so many of rest: a host that floods us takes a fifth of a core
STATES = b'"sessions"'


class End(NamedTuple):
    """How a connection has ended."""

    code: int | None  # of the command; None if it did not end by itself, or could not be started
    why: str


class HostConnection:
    def __init__(self, argv: Sequence[str], silent_s: float | None = SILENT_S, given: IO[bytes] | None = None) -> None:
        """`silent_s`: None for a host that does not say that nothing is new. `given`: what it is to read."""
        self._argv, self._silent_s, self._given = argv, silent_s, given
        self._rest, self._said = bytearray(), b""

    def follow(self, hear: Hear, is_wanted: Callable[[], bool]) -> End:
        """Hand on the newest states as they come, until no more come or nobody wants them.

        `hear` says whether it understood the line: garbage is silence.
        """
        try:
            # Its standard input stays open as long as we live: by its end the other side knows that we are gone.
            process = subprocess.Popen(
                self._argv, stdin=self._given or subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            return End(None, f"{self._argv[0]}: {getattr(error, 'strerror', None) or error}")
        with _ending(process), selectors.DefaultSelector() as ready:
            for stream in (process.stdout, process.stderr):
                ready.register(stream or -1, selectors.EVENT_READ)
            return self._read(process, ready, hear, is_wanted)

    def _read(
        self, process: subprocess.Popen[bytes], ready: selectors.BaseSelector, hear: Hear, is_wanted: Callable[[], bool]
    ) -> End:
        heard = time.monotonic()
        while is_wanted():
            events, begun = ready.select(TICK_S), time.monotonic()
            lines = [line for key, _ in events for line in self._take(key, process, ready)]
            understood = False
            for line in newest(lines):
                if line.count(b",") > VALUES:
                    return End(None, f"it sends a line of more than {VALUES:,} values")
                understood |= hear(line)
            time.sleep(max(PAUSE_S if lines else 0.0, IDLE * (time.monotonic() - begun)))
            # After the rest, which is ours: it is not silent because we are slow.
            heard = time.monotonic() if understood else heard
            if not any(key.fileobj is process.stdout for key in ready.get_map().values()):
                return self._its_own_end(process, ready)
            if len(self._rest) > LONGEST:
                return End(None, f"it sends a line of more than {LONGEST >> 20} MB")
            if self._silent_s is not None and time.monotonic() - heard > self._silent_s:
                return End(None, f"silent for {self._silent_s:.0f} s")
        return End(None, "")

    def _take(
        self, key: selectors.SelectorKey, process: subprocess.Popen[bytes], ready: selectors.BaseSelector
    ) -> list[bytes]:
        """The lines that are whole by now."""
        portion = os.read(key.fd, PORTION)
        if not portion:
            ready.unregister(key.fileobj)
        if key.fileobj is process.stderr:
            self._said = (self._said + portion)[-ERRORS:]
            return []
        self._rest += portion
        if b"\n" not in portion:
            return []
        *whole, rest = self._rest.split(b"\n")
        self._rest = rest
        return [bytes(line) for line in whole]

    def _its_own_end(self, process: subprocess.Popen[bytes], ready: selectors.BaseSelector) -> End:
        """In its own last words, if it said any. What it has started may keep its standard error open for ever."""
        deadline = time.monotonic() + GRACE_S
        while ready.get_map() and time.monotonic() < deadline and (events := ready.select(TICK_S)):
            for key, _ in events:
                self._take(key, process, ready)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_S)
        lines = [clean(line, 200) for line in self._said.decode(errors="replace").splitlines()]
        last = next((line for line in reversed(lines) if line), "")
        return End(process.returncode, last or f"the command has ended with code {process.returncode}")


def newest(lines: Sequence[bytes]) -> list[bytes]:
    """Each line with states has all of them, so only the last counts. Others say that the connection is there."""
    states = [line for line in lines if STATES in line]
    return states[-1:] or [*lines[-1:]]


@contextlib.contextmanager
def _ending(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """It and what it has started, which are a group of their own, end with us."""
    try:
        yield
    finally:
        if process.stdin:
            with contextlib.suppress(OSError):
                process.stdin.close()
        if process.returncode is None:
            _end_group(process)
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """Nobody has waited for it, so its number, and its group's, cannot be a stranger's yet."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM)
        _drain(process.stdout, time.monotonic() + GRACE_S)
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(GRACE_S)


def _drain(stream: IO[bytes] | None, deadline: float) -> None:
    """Until everybody who could write to it has ended."""
    with selectors.DefaultSelector() as ready:
        ready.register(stream or -1, selectors.EVENT_READ)
        while (left := deadline - time.monotonic()) > 0:
            if ready.select(left) and stream and not os.read(stream.fileno(), PORTION):
                return
