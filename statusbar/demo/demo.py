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

from contract import launch, typed
from statusbar import front
from statusbar.cli import output, status
from statusbar.cli.pieces import Piece
from statusbar.demo import flag, scenario
from statusbar.demo.fake_watcher import BEAT_S, FakeWatcher
from statusbar.demo.first_agent import FirstAgent
from statusbar.model import board, reader
from statusbar.model.glimpses import Glimpses
from statusbar.settings import settings
from statusbar.system import bus, ending, watcher_start
from statusbar.text.width import wrap
from statusbar.top import terminal

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from statusbar.cli.output import Printer

WITH_ICON = """\
Demo: made-up agents are shown {}, in a loop. Your own agents are not affected.
To quit: Ctrl-C here, or "Quit yourturn" in the menu. To see your own agents: {}"""
PRINTED = "Demo: not your agents. Runs once; your own agents are not affected. Press Ctrl-C to quit."
NEXT = """\
That was the demo. Your own agents are shown as soon as they run:
  {up}"""
FIRST = """\
That was the demo. To see your own agents, let Claude Code tell yourturn of them, then show them:
  {install}
  {up}"""
PATIENCE_S = 5.0


def run(args: argparse.Namespace) -> int:
    return play(args) or 0


def play(args: argparse.Namespace, home: str = "") -> int | None:
    """The exit code; None if it has ended because an agent of the person's own appeared in this state folder."""
    wanted = args.front or settings.load(os.environ).front
    chosen = front.choose(wanted, front.possible(os.environ, is_terminal=not terminal.refusal()))
    trouble = _trouble(chosen, is_asked_for=bool(args.front))
    if trouble:
        print(f"yourturn: {trouble}", file=sys.stderr)
        return 1
    code: int | None = 0
    try:
        with _ended_by_a_hangup(), FakeWatcher() as watcher, FirstAgent(home) as agent:
            demo = Demo(watcher, args.speed, time.time())
            code = _show(demo, chosen, agent, once=args.once)
    finally:  # also after Ctrl-C
        if code == 0:
            _say_what_next()
    return code


def _trouble(chosen: str, *, is_asked_for: bool) -> str:
    """Why the demo cannot be shown there, and where it can."""
    why_not = terminal.refusal()
    if chosen == "terminal" and why_not:
        return f"{why_not}. To print the demo as text: {typed.command('demo | cat')}" if is_asked_for else ""
    if chosen and not front.has_module(chosen):
        return f"no {chosen} on this machine. Try: {typed.command('demo --front terminal')}"
    return ""


def _show(demo: Demo, chosen: str, agent: FirstAgent, *, once: bool) -> int | None:
    if chosen and not (chosen == "terminal" and terminal.refusal()):
        return _run_front_end(demo, chosen, agent, once=once)
    return _print(demo, output.printer(sys.stdout, os.environ), agent)


def _say_what_next() -> None:
    if not output.is_terminal(sys.stderr):
        return
    words = NEXT if watcher_start.has_hooks(os.environ) else FIRST
    with contextlib.suppress(OSError):  # the terminal was closed
        print(words.format(install=typed.command("install"), up=typed.command("up")), file=sys.stderr, flush=True)


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
        self.watcher.write(sessions, self.began + t / self.speed, scenario.told(t))
        return (scenario.next_change(t) - t) / self.speed


def _run_front_end(demo: Demo, chosen: str, agent: FirstAgent, *, once: bool) -> int | None:
    """Runs as long as the front end, or until there is somebody to show."""
    # Without a panel for icons, the tray itself says what is missing.
    if chosen in front.PLACES and (chosen != "tray" or bus.has_panel(os.environ)):
        print(WITH_ICON.format(front.PLACES[chosen], typed.command("up")), file=sys.stderr, flush=True)
    demo.show(0.0)
    argv = [sys.executable, launch.FRONT_DOOR, front.COMMANDS[chosen]]
    with _child(argv, demo.watcher.home) as (front_end, ended):
        while not (once and demo.second(time.time()) >= scenario.LENGTH):
            stays = demo.show(demo.second(time.time()))
            code = front_end.poll()
            if code is not None:
                return code
            if agent.is_there():
                return None
            agent.wait(min(stays, BEAT_S), [ended])
    return 0


def _print(demo: Demo, out: Printer, agent: FirstAgent) -> int | None:
    """Each step once, as a table. Not in a loop: a script that reads the output would never end."""
    t, transcripts = 0.0, Glimpses({"YOURTURN_HOME": demo.watcher.home})
    out.draw([*((Piece(words),) for words in wrap(PRINTED, out.size()[0])), ()])
    while t < scenario.LENGTH:
        stays = demo.show(t)
        statuses, now = reader.read(demo.watcher.home), demo.began + t / demo.speed
        whole = board.board(statuses, now, transcripts.of(statuses.sessions), fine=True)
        out.draw([*status.page(whole, out.size()[0]), ()])
        deadline = time.monotonic() + stays
        while (rest := deadline - time.monotonic()) > 0:
            if agent.is_there():
                return None
            agent.wait(rest, [])
        t = scenario.next_change(t)
    return 0


@contextlib.contextmanager
def _child(argv: list[str], home: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """It ends before this process, so that it neither reads a removed folder nor keeps the terminal.

    The descriptor with it can be read once it has ended.
    """
    env = {**os.environ, "YOURTURN_HOME": home, flag.NAME: "demo"}
    with contextlib.ExitStack() as stack:
        ended, open_until_then = os.pipe()
        stack.callback(os.close, ended)
        with ending.held_back():  # else nobody would know a child that has just been started
            child = subprocess.Popen(argv, env=env, pass_fds=[open_until_then])
            stack.callback(_end, child)
        os.close(open_until_then)
        yield child, ended


def _end(child: subprocess.Popen[bytes]) -> None:
    with ending.held_back():
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
