"""`yourturn demo`: a story played for those who have no agent yet.

The one front end that plays the watcher: it writes status files, into a state folder of its own that is gone when the
play is over. What shows them is the same as for real agents, and cannot tell the difference.
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
from statusbar.demo import story
from statusbar.demo.fake_watcher import BEAT_S, Stage
from statusbar.demo.marker import NAME as PLAY
from statusbar.model import board, reader
from statusbar.settings import settings
from statusbar.system import bus
from statusbar.text.width import wrap
from statusbar.top import app

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from statusbar.cli.output import Paper

WORDS = """\
A story is played {}, in a loop; no agent of yours is touched.
It ends with Ctrl-C here, or with "Quit yourturn" in its menu. To see your own agents then: yourturn up"""
ON_PAPER = "A story is played, once: these are not your agents, and no agent of yours is touched. Ctrl-C ends it."
PATIENCE_S = 5.0


def run(args: argparse.Namespace) -> int:
    why_not = app.refusal()
    if args.front == "terminal" and why_not:
        print(f"yourturn: {why_not}. As text: yourturn demo | cat", file=sys.stderr)
        return 1
    wanted = args.front or settings.load(os.environ).front
    chosen = front.choose(wanted, front.possible(os.environ, is_terminal=not why_not))
    with _ended_by_a_hangup(), Stage() as stage:
        play = Play(stage, args.speed, time.time())
        if chosen and not (chosen == "terminal" and why_not):
            return _before(play, chosen, once=args.once)
        return _on_paper(play, output.paper(sys.stdout, os.environ))


class Play:
    def __init__(self, stage: Stage, speed: float, began: float) -> None:
        self.stage = stage
        self.speed = speed
        self.began = began

    def second(self, now: float) -> float:
        """Of the story."""
        return max(now - self.began, 0.0) * self.speed

    def show(self, t: float) -> float:
        """Lay down the scene of this second of the story; how long it stays as it is."""
        self.stage.show(story.scene(t, self.began, self.speed), self.began + t / self.speed)
        return (story.next_change(t) - t) / self.speed


def _before(play: Play, chosen: str, *, once: bool) -> int:
    """Play as long as the front end runs."""
    if not front.has_module(chosen):
        print(f"yourturn: there is no {chosen} on this machine. Try: yourturn demo --front terminal", file=sys.stderr)
        return 1
    # If nobody shows icons here, the tray itself says what is missing.
    if chosen in front.PLACES and (chosen != "tray" or bus.has_panel(os.environ)):
        print(WORDS.format(front.PLACES[chosen]), file=sys.stderr, flush=True)
    play.show(0.0)
    with _child([sys.executable, launch.FRONT_DOOR, front.WORDS[chosen]], play.stage.home) as other:
        while not (once and play.second(time.time()) >= story.LENGTH):
            stays = play.show(play.second(time.time()))
            with contextlib.suppress(subprocess.TimeoutExpired):
                return other.wait(min(stays, BEAT_S))
    return 0


def _on_paper(play: Play, out: Paper) -> int:
    """Each scene once, as a table: nobody could leave an endless story here."""
    t = 0.0
    out.draw([*((Piece(words),) for words in wrap(ON_PAPER, out.size()[0])), ()])
    while t < story.LENGTH:
        stays = play.show(t)
        whole = board.board(reader.read(play.stage.home), play.began + t / play.speed)
        out.draw([*status.page(whole, out.size()[0]), ()])
        time.sleep(stays)
        t = story.next_change(t)
    return 0


@contextlib.contextmanager
def _child(argv: list[str], home: str) -> Iterator[subprocess.Popen[bytes]]:
    """It ends before we do, so that it cannot read a folder that is gone, nor keep the terminal."""
    env = {**os.environ, "YOURTURN_HOME": home, PLAY: "demo"}
    other = subprocess.Popen(argv, env=env)
    try:
        yield other
    finally:
        if other.poll() is None:
            other.terminate()
        try:
            other.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            other.kill()
            other.wait()


@contextlib.contextmanager
def _ended_by_a_hangup() -> Iterator[None]:
    """A closed terminal must not leave the folder behind."""
    before = signal.signal(signal.SIGHUP, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)
