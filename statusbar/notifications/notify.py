"""`yourturn notify`, and the same for every front end that keeps running: notifies the person of agents.

Several front ends may run at once; only the one that holds the lock notifies, so that nothing is shown twice.
"""

from __future__ import annotations

import os
import select
import sys
import threading
import time
from typing import TYPE_CHECKING, Self

from answers import give, open_requests, word
from answers.word import Word
from contract import bar_files, paths, store, typed
from contract.status import NEEDS_APPROVAL
from statusbar.cli import output
from statusbar.notifications import buttons, desktop
from statusbar.notifications.answered import Answered
from statusbar.notifications.desktop import Way
from statusbar.notifications.message import worded
from statusbar.notifications.phone import Failed, Message, Phone, post
from statusbar.notifications.rules import Memory, Notice, Outbox, due
from statusbar.notifications.screen import Happened, Shown, What
from statusbar.settings import settings
from statusbar.system.cached_file import CachedFile
from statusbar.terminals import go as focus

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Mapping
    from types import TracebackType

    from answers.request import Request
    from contract.status import SessionStatus
    from statusbar.model.live import Live
    from statusbar.model.snapshot import Statuses
    from statusbar.notifications.screen import Sound
    from statusbar.settings.settings import Settings

ENDING_S = 1.0  # for the desktop to remove notifications when this process ends
TEST_S, POLL_S = 5.0, 0.1  # for the desktop to show a test
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
            f"Notifying with {_means(notifier.way)}{_phone()}. Settings: {typed.command('config')}",
            file=sys.stderr,
            flush=True,
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
        self._screen = desktop.screen(self.way, env)
        self._home = home
        self._settings = CachedFile(settings.path(env), lambda: settings.load(env))
        self._tell = tell or ring
        self._phone = Phone(self._tell)
        self._go = go
        self._ending_s = ending_s
        self._memory, self._outbox = Memory(), Outbox()
        self._answered = Answered(home)
        self._lock: int | None = None
        self._shown: list[Shown] = []
        self._statuses: Statuses | None = None
        self._opened = store.signature_of(paths.open_dir(home))  # the folder of requests, when it was last looked at

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Requests are removed from the screen: after this, nothing would remove them when they are answered."""
        for shown in self._shown:
            if shown.notice.state == NEEDS_APPROVAL:
                self._screen.withdraw(shown)
        self._screen.close(self._ending_s)
        self._phone.close(self._ending_s)
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
            self._refresh()
        self._offer()
        self._outbox, due_now = self._outbox.post(news, self._memory, now)
        due_now = [*due_now, *self._answered.news(statuses)]
        # If notifications were turned off meanwhile, delayed ones are not shown later either.
        if due_now and chosen.enabled and self._has_lock():
            for notice in due_now:
                self._show(notice, sound=chosen.sound)
            self._phone.send(due_now, chosen)

    def descriptors(self) -> list[int]:
        """Wait for these too: clicks arrive there."""
        return self._screen.descriptors()

    def rest(self, now: float) -> float:
        """For how long there is nothing to show unless something new happens."""
        return self._outbox.rest(now)

    def read(self, ready: Iterable[int]) -> None:
        for happened in self._screen.read(ready):
            if happened.shown in self._shown:
                self._react(happened)

    def _react(self, happened: Happened) -> None:
        shown = happened.shown
        if happened.what is What.CLICKED:
            deed = buttons.deed_of(happened.words)
            if shown.request and happened.words == buttons.button(deed, shown.request):
                given = (shown.request, deed)
                threading.Thread(target=self._answer, args=given, name="answer", daemon=True).start()
            elif deed in buttons.OFFERED:
                self._tell(give.GONE)
            else:
                self._go_to(shown.notice.session_id)
            self._screen.withdraw(shown)
        elif happened.what is What.FAILED:
            self._tell(worded(shown.notice))
        if happened.what is not What.IS_SHOWN:
            self._shown.remove(shown)

    def _show(self, notice: Notice, *, sound: Sound) -> None:
        shown = Shown(notice, self._request(notice))
        if self._screen.show(shown, sound=sound):
            self._shown.append(shown)
        else:
            self._tell(worded(notice))

    def _refresh(self) -> None:
        """What was answered elsewhere is withdrawn; what is known better by now is told better."""
        for shown in [*self._shown]:
            latest = self._memory.latest(shown.notice)
            if latest is None:
                self._shown.remove(shown)
                self._screen.withdraw(shown)
            elif latest.words != shown.notice.words:
                shown.notice, shown.request = latest, self._request(latest)
                self._screen.replace(shown)

    def _offer(self) -> None:
        """The hook that waits may begin a moment after its agent was told of: then the buttons come later."""
        before, self._opened = self._opened, store.signature_of(paths.open_dir(self._home))
        for shown in self._shown if self._opened != before else ():
            request = self._request(shown.notice)
            if request and (shown.request is None or request.id != shown.request.id):
                shown.request = request
                self._screen.replace(shown)

    def _request(self, notice: Notice) -> Request | None:
        if notice.state != NEEDS_APPROVAL:
            return None
        known = {session.session_id for session in self._statuses.sessions} if self._statuses else ()
        return buttons.of_notice(notice, open_requests.requests(self._home), known)

    def _answer(self, request: Request, deed: str) -> None:
        """In a thread: the client may take its time. `request` is what was on the screen."""
        message = word.NO if deed == word.DENY else ""
        outcome = give.give(self._home, request, Word(deed=deed, message=message, by="notification"))
        if not outcome.ok:
            self._tell(outcome.words)

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
            self._lock = store.take(bar_files.notify_lock(self._home))
        return self._lock is not None


def ring(words: str) -> None:
    """Without a desktop: ring the terminal bell, and print the words."""
    print(f"\a{words}" if output.is_terminal(sys.stderr) else words, file=sys.stderr, flush=True)


def _means(how: Way) -> str:
    return how.value if how is not Way.BELL or output.is_terminal(sys.stderr) else "lines like this one"


def _phone() -> str:
    return " and ntfy" if settings.load(os.environ).ntfy_topic else ""


def _test() -> int:
    """Here, and to the phone if there is one. Reports only whether it was sent: only the person knows what they see."""
    chosen = settings.load(os.environ)
    code = _test_here(chosen)
    if not chosen.ntfy_topic:
        return code
    try:
        post(Message(TEST.title, TEST.body, is_request=True), chosen)
    except Failed as error:
        print(f"yourturn: ntfy: {error}.", file=sys.stderr)
        return 1
    print(f"Sent to your phone through {chosen.ntfy_server}.")
    return 0


def _test_here(chosen: Settings) -> int:
    how = desktop.way(os.environ)
    if how is Way.BELL and not output.is_terminal(sys.stderr):
        print(NOWHERE, file=sys.stderr)
        return 1
    remark = ""
    if how is Way.BELL:
        ring(worded(TEST))
    else:
        sent = _sent(how, sound=chosen.sound)
        if sent is None or sent.what is What.FAILED:
            why = sent.words if sent else "no answer"
            print(f"yourturn: {how.value}: {why or 'no program on this desktop shows them'}.", file=sys.stderr)
            return 1
        remark = f" Note: {sent.words}." if sent.words else ""
    on = typed.command("config notify.enabled on")
    off = "" if chosen.enabled else f" Notifications are off; to turn them on: {on}"
    print(f"Sent with {how.value}.{remark}{off}")
    return 0


def _sent(how: Way, *, sound: Sound) -> Happened | None:
    """What became of the test; None if nobody said."""
    screen, shown = desktop.screen(how, os.environ), Shown(TEST)
    deadline = time.monotonic() + TEST_S
    happened = None if screen.show(shown, sound=sound) else Happened(What.FAILED, shown)
    while happened is None and time.monotonic() < deadline:
        ready, _, _ = select.select(screen.descriptors(), (), (), POLL_S)
        happened = next(iter(screen.read(ready)), None)
    screen.close(ENDING_S)
    return happened
