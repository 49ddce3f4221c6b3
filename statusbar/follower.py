"""What tray and menubar share: it follows the statuses, hands over each new menu, and does what was chosen."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
import traceback
from typing import TYPE_CHECKING, Self

from statusbar import actions
from statusbar.board import board
from statusbar.live import Live
from statusbar.menu import Choice, Deed, Menu, menu
from statusbar.rows import Action

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from contract.status import SessionStatus
    from statusbar.notify import Notifier

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
        self._unfolded = False
        self._said = ("", 0.0)
        self._heard, self._nudge = socket.socketpair()
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
        self._wake()
        self._thread.join()
        self._heard.close()
        self._nudge.close()

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def choose(self, choice: Choice) -> None:
        """Returns at once: a terminal that takes its time must not stop the bar."""
        if choice.deed in (Action.UNFOLD, Deed.FOLD):
            self._unfolded = choice.deed is Action.UNFOLD
            self._wake()
        elif isinstance(choice.deed, Action):
            threading.Thread(target=self._perform, args=(choice.deed, choice), name="deed", daemon=True).start()

    def _perform(self, action: Action, choice: Choice) -> None:
        try:
            session = self._live.statuses.find(choice.session_id)
            said = self._do(action, session, choice.agent) if session else "This session has ended."
        except Exception as error:
            traceback.print_exc()
            said = f"That went wrong: {type(error).__name__}"
        self.say(said)

    def say(self, words: str) -> None:
        """Let it stand in the menu for a while."""
        self._said = (words, time.time() + SAID_S)
        self._wake()

    def _wake(self) -> None:
        with contextlib.suppress(OSError):  # a deed that outlived us has nobody to wake
            self._nudge.send(b".")

    def _run(self) -> None:
        try:
            with self._live as live, self._notifier or contextlib.nullcontext():
                self._follow(live)
        except Exception:
            traceback.print_exc()
            self._failed()

    def _follow(self, live: Live) -> None:
        before, woken = None, True
        while not self._over:
            if live.look() or woken or self._said[0]:
                found = self._menu(live)
                if found != before:
                    self._show(found)
                before = found
            ready = live.wait([self._heard.fileno(), *self._notified(live)])
            woken = self._heard.fileno() in ready
            if woken:
                self._heard.recv(1 << 10)
            self._ready = ready

    def _notified(self, live: Live) -> list[int]:
        """The descriptors on which an answer comes. A bar without notifications is better than none."""
        if self._notifier is None:
            return []
        try:
            self._notifier.heard(self._ready)
            self._notifier.look(live.statuses, live.now)
            return self._notifier.descriptors()
        except Exception as error:
            traceback.print_exc()
            self._notifier = None
            self.say(f"Notifications have stopped: {type(error).__name__}")
            return []

    def _menu(self, live: Live) -> Menu:
        whole = board(live.statuses, live.now, unfold=self._unfolded)
        live.drawn(whole.changes_at)
        if live.now >= self._said[1]:
            self._said = ("", 0.0)
        return menu(whole, said=self._said[0], unfolded=self._unfolded)
