"""An agent in a window of tmux: the process that waits for it runs there, in front.

tmux starts the window's process, so nothing can be handed down to it. The request comes to it through one pipe with a
name and its report goes back through another; neither the prompt nor the environment is ever on disk or in arguments.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from agency import waiting_process
from agency.outcome import NotDone, could_not
from agency.request import Request
from agency.rights import Rights
from agency.running_workers import RunningWorkers
from agency.start_agent import Context
from agency.task import Task
from contract import launch
from processes import caller
from statusbar.settings import settings

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

PATIENCE_S = 20.0
PAUSE_S = 0.01  # nothing tells that a pipe has a reader


def start(request: Request, context: Context, _output: str = "") -> dict[str, Any]:
    """As `waiting_process.behind` does it. In the tmux that we are in, else in a session of its own."""
    if shutil.which("tmux", path=context.env.get("PATH")) is None:
        raise could_not("tmux is not installed: do without --tmux, or install it")
    with _pipes() as (folder, give, take):
        pane = _open_window(request, folder, context)
        fd = _opened_by_its_reader(give)
        os.write(fd, _encoded(request, context).encode())
        os.close(fd)
        with open(take, encoding="utf-8") as reports:
            return {**waiting_process.understood(reports.read()), "pane": pane}


def _open_window(request: Request, folder: str, context: Context) -> str:
    inner = [sys.executable, "-E", launch.FRONT_DOOR, "keep", folder]
    is_inside = bool(context.env.get("TMUX"))
    words = ["new-window", "-d"] if is_inside else ["new-session", "-d", "-s", f"yourturn-{request.session[:8]}"]
    name = "".join(c if c.isalnum() or c in "-_" else "-" for c in request.name)
    words += ["-P", "-F", "#{pane_id}", "-n", name, "-c", request.cwd, "--", *inner]
    done = subprocess.run(["tmux", *words], capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    if done.returncode != 0:
        raise could_not(f"tmux: {done.stderr.strip()}")
    return done.stdout.strip()


def _opened_by_its_reader(path: str) -> int:
    """A pipe with a name can be opened for writing, without waiting, once somebody reads it."""
    last = time.monotonic() + PATIENCE_S
    while time.monotonic() < last:
        with contextlib.suppress(OSError):
            fd = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            os.set_blocking(fd, True)
            return fd
        time.sleep(PAUSE_S)
    raise could_not("the window of tmux did not start its command in time")


@contextlib.contextmanager
def _pipes() -> Iterator[tuple[str, str, str]]:
    folder = tempfile.mkdtemp(prefix="yourturn-")
    give, take = os.path.join(folder, "request"), os.path.join(folder, "report")
    try:
        for path in (give, take):
            os.mkfifo(path, 0o600)
        yield folder, give, take
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _encoded(request: Request, context: Context) -> str:
    return json.dumps({"request": asdict(request), "who": context.who._asdict(), "home": context.home})


def run(args: argparse.Namespace) -> int:
    """`yourturn keep`, which only `spawn --tmux` uses: the waiting process, in the window."""
    with open(os.path.join(args.folder, "request"), encoding="utf-8") as given:
        told = json.loads(given.read())
    raw = told["request"]
    rights = Rights(None if raw["rights"][0] is None else tuple(raw["rights"][0]), tuple(raw["rights"][1]))
    own = {"program": tuple(raw["program"]), "arguments": tuple(raw["arguments"]), "rights": rights}
    request = Request(**{**raw, **own, "task": Task(*raw["task"]) if raw["task"] else None})
    request.env.update({name: os.environ[name] for name in ("TMUX", "TMUX_PANE", "TERM") if name in os.environ})
    context = Context(told["home"], request.env, settings.load(request.env), caller.Caller(**told["who"]))
    tell = os.open(os.path.join(args.folder, "report"), os.O_WRONLY | os.O_CLOEXEC)
    with RunningWorkers(context) as running, waiting_process.asked_to_end() as asked:
        try:
            worker = running.start(request, waiting_process.own_streams(request), apart=False)
        except (NotDone, OSError) as error:
            outcome = error.outcome if isinstance(error, NotDone) else could_not(str(error)).outcome
            waiting_process.report(tell, outcome._asdict())
            return outcome.code
        waiting_process.report(tell, waiting_process.started(worker))
        end = waiting_process.until_its_end(running, worker, asked)
    sys.stdout.buffer.write(bytes(worker.output))
    return 0 if end.result.ok else 1
