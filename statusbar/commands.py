"""The words of this room on the command line: status, explain, top, line."""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
from typing import TYPE_CHECKING, NoReturn

from statusbar.cli import line_hosts, output

if TYPE_CHECKING:
    from collections.abc import Callable

MODULES = {
    "status": "statusbar.cli.status",
    "explain": "statusbar.cli.explain",
    "top": "statusbar.top.app",
    "line": "statusbar.cli.line",
    "log": "statusbar.cli.log",
    "tray": "statusbar.tray.tray",
    "menubar": "statusbar.menubar",
}
INTERRUPTED, TERMINATED = 130, 143
STATUS = """Print which of your agents needs you, which one works and which one waits."""
EXPLAIN = """For each agent: the verdict, the rule that decided, each piece of evidence with its age, and what
was overruled."""

LOG = """What the watcher has observed: changes of status, suspensions and their ends, agents that came and
went, refusals. Each line names what decided."""

TRAY = """An icon in the tray of a Linux desktop, with a menu of all agents. Needs the extra `tray`."""
MENUBAR = """An item in the menubar of macOS, with a menu of all agents. Needs the extra `macos`."""
TOP = """A live view of all agents for the terminal. Press ? in it for its keys."""

LINE = """Print in one line how many agents need you, work and wait, and who has been blocked longest, the way
the program that shows the line wants it."""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    one = _parser(subparsers, "status", "print what each agent is doing", STATUS)
    one.add_argument("--json", action="store_true", help="print JSON for other programs")
    one.add_argument("--full", action="store_true", help="everything that is known; only with --json")
    one.add_argument("--watch", action="store_true", help="print again whenever something changes")
    _add_all(one)
    one = _parser(subparsers, "explain", "say why each agent is shown as it is", EXPLAIN)
    one.add_argument("session", nargs="?", metavar="SESSION", help="the beginning of a session's id or name")
    one.add_argument("--json", action="store_true", help="print JSON for other programs")
    _add_all(one)
    one = _parser(subparsers, "log", "print what has happened, in order", LOG)
    one.add_argument("--follow", "-f", action="store_true", help="go on printing as it happens")
    one.add_argument("--session", metavar="SESSION", help="only of sessions whose id begins so")
    one.add_argument("--json", action="store_true", help="print one JSON object a line")
    _parser(subparsers, "top", "look at all agents, live", TOP)
    one = _parser(subparsers, "tray", "show the bar as a tray icon (Linux)", TRAY)
    one.add_argument("--wait", action="store_true", help="until there is a panel that shows it")
    _parser(subparsers, "menubar", "show the bar in the menubar (macOS)", MENUBAR)
    one = _parser(subparsers, "line", "print one line for a status bar or a prompt", LINE)
    one.formatter_class = argparse.RawDescriptionHelpFormatter
    one.epilog = line_hosts.guide()
    known = sorted(line_hosts.SETUP)
    one.add_argument("--for", dest="host", choices=known, default="plain", metavar="HOST", help=", ".join(known))
    one.add_argument(
        "--follow", action="store_true", help=f"print again on every change ({', '.join(line_hosts.FOLLOWING)})"
    )


def _parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser], name: str, summary: str, description: str
) -> argparse.ArgumentParser:
    parser = subparsers.add_parser(name, help=summary, description=description)
    # The module is loaded when its command runs: one word must not pay for the others.
    parser.set_defaults(func=lambda args: carefully(MODULES[name], args))
    return parser


def _add_all(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", "-a", action="store_true", help="helpers' and long abandoned sessions too")


def carefully(module: str, args: argparse.Namespace) -> int:
    """Run the command; leave quietly when interrupted, told to end, or when nobody reads any more."""
    before = signal.signal(signal.SIGTERM, _leave)
    try:
        run: Callable[[argparse.Namespace], int] = importlib.import_module(module).run
        return run(args)
    except KeyboardInterrupt:
        return INTERRUPTED
    except _Told:
        return TERMINATED
    except output.Closed as why:
        print(f"yourturn: {why}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Python's own last flush must not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    finally:
        signal.signal(signal.SIGTERM, before)


class _Told(SystemExit):
    """Somebody told us to end. An event loop would keep any other exception of a callback to itself, and go on."""


def _leave(_number: int, _frame: object) -> NoReturn:
    raise _Told
