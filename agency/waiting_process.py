"""The process that waits for one agent: in the background, or in front with the terminal."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from agency.outcome import NotDone, Outcome, could_not
from agency.running_workers import RunningWorkers
from agency.two_step_start import Streams

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agency.request import Request
    from agency.running_workers import End
    from agency.start_agent import Context
    from agency.worker import Worker

ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
INTERRUPTED = "interrupted"


def in_front(request: Request, context: Context) -> End:
    """With our own streams, until it ends. What is fed a prompt prints at its end."""
    with RunningWorkers(context) as running, asked_to_end() as asked:
        worker = running.start(request, own_streams(request), apart=False)
        end = until_its_end(running, worker, asked)
    sys.stdout.buffer.write(bytes(worker.output))
    sys.stdout.flush()
    return end


def behind(request: Request, context: Context, output: str) -> dict[str, Any]:
    """Name, session and pid of the agent, as soon as it runs; NotDone if it does not."""
    told, tell = os.pipe()
    sys.stdout.flush()
    if os.fork() == 0:
        os.close(told)
        _keep(request, context, output, tell)
    os.close(tell)
    with os.fdopen(told) as reports:
        said = reports.read()
    return understood(said)


def own_streams(request: Request) -> Streams | None:
    """Ours; but what is fed a prompt is heard out and prints at its end."""
    return None if request.prompt is not None else Streams()


def understood(said: str) -> dict[str, Any]:
    """What the waiting process reports of the start."""
    try:
        report: dict[str, Any] = json.loads(said)
    except ValueError:
        raise could_not("the process that waits for the agent ended before it could start it") from None
    if "code" in report:
        raise NotDone(Outcome(report["word"], report["code"], report["reason"]))
    return report


def _keep(request: Request, context: Context, output: str, tell: int) -> NoReturn:
    """In the new process: never back into the code of the old one."""
    code = 1
    try:
        os.setsid()
        _leave_the_terminal(output)
        with RunningWorkers(context) as running, asked_to_end() as asked:
            worker = running.start(request, own_streams(request))
            report(tell, started(worker))
            end = until_its_end(running, worker, asked)
        os.write(1, bytes(worker.output))
        code = 0 if end.result.ok else 1
    except NotDone as error:
        report(tell, error.outcome._asdict())
    except OSError as error:
        report(tell, could_not(str(error)).outcome._asdict())
    finally:
        os._exit(code)


def _leave_the_terminal(output: str) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    printed = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600) if output else nothing
    for place, fd in enumerate((nothing, printed, printed)):
        os.dup2(fd, place)


def started(worker: Worker) -> dict[str, Any]:
    return {"name": worker.agent.name, "session": worker.agent.session, "pid": worker.agent.pid}


def report(tell: int, record: Mapping[str, Any]) -> None:
    os.write(tell, json.dumps(record).encode())
    os.close(tell)


@contextlib.contextmanager
def asked_to_end() -> Iterator[list[int]]:
    """The signals that asked us to end. Begun before the agent is: else one in between would leave it alone."""
    asked: list[int] = []
    before = {number: signal.signal(number, lambda number, _frame: asked.append(number)) for number in ENDING}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def until_its_end(running: RunningWorkers, worker: Worker, asked: Sequence[int]) -> End:
    """Who ends us ends it."""
    while True:
        for end in running.wait():
            if end.worker is worker:
                return end
        if asked:
            running.stop(worker, INTERRUPTED)
