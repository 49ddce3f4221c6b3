"""The terminal of `yourturn top`: its keys, mouse, colours and size, and lending it to another program. All of curses.

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
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from statusbar.cli import output
from statusbar.text.symbols import in_ascii
from statusbar.text.width import tidy, width
from statusbar.top.state import Pointed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from statusbar.cli.pieces import Line

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
# Else what the program said of its failure would be gone with the next screen.
STAY = '"$@" || { printf "Press Enter to go back. "; read -r _; }'


def refusal() -> str:
    """Why `top` cannot run here; '' if it can. A terminal must be able to move the cursor."""
    if not output.is_terminal(sys.stdin, sys.stdout):
        return "top needs a terminal"
    with contextlib.suppress(curses.error):
        curses.setupterm()
        if curses.tigetstr("cup"):
            return ""
    return f"the terminal '{tidy(os.environ.get('TERM', ''), 40)}' is unknown here"


def wrapped(run: Callable[[Terminal], int], environ: Mapping[str, str]) -> int:
    """Whatever happens, the terminal is afterwards as it was before."""
    curses.set_escdelay(ESCAPE_MS)
    return int(curses.wrapper(lambda window: run(Terminal(window, environ))))


def beep() -> None:
    curses.beep()


class Terminal:
    def __init__(self, window: Any, environ: Mapping[str, str]) -> None:
        self._window = window
        self._styles = _styles(environ)
        self._ascii = "utf" not in locale.nl_langinfo(locale.CODESET).lower()
        self._lent: subprocess.Popen[bytes] | None = None
        self._on_interrupt: Any = None  # what Ctrl-C does while we have it
        window.nodelay(True)
        # Without it, curses waits after each click whether a second one comes.
        curses.mouseinterval(0)
        self.use_mouse(True)
        with contextlib.suppress(curses.error):
            curses.curs_set(0)

    @property
    def size(self) -> tuple[int, int]:
        """Lines and columns."""
        lines, columns = self._window.getmaxyx()
        return lines, columns

    @property
    def is_lent(self) -> bool:
        """Whether another program has it, and nothing may be drawn."""
        return self._lent is not None

    @property
    def is_over(self) -> bool:
        """Whether the program that it was lent to has ended."""
        return self._lent is not None and self._lent.returncode is not None

    def use_mouse(self, wanted: bool) -> None:
        curses.mousemask(MOUSE if wanted else 0)

    def clear(self) -> None:
        """Draw everything anew the next time."""
        self._window.clear()

    def show(self, lines: Sequence[Line]) -> None:
        self._window.erase()
        for k, line in enumerate(lines):
            self._put(k, line)
        self._window.refresh()

    def keys(self) -> Iterator[str | Pointed]:
        with contextlib.suppress(curses.error):
            while True:
                key = self._window.get_wch()
                if key == curses.KEY_MOUSE:
                    yield from _pointed(time.monotonic())
                else:
                    yield KEYS.get(key, key if isinstance(key, str) else "")

    def is_resized(self) -> bool:
        """From the terminal itself: a signal may come at any moment, or not at all."""
        with contextlib.suppress(OSError):  # the terminal is gone: the reading of keys notices that
            terminal = os.get_terminal_size(sys.stdout.fileno())
            size = (terminal.lines or 1, terminal.columns or 1)
            if size != self.size:
                curses.resizeterm(*size)
                self.clear()
                return True
        return False

    def lend(self, argv: Sequence[str], when_over: Callable[[], None]) -> None:
        """To this program, until it ends. `when_over` is called in a thread: then `take_back` it."""
        curses.def_prog_mode()
        curses.endwin()
        # Ctrl-C is for the program. A handler and not SIG_IGN, which the program would inherit.
        self._on_interrupt = signal.signal(signal.SIGINT, lambda _number, _frame: None)
        self._lent = process = subprocess.Popen(["sh", "-c", STAY, "sh", *argv])

        def wait() -> None:
            process.wait()
            when_over()

        threading.Thread(target=wait, name="lent", daemon=True).start()

    def take_back(self) -> None:
        self._lent = None
        signal.signal(signal.SIGINT, self._on_interrupt)
        curses.reset_prog_mode()
        curses.flushinp()  # what was typed was meant for the program
        self.clear()

    def _put(self, line: int, pieces: Line) -> None:
        column = 0
        for text, style in pieces:
            shown = in_ascii(text) if self._ascii else text
            # Writing into the last cell of the screen raises, but only after it has written.
            with contextlib.suppress(curses.error):
                self._window.addstr(line, column, shown, self._styles.get(style, 0))
            column += width(shown)


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
