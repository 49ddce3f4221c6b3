"""The commands that print, with their options. The module of a command is imported only when it runs."""

from __future__ import annotations

import argparse

from contract import life
from contract.clients import CLIENTS
from contract.status import STATES
from statusbar.command import ALL, JSON, TARGET, Command, declare, seconds
from statusbar.model import agents, wait_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from statusbar.command import Subparsers

STATUS = """Print which of your agents need you, which are working and which are waiting."""
BEAT = "with --json --watch: print a short line at least this often, so that a reader knows that it is still connected"
PS = """List all agents, one line each: the main agents of sessions, sub-agents and teammates. STATE says
whether an agent runs, is paused or has ended; STATUS is what the board shows: needs approval, working or waiting."""
WAIT = """Wait until an agent reaches a state, and print which agent, its old state and its new one. Without TARGET: any
session, also one that begins later. A group such as @working means those that are in it when the wait begins. Returns
at once if the state is already reached."""
FOR = """your-turn (the default): needs_approval or waiting; needs_approval, working or waiting: exactly that; gone:
the session or agent has ended; any-change: any other state than now, or gone, or a new session"""
WAIT_CODES = """Exit codes: 0 the state is reached, 1 the target ended before that, 2 no such target, 3 the target is
ambiguous, 124 time-out, 130 interrupted."""
EXPLAIN = """For each agent, print its state, the rule that decided it, each piece of evidence with its age, and which
evidence was overruled."""
LOG = """Print what the watcher has observed: changes of state, agents that started, paused, resumed or ended, and
denied requests. Each line ends with what decided it."""
LINE = """Print in one line how many agents need you, are working and are waiting, and which one has been blocked
longest, in the format of the program that shows the line."""
TREE = """Print each session with its agents and their states, and the processes that run below its client."""


def _status(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=JSON)
    parser.add_argument("--full", action="store_true", help="print everything that is known; only with --json")
    parser.add_argument("--watch", action="store_true", help="print again whenever something changes")
    parser.add_argument("--beat", type=seconds, metavar="SECONDS", help=BEAT)
    _by_client(parser)
    parser.add_argument("--all", "-a", action="store_true", help=ALL)


def _by_client(parser: argparse.ArgumentParser) -> None:
    known = ", ".join(CLIENTS)
    parser.add_argument("--client", choices=tuple(CLIENTS), metavar="NAME", help=f"only agents of this client: {known}")


def _ps(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=JSON)
    states, kinds = (*life.STATES, *STATES), agents.KINDS
    parser.add_argument(
        "--state", choices=states, metavar="STATE", help=f"only agents in this state: {', '.join(states)}"
    )
    parser.add_argument(
        "--kind", type=_underscored, choices=kinds, metavar="KIND", help=f"only agents of this kind: {', '.join(kinds)}"
    )
    parser.add_argument("--project", metavar="NAME", help="only those that work in this project")
    _by_client(parser)
    parser.add_argument("--all", "-a", action="store_true", help="include ended agents and background sessions")


def _underscored(word: str) -> str:
    """Kinds are written sub_agent in files and sub-agent on the screen."""
    return word.replace("-", "_")


def _wait(parser: argparse.ArgumentParser) -> None:
    parser.epilog = WAIT_CODES
    parser.add_argument("target", nargs="*", metavar="TARGET", help=TARGET)
    parser.add_argument(
        "--for", dest="wanted", choices=wait_words.WANTED, default=wait_words.YOUR_TURN, metavar="STATE", help=FOR
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--any", action="store_false", dest="every", help="one of them is enough (the default)")
    which.add_argument("--all", action="store_true", dest="every", help="all of them at the same time")
    parser.add_argument("--timeout", type=seconds, metavar="SECONDS", help="give up after this many seconds")
    parser.add_argument("--json", action="store_true", help=JSON)
    parser.set_defaults(every=False)


def _explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", nargs="?", metavar="TARGET", help=TARGET)
    parser.add_argument("--json", action="store_true", help=JSON)
    parser.add_argument("--all", "-a", action="store_true", help=ALL)


def _log(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--follow", "-f", action="store_true", help="keep printing as things happen")
    parser.add_argument("--audit", action="store_true", help="print who started or ended an agent instead")
    parser.add_argument("--session", metavar="TARGET", help=f"{TARGET}; an ended session by its id")
    parser.add_argument("--json", action="store_true", help="print JSON, one object per line")


def _line(parser: argparse.ArgumentParser) -> None:
    from statusbar.cli import line_hosts  # noqa: PLC0415 - only this command needs it

    known = sorted(line_hosts.SETUP)
    parser.add_argument("--for", dest="host", choices=known, default="plain", metavar="HOST", help=", ".join(known))
    following = ", ".join(line_hosts.FOLLOWING)
    parser.add_argument("--follow", action="store_true", help=f"print again on every change ({following})")
    # After the options: argparse makes a formatter with each, and this one would import `shutil` for the width.
    parser.formatter_class, parser.epilog = argparse.RawDescriptionHelpFormatter, _line_guide()


def _line_guide() -> str:
    from contract import typed  # noqa: PLC0415 - only this command needs it
    from statusbar.cli import line_hosts  # noqa: PLC0415

    return line_hosts.guide(typed.command(anywhere=True))


def _tree(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", nargs="?", metavar="TARGET", help=TARGET)
    parser.add_argument("--json", action="store_true", help=JSON)
    parser.add_argument(
        "--all", "-a", action="store_true", help="include background sessions, and agents without hooks"
    )


COMMANDS = {
    "status": Command("statusbar.cli.status", "print what each agent is doing", STATUS, _status),
    "ps": Command("statusbar.cli.ps", "list all agents, one line each", PS, _ps),
    "wait": Command("statusbar.cli.wait", "wait until an agent needs you, or is gone", WAIT, _wait),
    "explain": Command("statusbar.cli.explain", "print why each agent is shown as it is", EXPLAIN, _explain),
    "log": Command("statusbar.cli.log", "print what has happened, in order", LOG, _log),
    "line": Command("statusbar.cli.line", "print one line for a status bar or a prompt", LINE, _line),
    "tree": Command("statusbar.cli.tree", "print agents, sub-agents, teammates and commands as a tree", TREE, _tree),
    "targets": Command("statusbar.cli.completion", "", "For the completion of the shells."),
}


def register(subparsers: Subparsers, word: str = "") -> None:
    declare(COMMANDS, subparsers, word)
