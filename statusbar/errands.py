"""The words of this room that do something: go, config, demo, notify."""

from __future__ import annotations

import argparse
import contextlib

from statusbar import commands, front

MODULES = {
    "go": "statusbar.terminals.go",
    "config": "statusbar.settings.config",
    "demo": "statusbar.demo.demo",
    "notify": "statusbar.notifications.notify",
}
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
    parser.set_defaults(func=lambda args: commands.carefully(MODULES[name], args))
    return parser


def _speed(word: str) -> float:
    with contextlib.suppress(ValueError):
        if 0.01 <= float(word) <= 1000:  # noqa: PLR2004 - also keeps NaN out
            return float(word)
    raise argparse.ArgumentTypeError(f"{word!r} is not a number between 0.01 and 1000")
