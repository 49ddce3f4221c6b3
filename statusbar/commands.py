"""The commands of the front ends, with their options. The module of a command is imported only when it runs."""

from __future__ import annotations

import argparse
import sys

from contract import life, running
from contract.clients import CLIENTS
from contract.record import NamedTuple
from contract.status import STATES
from statusbar.cli import output
from statusbar.model import agents, wanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

JSON = "print JSON, for scripts"
ALL = "include background and stale sessions"
TARGET = (
    "an id or a name, or the beginning of it, SESSION/AGENT, project:NAME, client:NAME, @blocked, @waiting or @working"
)
STATUS = """Print which of your agents need you, which are working and which are waiting."""
BEAT = "with --json --watch: print a short line at least so often, so that a reader knows that the line stands"
PS = """List all agents, one line each: the main agents of sessions, sub-agents and teammates. STATE is where an agent
is in its life, STATUS is its light."""
WAIT = """Wait until an agent is as wanted, and print who, from which state, to which. Without TARGET: any session, also
one that begins later. A group is those that are in it when the wait begins. Returns at once if it is so already."""
FOR = """your-turn (the default): needs_approval or waiting; needs_approval, working or waiting: that light; gone: the
session or agent has ended; any-change: another light, or gone, or a new session"""
WAIT_CODES = """Exit codes: 0 it is so, 1 the target is gone before that, 2 no such target, 3 the target is ambiguous,
124 time-out, 130 interrupted."""
EXPLAIN = """For each agent, print its state, the rule that decided it, each piece of evidence with its age, and which
evidence was overruled."""

LOG = """Print what the watcher has observed: changes of state, agents that started, paused, resumed or ended, and
denied requests. Each line ends with what decided it."""

DAY = """Draw one day from what the watcher has observed: one bar for each session, and how long you were waited for.
Only the hours are drawn in which something happened; a block is drawn however short it was. What nobody watched is
drawn as unknown. DATE is today (the default), yesterday, or a date such as 2026-11-17."""
DAY_NOTE = """A block is a stretch in which a session needed you; requests without a moment of work in between are one.
--svg and --png replace an existing file, as -o does elsewhere; - is the standard output. A PNG needs rsvg-convert. The
log holds two files of 2 MB at most: the picture says when it begins."""
STATS = """Print how quickly you answered, the longest block, how many agents were at work at once, and what each
project took."""
STATS_NOTE = """An answer is the end of a block in a session that goes on: you allowed, refused, answered or
interrupted. Blocks whose beginning or end nobody watched, which last still, or which ended with their session, are no
answers and are counted apart. WORKED, WAITED and BLOCKED are the times of the sessions' lights: agents that work at the
same time in one session count once there, and each in "Agents worked"."""

TRAY = """Show an icon in the tray of a Linux desktop, with a menu of all agents. A click with the middle button, or a
turn of the wheel over it, goes to the next agent that needs you."""
MENUBAR = """Show an icon in the menu bar of macOS, with a menu of all agents."""
TOP = """Show all agents live in the terminal. Press ? for the keys."""

LINE = """Print in one line how many agents need you, are working and are waiting, and which one has been blocked
longest, in the format of the program that shows the line."""

TREE = """Print each session with its agents and their states, and the processes that run below its client."""
GO = """Bring the terminal of an agent to the front. Without TARGET: the agent that has been blocked longest, or if
none is blocked, the only one that is running. Bind `go --next` to a key: it goes to blocked agents only."""
CONFIG = """Show all settings, show one, or change one. They are stored in config.toml in $XDG_CONFIG_HOME/yourturn, on
macOS in ~/Library/Application Support/yourturn, or in $YOURTURN_HOME if that is set. Several folders in notify.mute are
separated by a colon, such as ~/one:~/two."""
DEMO = """Show made-up sessions with sub-agents, a team, approvals and an interruption, as your own agents would be
shown. The demo uses a temporary state folder. Without a terminal, it runs once and prints each step."""
REQUESTS = """List what agents ask for, whole, where it can be answered from here: see `install --answers` and
`spawn --ask`. The others are answered in their terminals."""
ALLOW = """Let an agent do what it asks for, this once. Exactly what `requests` showed under this id is
allowed, or nothing. Without an id, the one that is meant is shown, and you are asked. Several requests of one session
can be allowed together only if they are byte for byte the same: by the id of each, or with --equal."""
DENY = """Keep an agent from what it asks for. It is told so, with your message, and goes on."""
ANSWER = """Answer the question that an agent asks: the number of an option, its label, or words of your own; one for
each question, in quotes where needed. Where several options may be chosen, with commas between them."""
REQUEST = "its id or the beginning of it, or the session that asks"
ANSWER_CODES = """Exit codes: 0 the client has gone on with your answer; 1 it was answered elsewhere, or nobody waits
any more; 2 no such request, or wrong usage; 3 several fit, or refused."""
NOTIFY = """Show a desktop notification when an agent needs you, or finishes after a long turn. Runs until you stop it.
The tray icon, the menu bar icon and `top` send the same notifications by themselves. On Linux, a click on one goes to
the terminal, and one that was answered elsewhere disappears. With the setting notify.ntfy_topic, they go to a phone
too."""

WEB = """Serve the board as a page, for a phone or a second screen, until you stop it. It is read-only and live; the
title and the icon of the tab show what needs you. The link that is printed has a token, which is new with each start.
Only this machine can open it, unless you say otherwise with --listen. Needs the package uvicorn."""
WEB_NOTE = """--listen 0.0.0.0 serves it to your network: without encryption, so only where you trust everybody who
could listen. --open gives the browser a link that works once: other users of this machine may see it."""


class Command(NamedTuple):
    """One command. Its module is imported when it runs: no command must wait for the others."""

    module: str
    summary: str  # '' for one that no help lists
    description: str
    add_options: Callable[[argparse.ArgumentParser], object] = lambda _parser: None


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser], word: str = "") -> None:
    """All commands; with a word that is one of them, only that."""
    for name, command in COMMANDS.items():
        if word in ("", name):
            _add(subparsers, name, command)


def _add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser], name: str, command: Command) -> None:
    listed: dict[str, Any] = {"help": command.summary} if command.summary else {}
    parser = subparsers.add_parser(name, description=command.description, **listed)
    command.add_options(parser)
    parser.set_defaults(func=lambda args: carefully(command.module, args))


def _status(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=JSON)
    parser.add_argument("--full", action="store_true", help="print everything that is known; only with --json")
    parser.add_argument("--watch", action="store_true", help="print again whenever something changes")
    parser.add_argument("--beat", type=_seconds, metavar="SECONDS", help=BEAT)
    _by_client(parser)
    parser.add_argument("--all", "-a", action="store_true", help=ALL)


def _by_client(parser: argparse.ArgumentParser) -> None:
    known = ", ".join(CLIENTS)
    parser.add_argument("--client", choices=tuple(CLIENTS), metavar="NAME", help=f"only those of this client: {known}")


def _ps(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=JSON)
    states, kinds = (*life.STATES, *STATES), agents.KINDS
    parser.add_argument("--state", choices=states, metavar="STATE", help=f"only those: {', '.join(states)}")
    parser.add_argument(
        "--kind", type=_underscored, choices=kinds, metavar="KIND", help=f"only those: {', '.join(kinds)}"
    )
    parser.add_argument("--project", metavar="NAME", help="only those that work in this project")
    _by_client(parser)
    parser.add_argument("--all", "-a", action="store_true", help="include ended agents and background sessions")


def _wait(parser: argparse.ArgumentParser) -> None:
    parser.epilog = WAIT_CODES
    parser.add_argument("target", nargs="*", metavar="TARGET", help=TARGET)
    parser.add_argument(
        "--for", dest="wanted", choices=wanted.WANTED, default=wanted.YOUR_TURN, metavar="STATE", help=FOR
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--any", action="store_false", dest="every", help="one of them is enough (the default)")
    which.add_argument("--all", action="store_true", dest="every", help="all of them at the same time")
    parser.add_argument("--timeout", type=_seconds, metavar="SECONDS", help="give up after so long")
    parser.add_argument("--json", action="store_true", help=JSON)
    parser.set_defaults(every=False)


def _requests(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=JSON)


def _allow(parser: argparse.ArgumentParser) -> None:
    parser.epilog = ANSWER_CODES
    parser.add_argument("requests", nargs="*", metavar="REQUEST", help=f"{REQUEST}; several only if they are the same")
    parser.add_argument(
        "--equal", action="store_true", help="show all of the session that ask for the very same, and ask me"
    )
    parser.add_argument("--json", action="store_true", help=JSON)


def _deny(parser: argparse.ArgumentParser) -> None:
    parser.epilog = ANSWER_CODES
    parser.add_argument("request", nargs="?", default="", metavar="REQUEST", help=REQUEST)
    parser.add_argument("--json", action="store_true", help=JSON)
    parser.add_argument("--message", "-m", metavar="TEXT", help="what the agent is told")


def _answer(parser: argparse.ArgumentParser) -> None:
    parser.epilog = ANSWER_CODES
    parser.usage = "%(prog)s [REQUEST] CHOICE|TEXT…"
    parser.add_argument(
        "words", nargs="+", metavar="CHOICE|TEXT", help=f"one for each question; before it, REQUEST: {REQUEST}"
    )
    parser.add_argument("--json", action="store_true", help=JSON)


def _explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", nargs="?", metavar="TARGET", help=TARGET)
    parser.add_argument("--json", action="store_true", help=JSON)
    parser.add_argument("--all", "-a", action="store_true", help=ALL)


def _log(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--follow", "-f", action="store_true", help="keep printing as things happen")
    parser.add_argument("--audit", action="store_true", help="print instead who started or ended an agent")
    parser.add_argument("--session", metavar="TARGET", help=f"{TARGET}; an ended session by its id")
    parser.add_argument("--json", action="store_true", help="print JSON, one object per line")


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


def _stats(parser: argparse.ArgumentParser) -> None:
    parser.epilog = STATS_NOTE
    parser.add_argument("--since", default="7d", metavar="WHEN", help="12h, 7d (the default), 2w, today or a date")
    parser.add_argument("--json", action="store_true", help=JSON)


def _top(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--after-demo", action="store_true", help=argparse.SUPPRESS)  # `up --demo` says so


def _tray(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--wait", action="store_true", help="wait until a panel can show the icon")


def _line_guide() -> str:
    from contract import typed  # noqa: PLC0415 - only this command needs it
    from statusbar.cli import line_hosts  # noqa: PLC0415

    return line_hosts.guide(typed.command(anywhere=True))


def _line(parser: argparse.ArgumentParser) -> None:
    from statusbar.cli import line_hosts  # noqa: PLC0415 - only this command needs it

    known = sorted(line_hosts.SETUP)
    parser.add_argument("--for", dest="host", choices=known, default="plain", metavar="HOST", help=", ".join(known))
    following = ", ".join(line_hosts.FOLLOWING)
    parser.add_argument("--follow", action="store_true", help=f"print again on every change ({following})")
    # After the options: argparse makes a formatter with each, and this one would import `shutil` for the width.
    parser.formatter_class, parser.epilog = argparse.RawDescriptionHelpFormatter, _line_guide()


def _tree(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", nargs="?", metavar="TARGET", help=TARGET)
    parser.add_argument("--json", action="store_true", help=JSON)
    parser.add_argument(
        "--all", "-a", action="store_true", help="include background sessions, and agents without hooks"
    )


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


COMMANDS = {
    "status": Command("statusbar.cli.status", "print what each agent is doing", STATUS, _status),
    "ps": Command("statusbar.cli.ps", "list all agents, one line each", PS, _ps),
    "requests": Command("statusbar.cli.requests", "list what agents ask for", REQUESTS, _requests),
    "allow": Command("statusbar.cli.allow", "let an agent do what it asks for", ALLOW, _allow),
    "deny": Command("statusbar.cli.deny", "keep an agent from what it asks for", DENY, _deny),
    "answer": Command("statusbar.cli.answer", "answer the question that an agent asks", ANSWER, _answer),
    "wait": Command("statusbar.cli.wait", "wait until an agent needs you, or is gone", WAIT, _wait),
    "explain": Command("statusbar.cli.explain", "print why each agent is shown as it is", EXPLAIN, _explain),
    "log": Command("statusbar.cli.log", "print what has happened, in order", LOG, _log),
    "day": Command("statusbar.cli.day", "draw who worked, waited and was blocked when", DAY, _day),
    "stats": Command("statusbar.cli.stats", "print how quickly you answered, and more numbers", STATS, _stats),
    "top": Command("statusbar.top.app", "show all agents live in the terminal", TOP, _top),
    "tray": Command("statusbar.tray.tray", "show the tray icon (Linux)", TRAY, _tray),
    "menubar": Command("statusbar.menubar", "show the menu bar icon (macOS)", MENUBAR),
    "line": Command("statusbar.cli.line", "print one line for a status bar or a prompt", LINE, _line),
    "tree": Command("statusbar.cli.tree", "print agents, sub-agents, teammates and commands as a tree", TREE, _tree),
    "targets": Command("statusbar.cli.completion", "", "For the completion of the shells."),
    "go": Command("statusbar.terminals.go", "bring an agent's terminal to the front", GO, _go),
    "config": Command("statusbar.settings.config", "show and change settings", CONFIG, _config),
    "demo": Command("statusbar.demo.demo", "show made-up agents, to see how it looks", DEMO, _demo),
    "web": Command("statusbar.web.command", "serve the board as a page, for a phone or a second screen", WEB, _web),
    "notify": Command("statusbar.notifications.notify", "notify you when an agent needs you", NOTIFY, _notify),
}


def _underscored(word: str) -> str:
    """Kinds are written sub_agent in files and sub-agent on the screen."""
    return word.replace("-", "_")


def _seconds(word: str) -> float:
    seconds = _number(word)
    if seconds is not None and 0 <= seconds < float("inf"):
        return seconds
    raise argparse.ArgumentTypeError(f"{word!r} is not a number of seconds")


def _address(word: str) -> Any:
    from statusbar.web import address  # noqa: PLC0415 - only `web` needs it

    try:
        return address.parse(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is not an address such as 127.0.0.1:7414") from None


def _columns(word: str) -> int:
    if word.isascii() and word.isdigit() and 40 <= int(word[:5]) <= 1000:  # noqa: PLR2004
        return int(word)
    raise argparse.ArgumentTypeError(f"{word!r} is not a number between 40 and 1000")


def _speed(word: str) -> float:
    speed = _number(word)
    if speed is not None and 0.01 <= speed <= 1000:  # noqa: PLR2004 - also keeps NaN out
        return speed
    raise argparse.ArgumentTypeError(f"{word!r} is not a number between 0.01 and 1000")


def _number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def carefully(module: str, args: argparse.Namespace) -> int:
    """Run the command of this module."""
    return quietly(lambda: running.carefully(module, args)) or 0


def quietly(run: Callable[[], int | None]) -> int | None:
    try:
        return running.quietly(run)
    except output.Closed as error:
        print(f"yourturn: {error}", file=sys.stderr)
        return 1
