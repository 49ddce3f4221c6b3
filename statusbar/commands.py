"""The commands that show the board until they are ended, and those around them: `go`, `config`, `demo`."""

from __future__ import annotations

import argparse

from statusbar.command import JSON, TARGET, Command, declare, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from statusbar.command import Subparsers

TRAY = """Show an icon in the tray of a Linux desktop, with a menu of all agents. A click with the middle button, or a
turn of the wheel over it, goes to the next agent that needs you."""
MENUBAR = """Show an icon in the menu bar of macOS, with a menu of all agents."""
TOP = """Show all agents live in the terminal. Press ? for the keys."""
GO = """Bring the terminal of an agent to the front. Without TARGET: the agent that has been blocked longest, or if
none is blocked, the only one that is running. Bind `go --next` to a key: it goes to blocked agents only."""
CONFIG = """Show all settings, show one, or change one. They are stored in config.toml in $XDG_CONFIG_HOME/yourturn, on
macOS in ~/Library/Application Support/yourturn, or in $YOURTURN_HOME if that is set. Several folders in notify.mute are
separated by a colon, such as ~/one:~/two."""
DEMO = """Show made-up sessions with sub-agents, a team, approvals and an interruption, as your own agents would be
shown. The demo uses a temporary state folder. Without a terminal, it runs once and prints each step."""
NOTIFY = """Show a desktop notification when an agent needs you, or finishes after a long turn. Runs until you stop it.
The tray icon, the menu bar icon and `top` send the same notifications by themselves. On Linux, a click on one goes to
the terminal, and one that was answered elsewhere disappears. With the setting notify.ntfy_topic, they go to a phone
too."""
WEB = """Serve the board as a page, for a phone or a second screen, until you stop it. It is read-only and live; the
title and the icon of the tab show what needs you. The link that is printed has a token, which is new with each start.
Only this machine can open it, unless you say otherwise with --listen. Needs the package uvicorn."""
WEB_NOTE = """--listen 0.0.0.0 serves it to your network: without encryption, so only where you trust everybody who
could listen. --open gives the browser a link that works once: other users of this machine may see it."""


def _top(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--after-demo", action="store_true", help=argparse.SUPPRESS)  # `up --demo` says so


def _tray(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--wait", action="store_true", help="wait until a panel can show the icon")


def _go(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("target", nargs="?", metavar="TARGET", help=TARGET)
    which.add_argument("--next", action="store_true", help="go to the agent that has been blocked longest")
    parser.add_argument("--json", action="store_true", help=JSON)


def _config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", nargs="?", metavar="KEY", help="such as notify.enabled")
    parser.add_argument("value", nargs="?", metavar="VALUE", help="the new value; 'default' resets the setting")


def _demo(parser: argparse.ArgumentParser) -> None:
    from statusbar import front  # noqa: PLC0415 - only this command needs it

    parser.add_argument("--once", action="store_true", help="stop after one round")
    parser.add_argument("--speed", type=_speed, default=1.0, metavar="N", help="run N times as fast, 0.01 to 1000")
    parser.add_argument("--front", choices=sorted(front.COMMANDS), help="where to show it")


def _speed(word: str) -> float:
    speed = number(word)
    if speed is not None and 0.01 <= speed <= 1000:  # noqa: PLR2004 - also keeps NaN out
        return speed
    raise argparse.ArgumentTypeError(f"{word!r} is not a number between 0.01 and 1000")


def _notify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--test", action="store_true", help="show one notification now, then exit")


def _web(parser: argparse.ArgumentParser) -> None:
    from statusbar.web import address  # noqa: PLC0415 - only this command needs it

    parser.epilog = WEB_NOTE
    here = address.Address(address.HERE, address.PORT)
    parser.add_argument(
        "--listen", type=_address, default=here, metavar="ADDRESS", help=f"a host, a port or both; default {here}"
    )
    parser.add_argument("--open", action="store_true", help="open it in your browser")
    parser.add_argument("--token-file", metavar="FILE", help="keep the token here, so that the link stays the same")
    parser.add_argument("--json", action="store_true", help="print link and token as JSON, for scripts")


def _address(word: str) -> Any:
    from statusbar.web import address  # noqa: PLC0415 - only `web` needs it

    try:
        return address.parse(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is not an address such as 127.0.0.1:7414") from None


COMMANDS = {
    "top": Command("statusbar.top.app", "show all agents live in the terminal", TOP, _top),
    "tray": Command("statusbar.tray.tray", "show the tray icon (Linux)", TRAY, _tray),
    "menubar": Command("statusbar.menubar", "show the menu bar icon (macOS)", MENUBAR),
    "go": Command("statusbar.terminals.go", "bring an agent's terminal to the front", GO, _go),
    "config": Command("statusbar.settings.config", "show and change settings", CONFIG, _config),
    "demo": Command("statusbar.demo.demo", "show made-up agents, to see how it looks", DEMO, _demo),
    "web": Command("statusbar.web.command", "serve the board as a page, for a phone or a second screen", WEB, _web),
    "notify": Command("statusbar.notifications.notify", "notify you when an agent needs you", NOTIFY, _notify),
}


def register(subparsers: Subparsers, word: str = "") -> None:
    declare(COMMANDS, subparsers, word)
