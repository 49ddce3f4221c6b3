"""`yourturn notify`, and the same for every front end that keeps running: notifies the person of agents.

Several front ends may run at once; only the one that holds the lock notifies, so that nothing is shown twice.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Self

from contract import bar, paths, store, typed
from contract.status import NEEDS_APPROVAL
from statusbar.cli import output
from statusbar.notifications import desktop
from statusbar.notifications.desktop import Way
from statusbar.notifications.posted import Posted
from statusbar.notifications.rules import Memory, Notice, Outbox, due
from statusbar.settings import settings
from statusbar.system.cached_file import CachedFile
from statusbar.terminals import go as focus

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Mapping
    from types import TracebackType

    from contract.status import SessionStatus
    from statusbar.model.live import Live
    from statusbar.model.snapshot import Statuses

MOST = 12  # notifications that wait for a click
ENDING_S = 1.0  # for a program that has printed its result, and for the desktop to remove notifications
NOWHERE = "yourturn: nothing was sent: no desktop notifications here, and no terminal with a bell."
FAR = 1e9  # this command draws no ages that would change
TEST = Notice("", NEEDS_APPROVAL, 0.0, "yourturn", "This is how it looks when an agent needs you.")


def run(args: argparse.Namespace) -> int:
    if args.test:
        return _test()
    from statusbar.model.live import Live  # noqa: PLC0415 - slow to import, and only needed here

    with Live(paths.home()) as live, Notifier(paths.home(), os.environ) as notifier:
        _look(live, notifier)
        print(
            f"Notifying with {_means(notifier.way)}. Settings: {typed.command('config')}", file=sys.stderr, flush=True
        )
        while True:
            notifier.read(live.wait(notifier.descriptors(), notifier.rest(live.now)))
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
        self._settings = CachedFile(settings.path(env), lambda: settings.load(env))
        self._tell = tell or ring
        self._go = go
        self._ending_s = ending_s
        self._memory, self._outbox = Memory(), Outbox()
        self._lock: int | None = None
        self._waiting: list[Posted] = []  # for a click
        self._requests: list[Posted] = []  # on the screen, to be removed when they are answered
        self._closing: list[subprocess.Popen[bytes]] = []
        self._statuses: Statuses | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Requests are removed from the screen: after this, nothing would remove them when they are answered."""
        deadline = time.monotonic() + self._ending_s
        for posted in [*self._requests]:
            posted.read_id(deadline - time.monotonic())
            self._take_away(posted)
        while self._waiting:
            self._waiting.pop().close()
        for program in self._closing:
            with contextlib.suppress(subprocess.TimeoutExpired):
                program.wait(self._ending_s)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def look(self, statuses: Statuses, now: float) -> None:
        """Notify of what is new. Costs next to nothing while nothing changes."""
        news: list[Notice] = []
        chosen = self._settings.now()
        if statuses is not self._statuses:
            self._memory, news = due(self._memory, statuses.sessions, chosen, now, focus.is_seen)
            self._statuses = statuses
            for answered in [posted for posted in self._requests if not self._memory.is_open(posted.notice)]:
                self._take_away(answered)
        self._closing = [process for process in self._closing if process.poll() is None]
        self._outbox, due_now = self._outbox.post(news, self._memory, now)
        # If notifications were turned off meanwhile, delayed ones are not shown later either.
        if due_now and chosen.enabled and self._has_lock():
            for notice in due_now:
                self._show(notice, sound=chosen.sound)

    def descriptors(self) -> list[int]:
        """Wait for these too: clicks arrive there."""
        return [posted.fileno() for posted in self._waiting]

    def rest(self, now: float) -> float:
        """For how long there is nothing to show unless something new happens."""
        return self._outbox.rest(now)

    def read(self, ready: Iterable[int]) -> None:
        for posted in [posted for posted in self._waiting if posted.fileno() in ready]:
            posted.read()
            if posted.is_over:
                self._waiting.remove(posted)
                self._has_ended(posted)
            if posted.is_unwanted:
                self._take_away(posted)

    def _has_ended(self, posted: Posted) -> None:
        if posted.is_clicked:
            self._go_to(posted.notice.session_id)
        elif posted.has_failed:  # no program on this desktop shows notifications
            self._tell(worded(posted.notice))
        # A clickable notification is on the screen only as long as its program runs.
        is_gone = self.way is Way.CLICKABLE and posted.notice.session_id
        if (posted.is_clicked or posted.has_failed or is_gone) and posted in self._requests:
            self._requests.remove(posted)

    def _show(self, notice: Notice, *, sound: bool) -> None:
        """Each clickable notification needs a process that waits for the click, so their number is limited."""
        while len(self._waiting) >= MOST:
            self._waiting.pop(0).close()
        process = desktop.show(self.way, notice, sound=sound)
        if process is None:
            self._tell(worded(notice))
            return
        self._waiting.append(Posted(notice, process, self._ending_s))
        self._requests += self._waiting[-1:] if notice.state == NEEDS_APPROVAL else []

    def _take_away(self, posted: Posted) -> None:
        """Once the desktop has printed its id. If it prints none, only the person can remove the notification."""
        posted.is_unwanted = True
        if not posted.id and not posted.is_over:
            return
        if posted in self._waiting:
            self._waiting.remove(posted)
            posted.close()
        if posted in self._requests:
            self._requests.remove(posted)
            closing = desktop.take_away(posted.id) if posted.id else None
            self._closing += [closing] if closing else []

    def _go_to(self, session_id: str) -> None:
        """In a thread: a slow terminal must not stop the front end."""
        session = self._statuses.find(session_id) if self._statuses else None
        if session:
            threading.Thread(target=self._go_and_tell, args=(session,), name="go", daemon=True).start()

    def _go_and_tell(self, session: SessionStatus) -> None:
        error = self._go(session)
        if error:
            self._tell(error)

    def _has_lock(self) -> bool:
        if self._lock is None:
            self._lock = store.take(bar.notify_lock(self._home))
        return self._lock is not None


def worded(notice: Notice) -> str:
    return f"{notice.title}: {notice.body}" if notice.body else notice.title


def ring(words: str) -> None:
    """Without a desktop: ring the terminal bell, and print the words."""
    print(f"\a{words}" if output.is_terminal(sys.stderr) else words, file=sys.stderr, flush=True)


def _means(how: Way) -> str:
    return how.value if how is not Way.BELL or output.is_terminal(sys.stderr) else "lines like this one"


def _test() -> int:
    """Reports only whether it was sent: only the person knows whether it is visible."""
    how, chosen = desktop.way(os.environ), settings.load(os.environ)
    process = desktop.show(how, TEST, sound=chosen.sound)
    if process is None and not output.is_terminal(sys.stderr):
        print(NOWHERE, file=sys.stderr)
        return 1
    if process is None:
        ring(worded(TEST))
    elif not _was_sent(process):
        print(f"yourturn: {how.value}: no program on this desktop shows them.", file=sys.stderr)
        return 1
    on = typed.command("config notify.enabled on")
    off = "" if chosen.enabled else f" Notifications are off; to turn them on: {on}"
    print(f"Sent with {(how if process else Way.BELL).value}.{off}")
    return 0


def _was_sent(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.communicate(timeout=desktop.PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
    return process.returncode == 0
