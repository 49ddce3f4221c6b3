"""The hook that waits: it shows the request to whoever looks, and brings the answer back, or says nothing.

Whatever goes wrong here means: no decision. The dialog in the client's terminal is open all the while, and the first
answer counts.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found] # `signal` itself would bring `enum` along
import posix
import select
import time

from answers import clients, open_requests, record, word
from answers.answer_reader import AnswerReader
from answers.settings import chosen
from contract import paths, proc_stat, store, wire
from contract.facts import Stamp
from recorder.serve import read_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from answers.clients import Client
    from answers.request import Request
    from answers.word import Word

LONGEST_S = 86000.0  # a little less than the client's own limit for this hook
LOOK_S = 0.5  # how often the client is looked at while nobody answers
APPEARS_S, STEP_S = 10.0, 0.02  # how long the client may take to say that its dialog is open
LARGEST = 1 << 20  # bytes of an input that is held
SIGNALS = (1, 2, 15)  # SIGHUP, SIGINT, SIGTERM: the client rejected the request, or ends
BOOT = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class Withdrawn(BaseException):
    """A signal: nobody wants an answer any more."""


class Over(Exception):  # noqa: N818 - an expected outcome
    """Nobody will answer here, and why."""


def serve(client: str) -> None:
    """One run of the hook. What goes wrong is noted in the hooks' log, and means: no decision."""
    stamp = Stamp((round(time.time(), 6), round(time.clock_gettime(BOOT), 6)))
    try:
        env = paths.environ()
        home = paths.home(env)
    except (KeyError, OSError):
        return
    try:
        hold(home, env, read_all(), client, lambda said: posix.write(1, said))
    except Exception as error:
        if store.exists(home):  # else somebody has just uninstalled us: nothing is made anew
            from recorder.trouble import note  # noqa: PLC0415 - the usual path does without

            note(home, stamp, error)


def hold(home: str, env: Mapping[str, str], data: bytes, client: str, say: Callable[[bytes], object]) -> None:
    """`say` prints the answer for the client."""
    speaker = clients.named(client)
    request = speaker.asked(wire.decode(data), env) if speaker and len(data) <= LARGEST else None
    if speaker is None or request is None or not request.digest():
        return
    seconds = _patience(speaker, request, env)
    if not seconds:
        return
    request.id, request.at = open_requests.new_id(), round(time.time(), 3)
    request.pid, request.start = posix.getpid(), proc_stat.start(posix.getpid())
    request.deadline = time.clock_gettime(BOOT) + seconds
    for number in SIGNALS:
        _signal.signal(number, _withdraw)
    held = open_requests.Held(home, request)
    try:
        with held:
            _serve(home, held, speaker, say)
    except Withdrawn:
        held.close()  # the signal may have come while it was being closed
        record.note(home, request, time.time(), record.ELSEWHERE)


def _withdraw(_number: int, _frame: object) -> None:
    for number in SIGNALS:
        _signal.signal(number, _signal.SIG_IGN)
    raise Withdrawn


def _patience(speaker: Client, request: Request, env: Mapping[str, str]) -> float:
    """For how many seconds it is held; 0.0 for not at all.

    A hook that waits while the client shows no dialog would keep the person at the terminal from answering.
    """
    is_on, for_agents = chosen(env)
    if not is_on:
        return 0.0
    if request.agent != "main":
        return for_agents
    return LONGEST_S if _appears(speaker, request) else 0.0


def _appears(speaker: Client, request: Request) -> bool:
    end = time.monotonic() + APPEARS_S
    while not speaker.is_shown(request):
        if time.monotonic() > end:
            return False
        time.sleep(STEP_S)
    return True


def _serve(home: str, held: open_requests.Held, speaker: Client, say: Callable[[bytes], object]) -> None:
    request = held.request
    try:
        answer = _answer(home, held, speaker)
    except Over as over:
        record.note(home, request, time.time(), str(over))
        return
    if answer.deed == word.RELEASE:
        record.note(home, request, time.time(), record.RELEASED, answer)
        return
    # What cannot be written down is not done.
    record.note(home, request, time.time(), record.TAKEN, answer)
    say(speaker.decision(request, answer))


def _answer(home: str, held: open_requests.Held, speaker: Client) -> Word:
    """The first that fits; Over if the request is over before."""
    waiting, reader = select.poll(), AnswerReader(home, held)
    waiting.register(held.fd, select.POLLIN)
    while True:
        _check(home, held, speaker)
        if waiting.poll(LOOK_S * 1000) and (answer := reader.read()):
            _check(home, held, speaker)  # right before it counts
            return answer


def _check(home: str, held: open_requests.Held, speaker: Client) -> None:
    request = held.request
    if not _lives(request):
        raise Over(record.GONE)
    if not held.is_there():
        raise Over(record.RELEASED)
    if request.agent == "main" and (not speaker.is_open(request) or _is_followed(home, request)):
        raise Over(record.ELSEWHERE)
    if time.clock_gettime(BOOT) > request.deadline:
        raise Over(record.TIMED_OUT)


def _lives(request: Request) -> bool:
    """The client's process. Where no start is known, any process of that number counts."""
    if request.client_start:
        return proc_stat.start(request.client_pid) == request.client_start
    return proc_stat.exists(request.client_pid)


def _is_followed(home: str, request: Request) -> bool:
    """An agent asks one thing after the other: where it asks the next, this one was answered at the terminal."""
    return any(
        (one.session, one.agent, one.client_pid) == (request.session, request.agent, request.client_pid)
        and one.deadline > request.deadline
        for one in open_requests.requests(home)
    )
