"""`yourturn top`: the board in a terminal, live. Only this file uses curses; state and screen decide what is shown.

curses and not textual, measured side by side on a busy machine with two cores and 20 sessions: the first screen took
0.11 s of processor time instead of 0.31 s (0.4 s instead of 1.2 s until it was there), 22 MB instead of 38 MB, and
0.05 % instead of 0.1 % of a core at rest. What textual would bring, a mouse and panes, takes a hundred lines here.
"""

from __future__ import annotations

import contextlib
import curses
import locale
import os
import signal
import sys
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from answers import folder, give, word
from answers.word import Word
from contract import paths, typed
from statusbar.cli import output
from statusbar.cli.explain import session_lines
from statusbar.cli.pieces import Line, Piece
from statusbar.demo import flag
from statusbar.menu import actions
from statusbar.model import history
from statusbar.model.board import Board, board, filtered
from statusbar.model.glimpses import Glimpses
from statusbar.model.live import Live
from statusbar.model.rows import Action
from statusbar.notifications.notify import Notifier
from statusbar.system.mailbox import Mailbox
from statusbar.text.symbols import in_ascii
from statusbar.text.width import tidy, width
from statusbar.top import pane, request_page, screen
from statusbar.top.spending import Spending
from statusbar.top.state import Mode, Pointed, Seen, View, point, press, settle

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping

    from answers.asked import Request
    from statusbar.top.pane import Spent

KEYS = {
    curses.KEY_UP: "up", curses.KEY_DOWN: "down", curses.KEY_LEFT: "left", curses.KEY_RIGHT: "right",
    curses.KEY_PPAGE: "page up", curses.KEY_NPAGE: "page down", curses.KEY_HOME: "home", curses.KEY_END: "end",
    curses.KEY_ENTER: "enter",
    curses.KEY_BACKSPACE: "backspace", curses.KEY_F1: "f1", curses.KEY_F4: "f4", curses.KEY_F6: "f6",
    curses.KEY_F10: "f10", "\n": "enter", "\r": "enter", "\x1b": "escape", "\x7f": "backspace", "\b": "backspace",
    "\x0c": "redraw", curses.KEY_RESIZE: "redraw",
}  # fmt: skip
COLOURS = {
    "red": curses.COLOR_RED,
    "green": curses.COLOR_GREEN,
    "blue": curses.COLOR_CYAN,
    "yellow": curses.COLOR_YELLOW,
}
WHEEL_DOWN = getattr(curses, "BUTTON5_PRESSED", 0x200000)  # not every build of curses has its name
POINTED = {curses.BUTTON1_PRESSED: "click", curses.BUTTON4_PRESSED: "wheel up", WHEEL_DOWN: "wheel down"}
MOUSE = sum(POINTED)
ESCAPE_MS = 25
LONGEST_MESSAGE = 300
TERMINAL_GONE = 20  # so many wake-ups in a row without a key to read


def run(args: argparse.Namespace) -> int:
    why_not = refusal()
    if why_not:
        print(f"yourturn: {why_not}. Instead: {typed.command('status --watch')}", file=sys.stderr)
        return 1
    curses.set_escdelay(ESCAPE_MS)
    with (
        Live(paths.home(), transcripts=Glimpses(os.environ)) as live,
        Notifier(live.home, os.environ, tell=lambda _words: curses.beep()) as notifier,
        live.woken_by_signals(signal.SIGWINCH),
    ):
        spent = Spending(live.home, os.environ)
        return int(curses.wrapper(lambda window: _shown(window, live, notifier, spent, args).run()))


def _shown(window: Any, live: Live, notifier: Notifier, spent: Spent, args: argparse.Namespace) -> Top:
    top = Top(window, live, notifier, os.environ, spent)
    top.view = replace(top.view, after_demo=args.after_demo)
    return top


def refusal() -> str:
    """Why `top` cannot run here; '' if it can. A terminal must be able to move the cursor."""
    if not output.is_terminal(sys.stdin, sys.stdout):
        return "top needs a terminal"
    with contextlib.suppress(curses.error):
        curses.setupterm()
        if curses.tigetstr("cup"):
            return ""
    return f"the terminal '{tidy(os.environ.get('TERM', ''), 40)}' is unknown here"


class Top:
    def __init__(
        self,
        window: Any,
        live: Live,
        notifier: Notifier,
        environ: Mapping[str, str],
        spent: Spent = pane.nothing_counted,
    ) -> None:
        self.window = window
        self.live = live
        self.notifier = notifier
        self.spent = spent
        self.mailbox: Mailbox[str] = Mailbox()
        self.message = ""  # until the next key
        self.view = View(is_demo=flag.is_set(environ))
        self.seen = Seen((), 0, 1)
        self.log = (0, 0)
        self.requests: list[Request] = []  # that can be answered from here
        self.styles = _styles(environ)
        self.ascii = "utf" not in locale.nl_langinfo(locale.CODESET).lower()
        window.nodelay(True)
        # Without it, curses waits after each click whether a second one comes.
        curses.mouseinterval(0)
        curses.mousemask(MOUSE)
        with contextlib.suppress(curses.error):
            curses.curs_set(0)

    def run(self) -> int:
        with contextlib.closing(self.mailbox):
            return self._follow()

    def _follow(self) -> int:
        without_key = 0
        while not self.view.over and without_key < TERMINAL_GONE:
            news = [self.live.look(), self._resized(), self._logged(), self._requested()]
            if any(news):
                self.draw()
            self.notifier.look(self.live.statuses, self.live.now)
            others = [sys.stdin.fileno(), self.mailbox.fileno(), *self.notifier.descriptors()]
            ready = self.live.wait(others, self.notifier.rest(self.live.now))
            self.notifier.read(ready)
            self._read_mailbox(ready)
            is_readable = sys.stdin.fileno() in ready
            keys = list(self._keys()) if is_readable else []
            without_key = without_key + 1 if is_readable and not keys else 0
            for key in keys:
                self.press(key)
        return 0 if self.view.over else 1

    def press(self, key: str | Pointed) -> None:
        if key == "redraw":
            self.window.clear()
        self.message = ""
        had_mouse, self.view = self.view.has_mouse, replace(self.view, after_demo=False)
        self.view = point(self.view, key, self.seen) if isinstance(key, Pointed) else press(self.view, key, self.seen)
        if self.view.has_mouse != had_mouse:
            curses.mousemask(MOUSE if self.view.has_mouse else 0)
        if self.view.wish:
            threading.Thread(target=self._open, args=(self.view.wish,), name="open", daemon=True).start()
            self.view = replace(self.view, wish="")
        if self.view.answer[0] and self.seen.asked:
            given = (self.seen.asked.request, *self.view.answer)
            threading.Thread(target=self._answer, args=given, name="answer", daemon=True).start()
        self.view = replace(self.view, answer=("", ""))
        if not self.view.over:
            self.draw()

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
        if self.mailbox.fileno() in ready:
            self.mailbox.woken()
            self.message = self.mailbox.newest() or ""
            self.draw()

    def draw(self) -> None:
        whole = self._board()
        lines, columns = self.window.getmaxyx()
        asked = self._asked(whole)
        drawn = screen.screen(self.view, whole, lambda *size: self._page(whole, asked, *size), columns, lines, asked)
        self.seen = drawn.seen
        self.view = replace(self.view, first=drawn.seen.first)
        self.window.erase()
        for k, line in enumerate(drawn.lines):
            self._put(k, line)
        self.window.refresh()
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
            return [(Piece(line),) for line in history.tail(paths.observations(self.live.home))]
        return [(Piece(line),) for line in screen.HELP.splitlines()]

    def _subject(self, whole: Board) -> pane.Subject | None:
        row = next((row for row in whole.rows if row.id == self.view.selected), None)
        session = self.live.statuses.find(row.session_id) if row else None
        if row is None or session is None:
            return None
        return pane.Subject(row, session, self.live.glimpses.get(session.session_id), self.spent(session))

    def _put(self, line: int, pieces: Line) -> None:
        column = 0
        for text, style in pieces:
            shown = in_ascii(text) if self.ascii else text
            # Writing into the last cell of the screen raises, but only after it has written.
            with contextlib.suppress(curses.error):
                self.window.addstr(line, column, shown, self.styles.get(style, 0))
            column += width(shown)

    def _keys(self) -> Iterator[str | Pointed]:
        with contextlib.suppress(curses.error):
            while True:
                key = self.window.get_wch()
                if key == curses.KEY_MOUSE:
                    yield from _pointed(time.monotonic())
                else:
                    yield KEYS.get(key, key if isinstance(key, str) else "")

    def _logged(self) -> bool:
        """Whether the log that is on the screen has grown."""
        if self.view.mode is not Mode.LOG:
            return False
        before, self.log = self.log, history.mark(paths.observations(self.live.home))
        return self.log != before

    def _requested(self) -> bool:
        """Whether another request is open than before."""
        before, self.requests = self.requests, folder.requests(self.live.home)
        return [(one.id, one.digest()) for one in self.requests] != [(one.id, one.digest()) for one in before]

    def _resized(self) -> bool:
        """From the terminal itself: a signal may come at any moment, or not at all."""
        with contextlib.suppress(OSError):  # the terminal is gone: the reading of keys notices that
            terminal = os.get_terminal_size(sys.stdout.fileno())
            size = (terminal.lines or 1, terminal.columns or 1)
            if size != self.window.getmaxyx():
                curses.resizeterm(*size)
                self.window.clear()
                return True
        return False


def _pointed(at: float) -> list[Pointed]:
    """What the mouse did. Clicks that came together are told by one key, the last of them first."""
    found: list[Pointed] = []
    with contextlib.suppress(curses.error):
        while True:
            _, _, line, _, buttons = curses.getmouse()
            found += [Pointed(what, line, at) for mask, what in POINTED.items() if buttons & mask]
    return found[::-1]


def _styles(environ: Mapping[str, str]) -> dict[str, int]:
    """Without colours, words and symbols still show the state."""
    styles = {
        "grey": curses.A_DIM,
        "bold": curses.A_BOLD,
        "heading": curses.A_UNDERLINE,
        "selected": curses.A_REVERSE | curses.A_BOLD,
    }
    if curses.has_colors():
        curses.use_default_colors()  # else everything is white on black, whatever colours the terminal has
    if environ.get("NO_COLOR") or not curses.has_colors():
        return {**styles, "red": curses.A_BOLD}
    for number, (name, colour) in enumerate(COLOURS.items(), 1):
        curses.init_pair(number, colour, -1)
        styles[name] = curses.color_pair(number)
    return {**styles, "red": styles["red"] | curses.A_BOLD}
