"""`yourturn demo`: made-up sessions, for people who have no agent running yet.

The demo writes status files, as the watcher does, into a temporary state folder that is removed at the end. The front
end that shows them is the same as for real agents.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from contract import launch
from statusbar import front
from statusbar.cli import output, status
from statusbar.cli.table import Piece
from statusbar.demo import flag, scenario
from statusbar.demo.fake_watcher import BEAT_S, FakeWatcher
from statusbar.model import board, reader
from statusbar.model.glimpses import Glimpses
from statusbar.settings import settings
from statusbar.system import bus
from statusbar.text.width import wrap
from statusbar.top import app

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from statusbar.cli.output import Printer

WITH_ICON = """\
Demo: made-up agents are shown {}, in a loop. Your own agents are not affected.
To quit: Ctrl-C here, or "Quit yourturn" in the menu. To see your own agents: yourturn up"""
PRINTED = "Demo: not your agents. Runs once; your own agents are not affected. Press Ctrl-C to quit."
PATIENCE_S = 5.0


def run(args: argparse.Namespace) -> int:
    why_not = app.refusal()
    if args.front == "terminal" and why_not:
        print(f"yourturn: {why_not}. To print the demo as text: yourturn demo | cat", file=sys.stderr)
        return 1
    wanted = args.front or settings.load(os.environ).front
    chosen = front.choose(wanted, front.possible(os.environ, is_terminal=not why_not))
    with _ended_by_a_hangup(), FakeWatcher() as watcher:
        demo = Demo(watcher, args.speed, time.time())
        if chosen and not (chosen == "terminal" and why_not):
            return _run_front_end(demo, chosen, once=args.once)
        return _print(demo, output.printer(sys.stdout, os.environ))


class Demo:
    def __init__(self, watcher: FakeWatcher, speed: float, began: float) -> None:
        self.watcher = watcher
        self.speed = speed
        self.began = began

    def second(self, now: float) -> float:
        """The second of the scenario."""
        return max(now - self.began, 0.0) * self.speed

    def show(self, t: float) -> float:
        """Write the sessions of this second of the scenario; return for how long they stay the same."""
        sessions = scenario.sessions(t, self.began, self.speed)
        told = {session.session_id: scenario.glimpse(session.session_id, t) for session in sessions}
        self.watcher.write(sessions, self.began + t / self.speed, told)
        return (scenario.next_change(t) - t) / self.speed


def _run_front_end(demo: Demo, chosen: str, *, once: bool) -> int:
    """Runs as long as the front end."""
    if not front.has_module(chosen):
        print(f"yourturn: no {chosen} on this machine. Try: yourturn demo --front terminal", file=sys.stderr)
        return 1
    # Without a panel for icons, the tray itself says what is missing.
    if chosen in front.PLACES and (chosen != "tray" or bus.has_panel(os.environ)):
        print(WITH_ICON.format(front.PLACES[chosen]), file=sys.stderr, flush=True)
    demo.show(0.0)
    with _child([sys.executable, launch.FRONT_DOOR, front.COMMANDS[chosen]], demo.watcher.home) as front_end:
        while not (once and demo.second(time.time()) >= scenario.LENGTH):
            stays = demo.show(demo.second(time.time()))
            with contextlib.suppress(subprocess.TimeoutExpired):
                return front_end.wait(min(stays, BEAT_S))
    return 0


def _print(demo: Demo, out: Printer) -> int:
    """Each step once, as a table. Not in a loop: a script that reads the output would never end."""
    t, transcripts = 0.0, Glimpses({"YOURTURN_HOME": demo.watcher.home})
    out.draw([*((Piece(words),) for words in wrap(PRINTED, out.size()[0])), ()])
    while t < scenario.LENGTH:
        stays = demo.show(t)
        statuses, now = reader.read(demo.watcher.home), demo.began + t / demo.speed
        whole = board.board(statuses, now, transcripts.of(statuses.sessions), fine=True)
        out.draw([*status.page(whole, out.size()[0]), ()])
        time.sleep(stays)
        t = scenario.next_change(t)
    return 0


@contextlib.contextmanager
def _child(argv: list[str], home: str) -> Iterator[subprocess.Popen[bytes]]:
    """It ends before this process, so that it neither reads a removed folder nor keeps the terminal."""
    env = {**os.environ, "YOURTURN_HOME": home, flag.NAME: "demo"}
    child = subprocess.Popen(argv, env=env)
    try:
        yield child
    finally:
        if child.poll() is None:
            child.terminate()
        try:
            child.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


@contextlib.contextmanager
def _ended_by_a_hangup() -> Iterator[None]:
    """When the terminal is closed, the temporary folder must be removed too."""
    before = signal.signal(signal.SIGHUP, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)
