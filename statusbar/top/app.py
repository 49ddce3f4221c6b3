"""`yourturn top`: the board in a terminal, live. State and screen decide what is shown, `terminal` draws it."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from answers import give, open_requests, word
from answers.word import Word
from contract import paths, typed
from statusbar.cli.explain import session_lines
from statusbar.cli.pieces import Line, Piece
from statusbar.demo import flag
from statusbar.menu import actions
from statusbar.model import log_tail
from statusbar.model.board import Board, board, filtered
from statusbar.model.glimpses import Glimpses
from statusbar.model.live import Live
from statusbar.model.rows import Action
from statusbar.notifications.notify import Notifier
from statusbar.system import ending
from statusbar.system.mailbox import Mailbox
from statusbar.text.width import tidy
from statusbar.top import pane, request_page, screen, terminal
from statusbar.top.spending import Spending
from statusbar.top.state import Mode, Pointed, Seen, View, point, press, settle

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from answers.request import Request
    from statusbar.top.pane import Spent
    from statusbar.top.terminal import Terminal

LONGEST_MESSAGE = 300
TERMINAL_GONE = 20  # so many wake-ups in a row without a key to read


def run(args: argparse.Namespace) -> int:
    why_not = terminal.refusal()
    if why_not:
        print(f"yourturn: {why_not}. Instead: {typed.command('status --watch')}", file=sys.stderr)
        return 1
    with (
        # An exception while curses takes the terminal or gives it back would leave that half done, or be lost.
        ending.held_back() as ended,
        Live(paths.home(), transcripts=Glimpses(os.environ)) as live,
        Notifier(live.home, os.environ, tell=lambda _words: terminal.beep()) as notifier,
        live.woken_by_signals(signal.SIGWINCH),
    ):
        spent = Spending(live.home, os.environ)
        return terminal.wrapped(lambda made: _shown(made, live, notifier, spent, args).run(ended), os.environ)


def _shown(made: Terminal, live: Live, notifier: Notifier, spent: Spent, args: argparse.Namespace) -> Top:
    top = Top(made, live, notifier, os.environ, spent)
    top.view = replace(top.view, after_demo=args.after_demo)
    return top


class Top:
    def __init__(
        self,
        shown_in: Terminal,
        live: Live,
        notifier: Notifier,
        environ: Mapping[str, str],
        spent: Spent = pane.nothing_counted,
    ) -> None:
        self.terminal = shown_in
        self.live = live
        self.notifier = notifier
        self.spent = spent
        self.mailbox: Mailbox[str] = Mailbox()
        self.message = ""  # until the next key
        self.view = View(is_demo=flag.is_set(environ))
        self.seen = Seen((), 0, 1)
        self.log = (0, 0)
        self.requests: list[Request] = []  # that can be answered from here

    def run(self, ended: Sequence[int] = ()) -> int:
        """`ended`: the signals to end that came so far. They wake it, as every signal does that is handled."""
        with contextlib.closing(self.mailbox):
            return self._follow(ended)

    def _follow(self, ended: Sequence[int]) -> int:
        without_key = 0
        while not self.view.over and not ended and without_key < TERMINAL_GONE:
            self._look()
            self.notifier.look(self.live.statuses, self.live.now)
            # While another program has the terminal, its keys are not ours.
            keyboard = [] if self.terminal.is_lent else [sys.stdin.fileno()]
            others = [*keyboard, self.mailbox.fileno(), *self.notifier.descriptors()]
            ready = self.live.wait(others, self.notifier.rest(self.live.now))
            self.notifier.read(ready)
            self._read_mailbox(ready)
            is_readable = sys.stdin.fileno() in ready
            keys = list(self.terminal.keys()) if is_readable else []
            without_key = without_key + 1 if is_readable and not keys else 0
            for key in keys:
                self.press(key)
        return 0 if self.view.over else 1

    def _look(self) -> None:
        is_new = self.live.look()
        if self.terminal.is_lent:
            self.live.drawn(self.live.now)  # else the ages on no screen would be due all the time
        elif any([is_new, self.terminal.is_resized(), self._logged(), self._requested()]):
            self.draw()

    def press(self, key: str | Pointed) -> None:
        if key == "redraw":
            self.terminal.clear()
        self.message = ""
        had_mouse, self.view = self.view.has_mouse, replace(self.view, after_demo=False)
        self.view = point(self.view, key, self.seen) if isinstance(key, Pointed) else press(self.view, key, self.seen)
        if self.view.has_mouse != had_mouse:
            self.terminal.use_mouse(self.view.has_mouse)
        wish, self.view = self.view.wish, replace(self.view, wish="")
        if wish:
            self._go(wish)
        if self.view.answer[0] and self.seen.asked:
            given = (self.seen.asked.request, *self.view.answer)
            threading.Thread(target=self._answer, args=given, name="answer", daemon=True).start()
        self.view = replace(self.view, answer=("", ""))
        if not self.view.over and not self.terminal.is_lent:
            self.draw()

    def _go(self, session_id: str) -> None:
        from statusbar.terminals import remote  # noqa: PLC0415 - seldom needed

        session = self.live.statuses.find(session_id)
        argv = remote.in_this_terminal(session) if session else []
        if argv:
            self.terminal.lend(argv, lambda: self.mailbox.put(""))
        else:
            threading.Thread(target=self._open, args=(session_id,), name="open", daemon=True).start()

    def _answer(self, request: Request, deed: str, words: str) -> None:
        """In a thread: the client may take its time. `request` is what was on the screen."""
        texts = (words,) if deed == word.ANSWER else ()
        message = words if deed == word.DENY else ""
        outcome = give.give(self.live.home, request, Word(deed=deed, message=message, texts=texts, by="top"))
        self.mailbox.put(outcome.words.capitalize() + ".")

    def _open(self, session_id: str) -> None:
        """In a thread: a slow terminal must not stop the view."""
        session = self.live.statuses.find(session_id)
        self.mailbox.put(actions.do(Action.GO, session) if session else screen.ENDED)

    def _read_mailbox(self, ready: list[int]) -> None:
        if self.mailbox.fileno() not in ready:
            return
        self.mailbox.woken()
        self.message = self.mailbox.newest() or ""
        if self.terminal.is_over:
            self.terminal.take_back()
        if not self.terminal.is_lent:
            self.draw()

    def draw(self) -> None:
        whole = self._board()
        lines, columns = self.terminal.size
        asked = self._asked(whole)
        drawn = screen.screen(self.view, whole, lambda *size: self._page(whole, asked, *size), columns, lines, asked)
        self.seen = drawn.seen
        self.view = replace(self.view, first=drawn.seen.first)
        self.terminal.show(drawn.lines)
        # The page of `explain` shows ages in seconds.
        self.live.drawn(self.live.now if self.view.mode is Mode.EXPLAIN else whole.changes_at)

    def _board(self) -> Board:
        view, live = self.view, self.live
        every = view.everything
        whole = board(
            live.statuses, live.now, live.glimpses, fine=True, show_hidden=every, unfold=every, order=view.order
        )
        whole = filtered(whole, view.words)
        if self.message:
            whole = whole._replace(notices=(*whole.notices, tidy(self.message, LONGEST_MESSAGE)))
        if view.mode is Mode.LIST:
            self.view = settle(view, whole.rows)
        return whole

    def _asked(self, whole: Board) -> request_page.Drawn | None:
        """The request that the page is about, as it is drawn now."""
        if self.view.mode is not Mode.REQUEST:
            return None
        if self.view.request:
            # The page stays with its request: a key that comes a moment late must not answer the next one.
            request = next((one for one in self.requests if one.id == self.view.request), None)
        else:
            row = next((row for row in whole.rows if row.id == self.view.selected), None)
            known = {session.session_id for session in self.live.statuses.sessions}
            request = request_page.of_row(row, self.requests, known)
            self.view = replace(self.view, request=request.id if request else "")
        return request_page.drawn(request) if request else None

    def _page(self, whole: Board, asked: request_page.Drawn | None, room: int, height: int) -> list[Line]:
        if self.view.mode is Mode.LIST:
            subject = self._subject(whole)
            return pane.lines(subject, room, height) if subject else []
        if self.view.mode is Mode.EXPLAIN:
            session_id, agent = self.view.selected
            session = self.live.statuses.find(session_id)
            is_old = session is not None and self.live.statuses.is_old(session, self.live.now)
            lines = session_lines(session, self.live.now, agent, is_old=is_old) if session else ()
            return list(lines) or [(Piece(screen.ENDED),)]
        if self.view.mode is Mode.REQUEST:
            statuses = self.live.statuses
            none = request_page.OVER if self.view.request else request_page.NONE
            return request_page.lines(asked.request, statuses, room) if asked else [(Piece(none),)]
        if self.view.mode is Mode.LOG:
            return [(Piece(line),) for line in log_tail.tail(paths.observations(self.live.home))]
        return [(Piece(line),) for line in screen.HELP.splitlines()]

    def _subject(self, whole: Board) -> pane.Subject | None:
        row = next((row for row in whole.rows if row.id == self.view.selected), None)
        session = self.live.statuses.find(row.session_id) if row else None
        if row is None or session is None:
            return None
        return pane.Subject(row, session, self.live.glimpses.get(session.session_id), self.spent(session))

    def _logged(self) -> bool:
        """Whether the log that is on the screen has grown."""
        if self.view.mode is not Mode.LOG:
            return False
        before, self.log = self.log, log_tail.mark(paths.observations(self.live.home))
        return self.log != before

    def _requested(self) -> bool:
        """Whether another request is open than before."""
        before, self.requests = self.requests, open_requests.requests(self.live.home)
        return [(one.id, one.digest()) for one in self.requests] != [(one.id, one.digest()) for one in before]
