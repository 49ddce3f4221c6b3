"""Agents that this process has started and waits for: gives them prompts, collects their output, tells their ends."""

from __future__ import annotations

import contextlib
import math
import os
import selectors
import signal
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from agency import clients, result, start_agent
from agency.end import Plan, end_family
from agency.family import Family
from agency.host import Host
from agency.request_pipes import RequestPipes
from agency.worker import CHUNK, Worker, pipes, read
from processes.table import Probe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agency.request import Request
    from agency.result import Result
    from agency.start_agent import Context
    from agency.two_step_start import Streams

    Hear = Callable[[Request, str], None]

LARGEST = 16 << 20  # of what an agent prints as much is kept: the end
LONGEST_LINE = 4096  # of what an agent says beside its output
GRACE_S = 5.0  # from asking an agent to end to ending it
REST_S = 1.0  # the same for what it leaves behind
TIMEOUT = "timeout"


@dataclass(frozen=True)
class End:
    worker: Worker
    code: int
    lasted: float
    result: Result
    killed_by: str = ""  # who ended it with `yourturn kill`


class RunningWorkers:
    """In the main thread only: the ends of children, like other signals, come through one descriptor."""

    def __init__(self, context: Context, hear: Hear | None = None) -> None:
        """`hear` is told each line that a worker writes to its standard error, which else goes where ours goes."""
        self._context, self._hear = context, hear
        self.workers: dict[int, Worker] = {}
        self._allowed: dict[str, Request] = {}  # by session: as the gate let it pass, until it has started
        self._poll = selectors.DefaultSelector()
        self._request_pipes = RequestPipes(self._poll)

    def __enter__(self) -> Self:
        self._wake, self._told = _pipe()
        self._before = signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        self._fd_before = signal.set_wakeup_fd(self._told, warn_on_full_buffer=False)
        self._poll.register(self._wake, selectors.EVENT_READ)
        return self

    def __exit__(self, *_: object) -> None:
        signal.set_wakeup_fd(self._fd_before)
        signal.signal(signal.SIGCHLD, self._before)
        self._poll.close()
        for fd in (self._wake, self._told):
            os.close(fd)

    def start(self, request: Request, streams: Streams | None = None, *, apart: bool = True) -> Worker:
        """With streams of its own, nothing is fed to it and nothing collected."""
        request = self._allowed.get(request.session) or start_agent.allowed(request, self._context)
        self._allowed[request.session] = request  # asked once, however long it has to wait for room
        if streams:
            agent = start_agent.start(request, self._context, streams, apart=apart)
            worker = Worker(request, agent, time.monotonic(), collects=False)
        else:
            worker = self._connected(request, apart=apart)
        if request.timeout_s:
            worker.due = worker.began + request.timeout_s
        self.workers[worker.agent.pid] = worker
        del self._allowed[request.session]
        return worker

    def _connected(self, request: Request, *, apart: bool) -> Worker:
        stream = clients.stream(request.client) if request.asks else None
        prompt = memoryview(stream.prompt(request.prompt or "") if stream else (request.prompt or "").encode())
        with pipes(has_prompt=request.prompt is not None, hears=self._hear is not None) as (streams, ours):
            agent = start_agent.start(request, self._context, streams, apart=apart)
            worker = Worker(request, agent, time.monotonic(), prompt, bytearray(), *ours)
        if stream:
            worker.host = Host(self._context.home, request.env, agent, stream)
        for fd, event in zip(ours, (selectors.EVENT_WRITE, *[selectors.EVENT_READ] * 2), strict=True):
            if fd >= 0:
                os.set_blocking(fd, False)
                self._poll.register(fd, event, worker)
        return worker

    def wait(self, seconds: float | None = None) -> list[End]:
        """Until one has ended, a signal came or the time is over; those that have ended."""
        now = time.monotonic()
        for worker in [worker for worker in self.workers.values() if worker.due <= now]:
            self._end(worker, now)
        for worker in self.workers.values():
            self._request_pipes.look(worker, now)
        due = min((min(each.due, self._request_pipes.due(each)) for each in self.workers.values()), default=math.inf)
        limit = min(due - now, math.inf if seconds is None else seconds)
        for key, _ in self._poll.select(None if limit == math.inf else max(limit, 0.0)):
            self._serve(key.fd, key.data)
        return [end for worker in list(self.workers.values()) if (end := self._collected(worker))]

    def _end(self, worker: Worker, now: float) -> None:
        """First it is asked to end, then it is ended. Until it is waited for, its pid is its own."""
        if worker.stopped:
            self._kill(worker)
            worker.due = math.inf
        else:
            self.stop(worker, TIMEOUT, now)

    def _kill(self, worker: Worker) -> None:
        """Stopped first: what it has started since it was asked to end is noted, and it starts nothing more."""
        os.kill(worker.agent.pid, signal.SIGSTOP)
        if worker.family:
            worker.family.look()
        os.kill(worker.agent.pid, signal.SIGKILL)

    def stop(self, worker: Worker, why: str, now: float | None = None, grace_s: float = GRACE_S) -> None:
        """End it and all that it has started. Its end is told by `wait`, as every end is."""
        if worker.stopped:
            return
        client = Probe().process(worker.agent.pid)
        worker.family = Family(client, Probe()) if client else None
        worker.stopped, worker.due = why, (time.monotonic() if now is None else now) + grace_s
        os.kill(worker.agent.pid, signal.SIGTERM)
        os.kill(worker.agent.pid, signal.SIGCONT)  # one that is stopped would not notice

    def stop_all(self, why: str, grace_s: float = GRACE_S) -> None:
        for worker in list(self.workers.values()):
            self.stop(worker, why, grace_s=grace_s)

    def hurry(self) -> None:
        """Those that were asked to end have no time left."""
        for worker in self.workers.values():
            if worker.stopped:
                worker.due = min(worker.due, 0.0)

    def watch(self, fd: int) -> None:
        """`wait` comes back, too, when this can be read. The caller reads it."""
        self._poll.register(fd, selectors.EVENT_READ)

    def unwatch(self, fd: int) -> None:
        self._poll.unregister(fd)

    def _serve(self, fd: int, worker: Worker | None) -> None:
        if worker is None:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake, CHUNK)
        elif fd == worker.stdin:
            self._feed(worker)
        elif fd == worker.stderr:
            self._listen(worker)
        elif fd == worker.stdout:
            self._collect(worker)
        else:
            self._request_pipes.answered(worker, fd)

    def _feed(self, worker: Worker) -> None:
        try:
            worker.prompt = worker.prompt[os.write(worker.stdin, worker.prompt[:CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:  # it reads no further
            worker.prompt = memoryview(b"")
            self._request_pipes.close_input(worker)
        if not worker.prompt and worker.stdin >= 0 and not self._request_pipes.rests(worker):
            worker.stdin = self._close(worker.stdin)

    def _collect(self, worker: Worker) -> bool:
        """Whether there may be more at once."""
        chunk = read(worker.stdout)
        if chunk == b"":
            worker.stdout = self._close(worker.stdout)
        if worker.host:
            self._request_pipes.heard(worker, chunk or b"", time.monotonic())
        else:
            worker.output += chunk or b""
            del worker.output[:-LARGEST]
        return bool(chunk)

    def _listen(self, worker: Worker) -> bool:
        """Whether there may be more at once. A line that is too long loses its end."""
        chunk = read(worker.stderr)
        if chunk == b"":
            worker.stderr = self._close(worker.stderr)
        *lines, begun = (worker.begun_line + (chunk or b"")).split(b"\n")
        worker.begun_line = begun[:LONGEST_LINE]
        self._pass_on(worker, lines)
        return bool(chunk)

    def _pass_on(self, worker: Worker, lines: Iterable[bytes]) -> None:
        for line in lines:
            if self._hear and line.strip():
                self._hear(worker.request, line[:LONGEST_LINE].decode("utf-8", "replace"))

    def _close(self, fd: int) -> int:
        self._poll.unregister(fd)
        os.close(fd)
        return -1

    def _collected(self, worker: Worker) -> End | None:
        """It has ended. What it has started may still have its output open, so nobody waits for the end of that."""
        pid, status = os.waitpid(worker.agent.pid, os.WNOHANG)
        if not pid:
            return None
        self._request_pipes.close_input(worker)
        while worker.stdout >= 0 and self._collect(worker):
            pass
        while worker.stderr >= 0 and self._listen(worker):
            pass
        self._pass_on(worker, [worker.begun_line])
        for fd in (worker.stdin, worker.stdout, worker.stderr):
            if fd >= 0:
                self._close(fd)
        del self.workers[pid]
        if worker.family:  # a client's commands have sessions of their own and may outlive it
            end_family(worker.family, Plan(grace_s=REST_S))
        code = os.waitstatus_to_exitcode(status)
        lasted, how = time.monotonic() - worker.began, _result(worker, code)
        killed_by = start_agent.ended(worker.agent, how, code, self._context)
        return End(worker, code, lasted, how, killed_by)


def _result(worker: Worker, code: int) -> Result:
    client = clients.named(worker.request.client) if worker.collects else None
    told = (client.result if client else result.plain)(code, bytes(worker.output))
    return told._replace(ok=False, reason=worker.stopped) if worker.stopped else told


def _pipe() -> tuple[int, int]:
    read, write = os.pipe()
    for fd in (read, write):
        os.set_blocking(fd, False)
    return read, write
