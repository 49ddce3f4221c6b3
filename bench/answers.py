"""Answers from outside: what a hook that waits costs, and how soon a command runs after a click or after a key."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import psutil

from answers import give, open_requests, word
from answers.word import Word
from bench import cpu, figure, place, race
from bench.budget import Budget
from bench.figure import Figure, Missing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from answers.request import Request
    from bench.dose import Dose
    from bench.place import Place

ROUNDS, SECONDS = 24, 20.0
MOST_MB = 12.0
PATIENCE_S, STEP_S = 60.0, 0.005
SESSION = "9df7420c-3c33-4845-8b68-60c055e751a8"
HOOK = [sys.executable, "-S", "-E", f"{place.PROJECT}/answer_hook.py", "claude"]
CLICK, KEY = "from a click to the start of the command", "from Enter in its terminal to the start of the command"


def figures(dose: Dose) -> Iterator[Figure | Missing]:
    with place.folder() as path:
        yield from waits(place.Place(path), dose.seconds(SECONDS))
    yield from runs(dose.rounds(ROUNDS))


def waits(where: Place, seconds: float) -> Iterator[Figure]:
    """A hook that waits beside a client that says all the while that it asks."""
    with ExitStack() as stack:
        client = stack.enter_context(subprocess.Popen(["sleep", "3600"]))
        stack.callback(client.kill)
        _register(where, client.pid)
        hook = stack.enter_context(_asks(where, client.pid))
        stack.callback(hook.kill)
        _until(lambda: bool(open_requests.requests(where.state)), "a request")
        before = cpu.spent(hook.pid)
        time.sleep(seconds)
        share = 100 * (cpu.spent(hook.pid) - before) / seconds
        memory = psutil.Process(hook.pid).memory_info().rss / 1e6
    yield Figure("answers.cpu", "a hook that waits for an answer", share, "% of a core", grain=0.05)
    yield Figure("answers.memory", "a hook that waits", memory, "MB", budgets=(Budget(memory, MOST_MB, "MB"),))


def _register(where: Place, pid: int) -> None:
    os.makedirs(f"{where.config}/sessions")
    os.makedirs(where.state, mode=0o700)
    with open(f"{where.config}/sessions/{pid}.json", "w", encoding="utf-8") as file:
        json.dump({"pid": pid, "sessionId": SESSION, "status": "waiting", "statusUpdatedAt": 1}, file)


def _asks(where: Place, pid: int) -> subprocess.Popen[bytes]:
    asked = {"tool_name": "Bash", "tool_input": {"command": "make test"}, "cwd": "/home/me/proj"}
    payload = {"session_id": SESSION, "hook_event_name": "PermissionRequest", **asked}
    env = where.environment(CLAUDE_PID=str(pid), CLAUDE_CODE_ENTRYPOINT="cli")
    made = subprocess.Popen(HOOK, env=env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    assert made.stdin is not None
    made.stdin.write(json.dumps(payload).encode())
    made.stdin.close()
    return made


def runs(rounds: int) -> Iterator[Figure | Missing]:
    """The real client asks for one command after the other; each says when it started."""
    from bench.client import MissingError, find  # noqa: PLC0415 - the harness is not there for the other benchmarks

    try:
        program = find()
    except MissingError as why:
        yield Missing(CLICK, f"there is no client: {why}")
        return
    taken = _runs(program, rounds)
    yield figure.beside("answers.click", CLICK, taken[CLICK], KEY, taken[KEY])
    yield figure.of("beside.answers.key", KEY, taken[KEY])


def _runs(program: str, rounds: int) -> dict[str, list[float]]:
    from e2e.harness.api import Api  # noqa: PLC0415 - as above
    from e2e.harness.client import Client  # noqa: PLC0415 - as above
    from e2e.harness.home import Home  # noqa: PLC0415 - as above
    from e2e.harness.script import bash, script, text  # noqa: PLC0415 - as above

    entry = {"type": "command", "command": HOOK[0], "args": HOOK[1:], "timeout": 600}
    settings = {"hooks": {"PermissionRequest": [{"hooks": [entry]}]}}
    taken: dict[str, list[float]] = {CLICK: [], KEY: []}
    with (
        place.folder() as path,
        Api() as api,
        Client(program, api.url, Home.make(f"{path}/home", settings), env={"YOURTURN_HOME": f"{path}/state"}) as client,
    ):
        started = f"{path}/started"
        os.makedirs(f"{path}/state", mode=0o700)
        steps: list[Any] = [bash(f"date +%s.%N > {started}.{number}") for number in range(2 * rounds + 2)]
        client.say(script(*steps, text("done")))
        for number in range(2 * rounds + 2):
            client.wait_for_dialog(f"{started}.{number}")
            request = _request(f"{path}/state", f"{started}.{number}")
            client.let_it_listen()
            kind = CLICK if number % 2 else KEY
            began = time.time()
            if kind is CLICK:
                give.give(f"{path}/state", request, Word(deed=word.ALLOW, by="bench"))
            else:
                client.key("Enter")
            _until(lambda file=f"{started}.{number}": os.path.exists(file) and os.path.getsize(file) > 0, "a start")  # type: ignore[misc]
            with open(f"{started}.{number}", encoding="utf-8") as file:
                taken[kind].append((float(file.read()) - began) * race.MS)
    return {name: many[1:] for name, many in taken.items()}  # the first of each warms up


def _request(home: str, words: str) -> Request:
    """The one for this command: that before it may be there for another moment."""
    found: list[Request] = []

    def there() -> bool:
        found[:] = [one for one in open_requests.requests(home) if f"{words}" in one.input["command"].split()]
        return bool(found)

    _until(there, "the request")
    return found[0]


def _until(holds: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > end:
            raise SystemExit(f"bench: {what} never came")
        time.sleep(STEP_S)
