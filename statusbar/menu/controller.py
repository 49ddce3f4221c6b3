"""What tray and menubar share: it follows the statuses, hands over each new menu, and does what was chosen."""

from __future__ import annotations

import contextlib
import math
import os
import threading
import traceback
from typing import TYPE_CHECKING, Self

from contract import bar
from statusbar.demo import marker
from statusbar.menu import actions, settings_actions
from statusbar.menu.build import menu
from statusbar.menu.model import Choice, Deed, Menu
from statusbar.menu.settings_items import Switches
from statusbar.model.board import board
from statusbar.model.live import Live
from statusbar.model.rows import Action
from statusbar.notifications.rules import is_muted
from statusbar.settings import settings
from statusbar.system.cached_file import Kept
from statusbar.system.mailbox import Answers

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from contract.status import SessionStatus
    from statusbar.notifications.notify import Notifier

SAID_S = 60.0  # how long an answer stays in the menu


class Follower:
    """Its thread calls `show` with each menu that differs from the one before; to draw it is the front end's task.

    It calls `failed` if it must give up, after it has said why on the standard error.
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
        self._settings = Kept(settings.path(env), lambda: settings.load(env))
        self._login = Kept(bar.login(env), lambda: bar.opens_at_login(bar.login(env)))
        self._latest: threading.Thread | None = None  # of those that change something of ours
        self._unfolded = False
        self._said = ("", 0.0)  # only its own thread touches this
        self._answers = Answers()
        self._ready: list[int] = []
        self._over = False
        self._live = Live(home)
        self._thread = threading.Thread(target=self._run, name="follower", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over = True
        self._answers.wake()
        self._thread.join()
        self._answers.close()

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def choose(self, choice: Choice) -> None:
        """Returns at once: a terminal that takes its time must not stop the bar."""
        if choice.deed in (Action.UNFOLD, Deed.FOLD):
            self._unfolded = choice.deed is Action.UNFOLD
            self._answers.wake()
        elif isinstance(choice.deed, Action):
            self._start(choice, None)
        elif choice.deed is not Deed.QUIT:
            # One after the other, so that the last word counts.
            self._latest = self._start(choice, self._latest)

    def _start(self, choice: Choice, after: threading.Thread | None) -> threading.Thread:
        made = threading.Thread(target=self._perform, args=(choice, after), name="deed", daemon=True)
        made.start()
        return made

    def _perform(self, choice: Choice, after: threading.Thread | None) -> None:
        if after:
            after.join()
        try:
            said = self._done(choice)
        except Exception as error:
            traceback.print_exc()
            said = f"That went wrong: {type(error).__name__}"
        self.say(said)

    def _done(self, choice: Choice) -> str:
        session = self._live.statuses.find(choice.session_id)
        if isinstance(choice.deed, Deed):
            return settings_actions.do(choice, session, os.environ)
        return self._do(choice.deed, session, choice.agent) if session else "This session has ended."

    def say(self, words: str) -> None:
        """Let it stand in the menu for a while."""
        self._answers.say(words)

    def _run(self) -> None:
        try:
            with self._live as live, self._notifier or contextlib.nullcontext():
                self._follow(live)
        except Exception:
            traceback.print_exc()
            self._failed()

    def _follow(self, live: Live) -> None:
        before, woken, stood = None, True, None
        while not self._over:
            stand = (self._settings.now(), self._login.now())
            if live.look() or woken or self._said[0] or stand != stood:
                found = self._menu(live)
                stood = stand
                if found != before:
                    self._show(found)
                before = found
            clicks, rest = self._notified(live)
            ready = live.wait([self._answers.fileno(), *clicks], rest)
            woken = self._answers.fileno() in ready
            if woken:
                self._answers.heard()
            self._ready = ready

    def _notified(self, live: Live) -> tuple[list[int], float]:
        """The descriptors on which an answer comes, and for how long there is nothing to say.

        A bar without notifications is better than none.
        """
        if self._notifier is None:
            return [], math.inf
        try:
            self._notifier.heard(self._ready)
            self._notifier.look(live.statuses, live.now)
            return self._notifier.descriptors(), self._notifier.rest(live.now)
        except Exception as error:
            traceback.print_exc()
            self._notifier = None
            self.say(f"Notifications have stopped: {type(error).__name__}")
            return [], math.inf

    def _menu(self, live: Live) -> Menu:
        whole = board(live.statuses, live.now, unfold=self._unfolded)
        live.drawn(whole.changes_at)
        if live.now >= self._said[1]:
            self._said = ("", 0.0)
        said = self._answers.newest()
        if said is not None:
            self._said = (said, live.now + SAID_S)
        return menu(whole, self._switches(live), said=self._said[0], unfolded=self._unfolded)

    def _switches(self, live: Live) -> Switches:
        chosen = self._settings.now()
        here = [one for one in live.statuses.sessions if one.cwd.startswith("/")]
        muted = {one.session_id: is_muted(one.cwd, chosen.mute) for one in here}
        # Nobody wants to see a play again at the next login.
        is_play = marker.is_on(os.environ)
        return Switches(chosen, muted, None if is_play else self._login.now(), is_play)
