"""`yourturn status`: the board, printed."""

from __future__ import annotations

import math
import os
import stat
import sys
import time

from contract import paths, typed
from contract.status import STATES
from statusbar.cli import board_table, json_text, output, report
from statusbar.cli.pieces import Line, Piece, signed
from statusbar.model import board, glimpses
from statusbar.system import watcher_start
from statusbar.text.symbols import counted, seen
from statusbar.text.width import cut, width, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from conversations.glimpse import Glimpse
    from statusbar.cli.output import Printer
    from statusbar.model.board import Board
    from statusbar.model.snapshot import Statuses

    Told = Mapping[str, Glimpse]
    Worded = Callable[[argparse.Namespace, Printer, Statuses, float, Told], tuple[str, float]]

CALM = "No agent is running."
HINT = "Is one missing? To find out why: {doctor}. To list agents without hooks: {tree}"
FULL = "--full works only with --json: {}"
BEAT = "--beat works only with --json --watch: {}"


def run(args: argparse.Namespace) -> int:
    if args.full and not args.json:
        print(f"yourturn: {FULL.format(typed.command('status --json --full'))}", file=sys.stderr)
        return 2
    if args.beat is not None and not (args.json and args.watch):
        print(f"yourturn: {BEAT.format(typed.command('status --json --watch --beat 5'))}", file=sys.stderr)
        return 2
    out = output.printer(sys.stdout, os.environ)
    worded = _json if args.json else _table
    if args.watch:
        return _watch(args, out, worded)
    statuses, now = watcher_start.read(paths.home(), os.environ).of_client(args.client), time.time()
    # Scripts get stale sessions too.
    drawn = board.shown(statuses, now, show_hidden=args.all, unfold=args.all or args.json)
    out.write(worded(args, out, statuses, now, glimpses.once(drawn, os.environ))[0])
    return 0


def page(whole: Board, columns: int, lines: int = sys.maxsize) -> list[Line]:
    """The board as a person reads it, cut to the size of the terminal; notices and sums are never cut."""
    below = [*_hints(whole, columns), *_notices(whole, columns)]
    if not whole.rows:
        # Without a watcher nobody knows whether an agent is running.
        return [*((Piece(words),) for words in wrap(CALM if whole.is_well else "", columns)), *below]
    below = [(), _sums(whole, columns), *below]
    drawn = board_table.table(whole.rows, columns)
    room = max(lines - len(below) - 1, 1)
    if len(drawn) > room:
        drawn = [*drawn[: room - 1], (Piece(f"… {len(drawn) - room + 1} more"),)]
    return [*drawn, *below]


def _sums(whole: Board, columns: int) -> Line:
    """In words, or if they do not fit, as in the title."""
    sums: list[Piece] = []
    is_old = not whole.is_well
    for state in STATES:
        if whole.counts[state]:
            look = seen(state, is_old=is_old)
            words = counted(state, whole.counts[state], is_old=is_old)
            sums += [Piece("   "), *signed(look, words)]
    if sum(width(piece.text) for piece in sums[1:]) > columns:
        return (Piece(cut(whole.title, columns)),)
    return tuple(sums[1:])


def _hints(whole: Board, columns: int) -> list[Line]:
    words = ""
    if whole.hidden:
        sessions = "1 background session is" if whole.hidden == 1 else f"{whole.hidden} background sessions are"
        words = f"{sessions} hidden. To see all: {typed.command('status --all')}"
    elif not whole.rows and whole.is_well:
        words = HINT.format(doctor=typed.command("doctor"), tree=typed.command("tree --all"))
    return [(Piece(line),) for line in wrap(words, columns)]


def _notices(whole: Board, columns: int) -> list[Line]:
    return [line for words in whole.notices for line in board_table.notice(words, columns)]


def _table(args: argparse.Namespace, out: Printer, statuses: Statuses, now: float, told: Told) -> tuple[str, float]:
    # Whoever reads from a pipe does not want all of it again because somebody is five seconds older.
    is_fine = out.is_terminal or not args.watch
    whole = board.board(statuses, now, told, fine=is_fine, show_hidden=args.all, unfold=args.all)
    columns, lines = out.size()
    return out.painted(page(whole, columns, lines if args.watch and out.is_terminal else sys.maxsize)), whole.changes_at


def _json(args: argparse.Namespace, out: Printer, statuses: Statuses, now: float, told: Told) -> tuple[str, float]:
    record = report.report(statuses, now, told, show_hidden=args.all, full=args.full)
    indent = 2 if out.is_terminal and not args.watch else None
    return json_text.as_text(record, indent=indent) + "\n", now + 10**9  # it contains no ages


def _has_reader() -> bool:
    """Whether the end of the standard input says that nobody reads any more. Over `docker exec` nothing else does."""
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _watch(args: argparse.Namespace, out: Printer, worded: Worded) -> int:
    from statusbar.model.live import Live  # noqa: PLC0415 - slow to import, and only needed here

    anew = output.BEGIN_ANEW if out.is_terminal and not args.json else ""
    before, beat_s, spoke = None, args.beat or math.inf, time.monotonic()
    reader = [0] if args.beat and _has_reader() else []
    with Live(paths.home(), transcripts=glimpses.Glimpses(os.environ)) as live:
        while True:
            if live.look():
                statuses = live.statuses.of_client(args.client)
                words, changes_at = worded(args, out, statuses, live.now, live.glimpses)
                # An agent at work says much that is not shown here.
                if words != before:
                    out.write(anew + words)
                    spoke = time.monotonic()
                before = words
                live.drawn(changes_at)
            if time.monotonic() - spoke >= beat_s:
                out.write(json_text.as_text(report.beat(live.now)) + "\n")
                spoke = time.monotonic()
            left = max(spoke + beat_s - time.monotonic(), 0.0)
            if live.wait(also=reader, at_most=left) and not os.read(0, 1 << 16):
                return 0
