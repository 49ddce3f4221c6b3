"""`yourturn line`: the board in one line, in the format and with the escapes of the bar that shows it."""

from __future__ import annotations

import json
import os
import sys
import time

from contract import paths
from contract.status import NEEDS_APPROVAL, STATES
from statusbar.cli import line_menu, output
from statusbar.cli.line_hosts import FOLLOWING
from statusbar.cli.line_menu import described
from statusbar.model.board import Board, board
from statusbar.system import watcher_start
from statusbar.text.symbols import HEX, LOOKS, TROUBLE, seen
from statusbar.text.width import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

HEADLINE = 40  # cells


def run(args: argparse.Namespace) -> int:
    host = args.host
    if args.follow and host not in FOLLOWING:
        print(f"yourturn: {host} runs the command again by itself. Drop --follow.", file=sys.stderr)
        return 2
    out = output.printer(sys.stdout, os.environ)
    if args.follow:
        return _follow(host, out)
    out.write(HOSTS[host](board(watcher_start.read(paths.home(), os.environ), time.time())) + "\n")
    return 0


def _follow(host: str, out: output.Printer) -> int:
    from statusbar.model.live import Live  # noqa: PLC0415 - slow to import, and only needed here

    before = None
    with Live(paths.home()) as live:
        while True:
            if live.look():
                whole = board(live.statuses, live.now)
                words = HOSTS[host](whole)
                if words != before:
                    out.write(f"{STREAM_MARKS.get(host, '')}{words}\n")
                before = words
                live.drawn(whole.changes_at)
            live.wait()


# One function for each host, from a board to what that host reads


def plain(whole: Board) -> str:
    return _words(whole)


def tmux(whole: Board) -> str:
    """Every # doubled, or tmux takes what follows for a variable, a style or a command.

    No colours: the status line has a background of its own, green by default.
    """
    sums = [_tmux_sum(whole, state) for state in STATES if whole.counts[state]]
    cross = [] if whole.is_well else [f"#[reverse]{TROUBLE.symbol}#[noreverse]"]
    return " ".join([*cross, *sums, *_headline(whole, _for_tmux)]) or whole.title


def polybar(whole: Board) -> str:
    """Polybar's tags begin with %{ and have no escape: they are broken up."""
    shades = {state: seen(state, is_old=not whole.is_well).colour for state in STATES if whole.counts[state]}
    sums = [_polybar_colour(_sum(whole, state), shade) for state, shade in shades.items()]
    cross = [] if whole.is_well else [_polybar_colour(TROUBLE.symbol, TROUBLE.colour)]
    return " ".join([*cross, *sums, *_headline(whole, _for_polybar)]) or whole.title


def waybar(whole: Board) -> str:
    """One object on one line. Text and tooltip are Pango markup; the style sheet sets the colours."""
    rows = [*(described(row) for row in whole.rows), *whole.notices]
    module = {
        "text": _for_pango(_words(whole)),
        "tooltip": _for_pango("\n".join(rows) or "no agent is running"),
        "alt": _state(whole),
        "class": _state(whole),
    }
    return json.dumps(module)


def swiftbar(whole: Board) -> str:
    return line_menu.menu(whole, "emojize=false symbolize=false ansi=false")


def xbar(whole: Board) -> str:
    return line_menu.menu(whole, "emojize=false ansi=false")


def sketchybar(whole: Board) -> str:
    return _words(whole)


def starship(whole: Board) -> str:
    """The line becomes part of a prompt, which bash and zsh expand: the characters that they expand are replaced."""
    if not any(whole.counts.values()) and whole.is_well:
        return ""
    return "".join("_" if char in "$`\\%!" else char for char in _words(whole))


HOSTS: dict[str, Callable[[Board], str]] = {
    host.__name__: host for host in (plain, polybar, sketchybar, starship, swiftbar, tmux, waybar, xbar)
}
STREAM_MARKS = {"swiftbar": "~~~\n"}  # what tells SwiftBar that a new menu begins


# Shared by all hosts


def _words(whole: Board) -> str:
    return " ".join([whole.title, *_headline(whole, str)])


def _headline(whole: Board, escape: Callable[[str], str]) -> list[str]:
    """The session that has been blocked longest, and on what; or that the states are unknown."""
    if not whole.is_well:
        return [escape(whole.unknown)]
    row = next((row for row in whole.rows if row.state == NEEDS_APPROVAL and row.depth == 0), None)
    if row is None:
        return []
    who = row.project or row.name
    return [escape(cut(f"{who}: {row.detail}" if row.detail else who, HEADLINE))]


def _sum(whole: Board, state: str) -> str:
    return f"{LOOKS[state].symbol}{whole.counts[state]}"


def _state(whole: Board) -> str:
    if not whole.is_well:
        return "trouble"
    return next((state for state in STATES if whole.counts[state]), "calm")


def _tmux_sum(whole: Board, state: str) -> str:
    words = _sum(whole, state)
    return f"#[reverse]{words}#[noreverse]" if state == NEEDS_APPROVAL and whole.is_well else words


def _for_tmux(text: str) -> str:
    return text.replace("#", "##")


def _for_polybar(text: str) -> str:
    return text.replace("%{", "% {")


def _polybar_colour(text: str, colour: str) -> str:
    return f"%{{F{HEX[colour]}}}{text}%{{F-}}"


def _for_pango(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
