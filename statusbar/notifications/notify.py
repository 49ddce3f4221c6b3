"""`yourturn notify`, and the same for every front end that stays: tells a person when an agent needs them.

Several front ends may run at once; the one that holds the lock speaks, so that nothing is said twice.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Self

from contract import bar, paths, store
from contract.status import NEEDS_APPROVAL
from statusbar.cli import output
from statusbar.notifications import desktop
from statusbar.notifications.desktop import Way
from statusbar.notifications.posted import Posted
from statusbar.notifications.rules import Memory, Notice, Outbox, due
from statusbar.settings import settings
from statusbar.system.cached_file import Kept
from statusbar.terminals import go as focus

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Mapping
    from types import TracebackType

    from contract.status import SessionStatus
    from statusbar.model.live import Live
    from statusbar.model.snapshot import Statuses

MOST = 12  # notifications that wait for a click
ENDING_S = 1.0  # for a program that has spoken, and for the desktop to take notifications away
NOWHERE = "yourturn: nothing was sent: no desktop that shows notifications can be reached, and no terminal can ring."
FAR = 1e9  # nothing is drawn here whose words would grow old
TEST = Notice("", NEEDS_APPROVAL, 0.0, "yourturn", "This is how it looks when an agent needs you.")


def run(args: argparse.Namespace) -> int:
    if args.test:
        return _test()
    from statusbar.model.live import Live  # noqa: PLC0415 - only those who watch pay for it

    with Live(paths.home()) as live, Notifier(paths.home(), os.environ) as notifier:
        _look(live, notifier)
        print(f"Notifying by {_means(notifier.way)}. To change that: yourturn config", file=sys.stderr, flush=True)
        while True:
            notifier.heard(live.wait(notifier.descriptors(), notifier.rest(live.now)))
            _look(live, notifier)


def _look(live: Live, notifier: Notifier) -> None:
    live.look()
    live.drawn(live.now + FAR)
    notifier.look(live.statuses, live.now)


class Notifier:
    def __init__(
        self,
        home: str,
        env: Mapping[str, str],
        *,
        tell: Callable[[str], None] | None = None,
        go: Callable[[SessionStatus], str] = focus.go,
        ending_s: float = ENDING_S,
    ) -> None:
        self.way = desktop.way(env)
        self._home = home
        self._settings = Kept(settings.path(env), lambda: settings.load(env))
        self._tell = tell or ring
        self._go = go
        self._ending_s = ending_s
        self._memory, self._outbox = Memory(), Outbox()
        self._lock: int | None = None
        self._waiting: list[Posted] = []  # for a click
        self._standing: list[Posted] = []  # requests that nobody has answered yet, as far as the screen says
        self._closing: list[subprocess.Popen[bytes]] = []
        self._statuses: Statuses | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Requests are taken off the screen: nobody would do that when they are answered."""
        deadline = time.monotonic() + self._ending_s
        for one in [*self._standing]:
            one.hurry(deadline - time.monotonic())
            self._take_away(one)
        while self._waiting:
            self._waiting.pop().close()
        for program in self._closing:
            with contextlib.suppress(subprocess.TimeoutExpired):
                program.wait(self._ending_s)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def look(self, statuses: Statuses, now: float) -> None:
        """Tell what is new. Costs nothing while everything is as it was."""
        news: list[Notice] = []
        chosen = self._settings.now()
        if statuses is not self._statuses:
            self._memory, news = due(self._memory, statuses.sessions, chosen, now, focus.is_seen)
            self._statuses = statuses
            for over in [one for one in self._standing if not self._memory.is_open(one.notice)]:
                self._take_away(over)
        self._closing = [one for one in self._closing if one.poll() is None]
        self._outbox, said = self._outbox.post(news, self._memory, now)
        # Switched off meanwhile: what was held back is not said later either.
        if said and chosen.enabled and self._may_speak():
            for one in said:
                self._say(one, sound=chosen.sound)

    def descriptors(self) -> list[int]:
        """To be waited for along with everything else: a click is heard there."""
        return [one.fileno() for one in self._waiting]

    def rest(self, now: float) -> float:
        """How long there is nothing to say unless something new comes."""
        return self._outbox.rest(now)

    def heard(self, ready: Iterable[int]) -> None:
        for one in [one for one in self._waiting if one.fileno() in ready]:
            one.listen()
            if one.is_over:
                self._waiting.remove(one)
                self._has_ended(one)
            if one.is_unwanted:
                self._take_away(one)

    def _has_ended(self, one: Posted) -> None:
        if one.is_clicked:
            self._visit(one.notice.session_id)
        elif one.has_failed:  # there is no one to show it
            self._tell(worded(one.notice))
        # One that can be clicked is on the screen as long as its program runs.
        is_gone = self.way is Way.CLICKABLE and one.notice.session_id
        if (one.is_clicked or one.has_failed or is_gone) and one in self._standing:
            self._standing.remove(one)

    def _say(self, notice: Notice, *, sound: bool) -> None:
        """Each waits for its click in a process of its own, so not for ever."""
        while len(self._waiting) >= MOST:
            self._waiting.pop(0).close()
        shown = desktop.show(self.way, notice, sound=sound)
        if shown is None:
            self._tell(worded(notice))
            return
        self._waiting.append(Posted(notice, shown, self._ending_s))
        self._standing += self._waiting[-1:] if notice.state == NEEDS_APPROVAL else []

    def _take_away(self, one: Posted) -> None:
        """As soon as the desktop has told its number; where it tells none, the person must."""
        one.is_unwanted = True
        if not one.id and not one.is_over:
            return
        if one in self._waiting:
            self._waiting.remove(one)
            one.close()
        if one in self._standing:
            self._standing.remove(one)
            closing = desktop.take_away(one.id) if one.id else None
            self._closing += [closing] if closing else []

    def _visit(self, session_id: str) -> None:
        """In a thread of its own: a terminal that takes its time must not stop the bar."""
        session = self._statuses.find(session_id) if self._statuses else None
        if session:
            threading.Thread(target=self._lead_to, args=(session,), name="visit", daemon=True).start()

    def _lead_to(self, session: SessionStatus) -> None:
        why = self._go(session)
        if why:
            self._tell(why)

    def _may_speak(self) -> bool:
        if self._lock is None:
            self._lock = store.take(bar.notify_lock(self._home))
        return self._lock is not None


def worded(notice: Notice) -> str:
    return f"{notice.title}: {notice.body}"


def ring(words: str) -> None:
    """Where there is no desktop: the bell of the terminal, and words for whoever looks there."""
    print(f"\a{words}" if output.is_terminal(sys.stderr) else words, file=sys.stderr, flush=True)


def _means(how: Way) -> str:
    return how.value if how is not Way.BELL or output.is_terminal(sys.stderr) else "lines like this one"


def _test() -> int:
    """Whether it can be seen is for a person to say; whether it could be sent is not."""
    how, chosen = desktop.way(os.environ), settings.load(os.environ)
    shown = desktop.show(how, TEST, sound=chosen.sound)
    if shown is None and not output.is_terminal(sys.stderr):
        print(NOWHERE, file=sys.stderr)
        return 1
    if shown is None:
        ring(worded(TEST))
    elif not _was_sent(shown):
        print(f"yourturn: {how.value}: nobody on this desktop shows them.", file=sys.stderr)
        return 1
    off = "" if chosen.enabled else " They are off; to turn them on: yourturn config notify.enabled on"
    print(f"Sent by {(how if shown else Way.BELL).value}.{off}")
    return 0


def _was_sent(shown: subprocess.Popen[bytes]) -> bool:
    try:
        shown.communicate(timeout=desktop.PATIENCE_S)
    except subprocess.TimeoutExpired:
        shown.kill()
        shown.communicate()
    return shown.returncode == 0
