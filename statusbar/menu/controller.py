"""Shared by the tray icon and the menu bar icon: follows the statuses, sends each new menu, runs what was chosen."""

from __future__ import annotations

import contextlib
import math
import os
import threading
import traceback
from typing import TYPE_CHECKING, Self

from answers import open_requests
from contract import bar_files
from statusbar.demo import flag
from statusbar.menu import actions, answer_actions, settings_actions
from statusbar.menu.build import menu
from statusbar.menu.model import Choice, Menu, MenuAction
from statusbar.menu.next_blocked import NextBlocked
from statusbar.menu.settings_items import Switches
from statusbar.model import agents
from statusbar.model.board import board
from statusbar.model.glimpses import Glimpses
from statusbar.model.live import Live
from statusbar.model.rows import Action
from statusbar.notifications.rules import is_muted
from statusbar.settings import settings
from statusbar.system.cached_file import CachedFile
from statusbar.system.mailbox import Mailbox

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

    from answers.request import Request
    from contract.status import SessionStatus
    from statusbar.notifications.notify import Notifier

MESSAGE_S = 60.0  # how long a message stays in the menu


class Controller:
    """Its thread calls `show` with each menu that differs from the last; the front end draws it.

    If it must give up, it prints why on the standard error and calls `failed`.
    """

    def __init__(
        self,
        home: str,
        show: Callable[[Menu], None],
        failed: Callable[[], None] = lambda: None,
        notifier: Callable[[Callable[[str], None]], Notifier] | None = None,
        do: Callable[[Action, SessionStatus, str], str] = actions.do,
    ) -> None:
        self.home = home
        self._show = show
        self._failed = failed
        self._notifier = notifier(self.say) if notifier else None
        self._do = do
        env = os.environ
        self._settings = CachedFile(settings.path(env), lambda: settings.load(env))
        self._login = CachedFile(bar_files.login(env), lambda: bar_files.opens_at_login(bar_files.login(env)))
        self._latest: threading.Thread | None = None  # the last thread that changes a setting
        self._going: threading.Thread | None = None  # to the next blocked session
        self._unfolded = False
        self._next_blocked = NextBlocked()
        self._message = ("", 0.0)  # and until when it is shown; only the thread below uses it
        self._mailbox: Mailbox[str] = Mailbox()
        self._drawn: dict[str, Request] = {}  # the requests as the menu shows them
        self._ready: list[int] = []
        self._over = False
        self._live = Live(home, transcripts=Glimpses(env))
        self._thread = threading.Thread(target=self._run, name="controller", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over = True
        self._mailbox.wake()
        self._thread.join()
        self._mailbox.close()

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def choose(self, choice: Choice) -> None:
        """Returns at once: a slow terminal must not stop the icon."""
        if choice.action in (Action.UNFOLD, MenuAction.FOLD):
            self._unfolded = choice.action is Action.UNFOLD
            self._mailbox.wake()
        elif isinstance(choice.action, Action) or choice.action in answer_actions.DEEDS:
            self._start(choice, None)
        elif choice.action is MenuAction.NEXT:
            # One way at a time: whoever clicks again while a slow terminal comes up does not want to be led on.
            self._going = self._going if self._going and self._going.is_alive() else self._start(choice, None)
        elif choice.action is not MenuAction.QUIT:
            # One after the other, so that the last choice wins.
            self._latest = self._start(choice, self._latest)

    def _start(self, choice: Choice, after: threading.Thread | None) -> threading.Thread:
        thread = threading.Thread(target=self._perform, args=(choice, after), name="action", daemon=True)
        thread.start()
        return thread

    def _perform(self, choice: Choice, after: threading.Thread | None) -> None:
        if after:
            after.join()
        try:
            message = self._done(choice)
        except Exception as error:
            traceback.print_exc()
            message = f"Internal error: {type(error).__name__}"
        self.say(message)

    def _done(self, choice: Choice) -> str:
        if choice.action is MenuAction.NEXT:
            return self._next()
        if choice.action in answer_actions.DEEDS:
            return answer_actions.do(choice, self._drawn, self.home)
        session = self._live.statuses.find(choice.session_id)
        if isinstance(choice.action, MenuAction):
            return settings_actions.do(choice, session, os.environ)
        return self._do(choice.action, session, choice.agent) if session else "This session has ended."

    def _next(self) -> str:
        """Those that cannot be reached are skipped; if nobody can, it says why not of the last."""
        message, now = "", self._live.now
        for session in self._next_blocked.in_order(agents.blocked(self._live.statuses.up_to_date(now).sessions), now):
            message = self._do(Action.GO, session, "")
            if not message:
                self._next_blocked = NextBlocked(session.session_id, now)
                return ""
        return message

    def say(self, message: str) -> None:
        """Show the message in the menu for a while."""
        self._mailbox.put(message)

    def _run(self) -> None:
        try:
            with self._live as live, self._notifier or contextlib.nullcontext():
                self._follow(live)
        except Exception:
            traceback.print_exc()
            self._failed()

    def _follow(self, live: Live) -> None:
        shown, woken, last_chosen = None, True, None
        while not self._over:
            chosen = (self._settings.now(), self._login.now())
            asked = open_requests.requests(self.home)
            if live.look() or woken or self._message[0] or chosen != last_chosen or self._is_news(asked):
                wanted = self._menu(live, asked)
                last_chosen = chosen
                if wanted != shown:
                    self._show(wanted)
                shown = wanted
            clicks, rest = self._notified(live)
            ready = live.wait([self._mailbox.fileno(), *clicks], rest)
            woken = self._mailbox.fileno() in ready
            if woken:
                self._mailbox.woken()
            self._ready = ready

    def _notified(self, live: Live) -> tuple[list[int], float]:
        """The descriptors on which clicks arrive, and for how long there is nothing to notify of.

        If notifications fail, the icon goes on without them.
        """
        if self._notifier is None:
            return [], math.inf
        try:
            self._notifier.read(self._ready)
            self._notifier.look(live.statuses, live.now)
            return self._notifier.descriptors(), self._notifier.rest(live.now)
        except Exception as error:
            traceback.print_exc()
            self._notifier = None
            self.say(f"Notifications have stopped: {type(error).__name__}")
            return [], math.inf

    def _is_news(self, asked: Sequence[Request]) -> bool:
        return {one.id: one.digest() for one in asked} != {id_: one.digest() for id_, one in self._drawn.items()}

    def _menu(self, live: Live, asked: Sequence[Request]) -> Menu:
        whole = board(live.statuses, live.now, live.glimpses, unfold=self._unfolded)
        live.drawn(whole.changes_at)
        if live.now >= self._message[1]:
            self._message = ("", 0.0)
        message = self._mailbox.newest()
        if message is not None:
            self._message = (message, live.now + MESSAGE_S)
        self._drawn = {request.id: request for request in asked}
        return menu(whole, self._switches(live), asked, message=self._message[0], unfolded=self._unfolded)

    def _switches(self, live: Live) -> Switches:
        chosen = self._settings.now()
        sessions = [session for session in live.statuses.sessions if session.cwd.startswith("/") and not session.host]
        muted = {session.session_id: is_muted(session.cwd, chosen.mute) for session in sessions}
        # The demo is not to be opened at login.
        is_demo = flag.is_set(os.environ)
        return Switches(chosen, muted, None if is_demo else self._login.now(), is_demo)
