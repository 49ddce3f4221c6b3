"""The commands of this room, as the command line knows them. Each runs in a module of its own, loaded when it does."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import signal
import sys
from typing import TYPE_CHECKING, NoReturn

from statusbar import front
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
    "tree": "statusbar.cli.tree",
    "go": "statusbar.terminals.go",
    "config": "statusbar.settings.config",
    "demo": "statusbar.demo.demo",
    "notify": "statusbar.notifications.notify",
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

TREE = """Each session with its agents and their states, and the processes that run below its client."""
GO = """Bring the terminal of an agent to the front: without a SESSION that of the one that has been blocked longest,
or if nobody is blocked, of the only one there is. Bind `yourturn go --next` to a key: it goes to blocked ones only."""
CONFIG = """Show all settings, show one, or change one. They lie in config.toml in $XDG_CONFIG_HOME/yourturn, on macOS
in ~/Library/Application Support/yourturn, or in $YOURTURN_HOME if that is set. To set several folders in notify.mute:
with : between them, such as ~/one:~/two."""
DEMO = """Play a story of several sessions with sub-agents, a team, approvals and an interruption, in a state folder
of its own, and show it as your agents would be shown. Without a terminal: one round, printed."""
NOTIFY = """Tell you with a desktop notification when an agent needs approval, or waits for you after a long turn. Runs
until it is ended; the front ends on the desktop do this by themselves."""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    _register_views(subparsers)
    _register_actions(subparsers)


def _register_views(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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
    one = _parser(subparsers, "tree", "show the families: agents, sub-agents, teammates, commands", TREE)
    one.add_argument("--json", action="store_true", help="print JSON for other programs")
    one.add_argument(
        "--all", "-a", action="store_true", help="helpers' sessions, and agents that no hook tells of, too"
    )


def _register_actions(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    one = _parser(subparsers, "go", "bring an agent's terminal to the front", GO)
    which = one.add_mutually_exclusive_group()
    which.add_argument("session", nargs="?", metavar="SESSION", help="the beginning of a session's id or name")
    which.add_argument("--next", action="store_true", help="the one that has been blocked longest")
    one.add_argument("--json", action="store_true", help="print JSON for other programs")
    one = _parser(subparsers, "config", "show and change settings", CONFIG)
    one.add_argument("key", nargs="?", metavar="KEY", help="such as notify.enabled")
    one.add_argument("value", nargs="?", metavar="VALUE", help="'' or 'default' takes the setting back")
    one = _parser(subparsers, "demo", "see the bar live, without any agent", DEMO)
    one.add_argument("--once", action="store_true", help="end after one round")
    one.add_argument("--speed", type=_speed, default=1.0, metavar="N", help="N times as fast, 0.01 to 1000")
    one.add_argument("--front", choices=sorted(front.WORDS), help="show it there")
    one = _parser(subparsers, "notify", "tell you when an agent needs you", NOTIFY)
    one.add_argument("--test", action="store_true", help="show one notification now, and end")


def _parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser], name: str, summary: str, description: str
) -> argparse.ArgumentParser:
    parser = subparsers.add_parser(name, help=summary, description=description)
    # The module is loaded when its command runs: one word must not pay for the others.
    parser.set_defaults(func=lambda args: carefully(MODULES[name], args))
    return parser


def _add_all(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", "-a", action="store_true", help="helpers' and long abandoned sessions too")


def _speed(word: str) -> float:
    with contextlib.suppress(ValueError):
        if 0.01 <= float(word) <= 1000:  # noqa: PLR2004 - also keeps NaN out
            return float(word)
    raise argparse.ArgumentTypeError(f"{word!r} is not a number between 0.01 and 1000")


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
