"""The commands of the front ends, with their options. The module of a command is imported only when it runs."""

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
JSON = "print JSON, for scripts"
SESSION = "the name or id of a session, or the beginning of it"
STATUS = """Print which of your agents need you, which are working and which are waiting."""
EXPLAIN = """For each agent, print its state, the rule that decided it, each piece of evidence with its age, and which
evidence was overruled."""

LOG = """Print what the watcher has observed: changes of state, agents that started, paused, resumed or ended, and
denied requests. Each line ends with what decided it."""

TRAY = """Show an icon in the tray of a Linux desktop, with a menu of all agents. Needs: pip install 'yourturn[tray]'"""
MENUBAR = """Show an icon in the menu bar of macOS, with a menu of all agents. Needs: pip install 'yourturn[macos]'"""
TOP = """Show all agents live in the terminal. Press ? for the keys."""

LINE = """Print in one line how many agents need you, are working and are waiting, and which one has been blocked
longest, in the format of the program that shows the line."""

TREE = """Print each session with its agents and their states, and the processes that run below its client."""
GO = """Bring the terminal of an agent to the front. Without SESSION: the agent that has been blocked longest, or if
none is blocked, the only one that is running. Bind `yourturn go --next` to a key: it goes to blocked agents only."""
CONFIG = """Show all settings, show one, or change one. They are stored in config.toml in $XDG_CONFIG_HOME/yourturn, on
macOS in ~/Library/Application Support/yourturn, or in $YOURTURN_HOME if that is set. Several folders in notify.mute are
separated by a colon, such as ~/one:~/two."""
DEMO = """Show made-up sessions with sub-agents, a team, approvals and an interruption, as your own agents would be
shown. The demo uses a temporary state folder. Without a terminal, it runs once and prints each step."""
NOTIFY = """Show a desktop notification when an agent needs you, or finishes after a long turn. Runs until you stop it.
The tray icon, the menu bar icon and `yourturn top` send the same notifications by themselves."""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    _register_views(subparsers)
    _register_actions(subparsers)


def _register_views(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = _parser(subparsers, "status", "print what each agent is doing", STATUS)
    command.add_argument("--json", action="store_true", help=JSON)
    command.add_argument("--full", action="store_true", help="print everything that is known; only with --json")
    command.add_argument("--watch", action="store_true", help="print again whenever something changes")
    _add_all(command)
    command = _parser(subparsers, "explain", "print why each agent is shown as it is", EXPLAIN)
    command.add_argument("session", nargs="?", metavar="SESSION", help=SESSION)
    command.add_argument("--json", action="store_true", help=JSON)
    _add_all(command)
    command = _parser(subparsers, "log", "print what has happened, in order", LOG)
    command.add_argument("--follow", "-f", action="store_true", help="keep printing as things happen")
    command.add_argument("--session", metavar="SESSION", help="a session's name, or the beginning of its id")
    command.add_argument("--json", action="store_true", help="print JSON, one object per line")
    _parser(subparsers, "top", "show all agents live in the terminal", TOP)
    command = _parser(subparsers, "tray", "show the tray icon (Linux)", TRAY)
    command.add_argument("--wait", action="store_true", help="wait until a panel can show the icon")
    _parser(subparsers, "menubar", "show the menu bar icon (macOS)", MENUBAR)
    command = _parser(subparsers, "line", "print one line for a status bar or a prompt", LINE)
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.epilog = line_hosts.guide()
    known = sorted(line_hosts.SETUP)
    command.add_argument("--for", dest="host", choices=known, default="plain", metavar="HOST", help=", ".join(known))
    command.add_argument(
        "--follow", action="store_true", help=f"print again on every change ({', '.join(line_hosts.FOLLOWING)})"
    )
    command = _parser(subparsers, "tree", "print agents, sub-agents, teammates and commands as a tree", TREE)
    command.add_argument("--json", action="store_true", help=JSON)
    command.add_argument(
        "--all", "-a", action="store_true", help="include background sessions, and agents without hooks"
    )


def _register_actions(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = _parser(subparsers, "go", "bring an agent's terminal to the front", GO)
    which = command.add_mutually_exclusive_group()
    which.add_argument("session", nargs="?", metavar="SESSION", help=SESSION)
    which.add_argument("--next", action="store_true", help="go to the agent that has been blocked longest")
    command.add_argument("--json", action="store_true", help=JSON)
    command = _parser(subparsers, "config", "show and change settings", CONFIG)
    command.add_argument("key", nargs="?", metavar="KEY", help="such as notify.enabled")
    command.add_argument("value", nargs="?", metavar="VALUE", help="the new value; 'default' resets the setting")
    command = _parser(subparsers, "demo", "show made-up agents, to see how it looks", DEMO)
    command.add_argument("--once", action="store_true", help="stop after one round")
    command.add_argument("--speed", type=_speed, default=1.0, metavar="N", help="run N times as fast, 0.01 to 1000")
    command.add_argument("--front", choices=sorted(front.COMMANDS), help="where to show it")
    command = _parser(subparsers, "notify", "notify you when an agent needs you", NOTIFY)
    command.add_argument("--test", action="store_true", help="show one notification now, then exit")


def _parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser], name: str, summary: str, description: str
) -> argparse.ArgumentParser:
    parser = subparsers.add_parser(name, help=summary, description=description)
    # The module is imported when its command runs: a command must not wait for the others.
    parser.set_defaults(func=lambda args: carefully(MODULES[name], args))
    return parser


def _add_all(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", "-a", action="store_true", help="include background and stale sessions")


def _speed(word: str) -> float:
    with contextlib.suppress(ValueError):
        if 0.01 <= float(word) <= 1000:  # noqa: PLR2004 - also keeps NaN out
            return float(word)
    raise argparse.ArgumentTypeError(f"{word!r} is not a number between 0.01 and 1000")


def carefully(module: str, args: argparse.Namespace) -> int:
    """Run the command; exit quietly when it is interrupted or terminated, or when its reader closes the pipe."""
    before = signal.signal(signal.SIGTERM, _leave)
    try:
        run: Callable[[argparse.Namespace], int] = importlib.import_module(module).run
        return run(args)
    except KeyboardInterrupt:
        return INTERRUPTED
    except _Terminated:
        return TERMINATED
    except output.Closed as error:
        print(f"yourturn: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Python flushes once more at exit, and would print an error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    finally:
        signal.signal(signal.SIGTERM, before)


class _Terminated(SystemExit):
    """A SystemExit, because an event loop swallows any other exception of a callback and goes on."""


def _leave(_number: int, _frame: object) -> NoReturn:
    raise _Terminated
