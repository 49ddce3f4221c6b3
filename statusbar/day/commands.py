"""The commands `day` and `stats`, with their options."""

from __future__ import annotations

import argparse

from statusbar.command import JSON, Command, declare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statusbar.command import Subparsers

DAY = """Draw one day from what the watcher has observed: one bar for each session, and how long agents waited for
you. Only hours in which something happened are drawn; a block is drawn however short it was. Time without a watcher is
drawn as unknown. DATE is today (the default), yesterday, or a date such as 2026-11-17."""
DAY_NOTE = """A block is a stretch in which a session needed you; requests without a moment of work in between are one.
--svg and --png replace an existing file, as -o does elsewhere; - is the standard output. A PNG needs rsvg-convert. The
log holds two files of 2 MB at most: the picture says when it begins."""
STATS = """Print how quickly you answered, the longest block, how many agents were at work at once, and what each
project took."""
STATS_NOTE = """An answer is the end of a block in a session that goes on: you allowed, refused, answered or
interrupted. Blocks that began or ended while no watcher ran, that still last, or that ended with their session are not
answers, and are counted separately. WORKED, WAITED and BLOCKED add up the states of sessions: agents that work at the
same time in one session count once there, but each of them counts in "Agents worked"."""


def _day(parser: argparse.ArgumentParser) -> None:
    parser.epilog = DAY_NOTE
    parser.add_argument("date", nargs="?", default="today", metavar="DATE", help="which day")
    parser.add_argument(
        "--all", "-a", action="store_true", help="include background sessions, and those that only waited"
    )
    parser.add_argument("--project", metavar="NAME", help="only sessions of this project")
    parser.add_argument("--width", type=_columns, metavar="N", help="draw N columns wide, 40 to 1000")
    parser.add_argument("--svg", metavar="FILE", help="draw it as SVG into this file instead")
    parser.add_argument("--png", metavar="FILE", help="draw it as PNG into this file instead")
    parser.add_argument("--json", action="store_true", help=JSON)


def _columns(word: str) -> int:
    if word.isascii() and word.isdigit() and 40 <= int(word[:5]) <= 1000:  # noqa: PLR2004
        return int(word)
    raise argparse.ArgumentTypeError(f"{word!r} is not a number between 40 and 1000")


def _stats(parser: argparse.ArgumentParser) -> None:
    parser.epilog = STATS_NOTE
    parser.add_argument("--since", default="7d", metavar="WHEN", help="12h, 7d (the default), 2w, today or a date")
    parser.add_argument("--json", action="store_true", help=JSON)


COMMANDS = {
    "day": Command("statusbar.cli.day", "draw when each session worked, waited and was blocked", DAY, _day),
    "stats": Command("statusbar.cli.stats", "print how quickly you answered, and more numbers", STATS, _stats),
}


def register(subparsers: Subparsers, word: str = "") -> None:
    declare(COMMANDS, subparsers, word)
