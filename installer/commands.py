"""The commands install, uninstall, doctor and login, with their options."""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import TYPE_CHECKING

from installer import choice, console, install, login, place, target, uninstall
from installer.clients import CLIENTS
from installer.doctor import doctor, probes
from installer.hooks import program
from installer.place import Wish
from installer.refusal import Refusal
from installer.services import job, manager, offer

if TYPE_CHECKING:
    from collections.abc import Callable

    from installer.target import Target

INSTALL = f"""Add yourturn's hooks to the settings of your coding agents. Without --client and --all that is Claude Code
($CLAUDE_CONFIG_DIR/settings.json, by default ~/.claude/settings.json); at a terminal, the others that are found here
are offered too. Nothing else in a file changes, and a dated backup is saved next to it. Where launchd or systemd is
running, the watcher can be a service that starts when you log in; without the service, a hook starts it. Running
install again changes nothing. Run it again after you have moved yourturn or its Python. If yourturn is a plugin of
Claude Code, its hooks are there already: install refuses to add them a second time, and --service still works. Codex
runs new hooks only after you have reviewed them at its next start; Gemini CLI and Copilot CLI run hooks only in folders
that you trust. Clients: {", ".join(f"{name} ({client.TITLE})" for name, client in CLIENTS.items())}."""
ANSWERS = """let requests of Claude Code be answered from outside (`requests`, `allow`, `deny`, `answer`, the menus and
top), or no longer; stays as it is if neither is given"""
UNINSTALL = """Remove yourturn's hooks from the settings of all coding agents that they were added to, stop the watcher
and its service, remove the login entry, and delete your yourturn settings and what it has recorded about your sessions.
A file that nobody else has changed is restored byte for byte. With --client, only the hooks of these clients are
removed, and everything else stays."""
DOCTOR = """Check everything from your coding agents to the watcher, and print how to fix what does not work. Exit code
1 if a check fails."""
LOGIN = """Choose whether the menu bar or tray icon, and with it the watcher, opens when you log in; with no argument,
shows the current setting. On macOS it is stored as a launchd agent, on Linux as an entry in the autostart folder."""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser], _word: str = "") -> None:
    command = _parser(subparsers, "install", "add the hooks to the settings of your coding agents", INSTALL, _install)
    _add_asking(command)
    help_ = "run the watcher as a launchd or systemd service, or not; asks if neither is given"
    which = command.add_mutually_exclusive_group()
    _add_client(which, "install for these clients only: names with commas between them")
    which.add_argument("--all", action="store_true", help="install for all clients that are found here")
    command.add_argument("--service", action=argparse.BooleanOptionalAction, help=help_)
    command.add_argument("--answers", action=argparse.BooleanOptionalAction, help=ANSWERS)
    command = _parser(subparsers, "uninstall", "remove everything that yourturn has installed", UNINSTALL, _uninstall)
    _add_asking(command)
    _add_client(command, "remove the hooks of these clients only: names with commas between them")
    command.add_argument(
        "--keep-state", action="store_true", help="keep your settings, and what was recorded about your sessions"
    )
    command = _parser(subparsers, "doctor", "check that everything works, and print how to fix it", DOCTOR, _doctor)
    command.add_argument("--json", action="store_true", help="print the checks as JSON")
    command = _parser(subparsers, "login", "choose whether the icon opens when you log in", LOGIN, _login)
    command.add_argument("word", nargs="?", choices=("on", "off"), metavar="on|off", help="open it at login, or not")
    command.add_argument("--json", action="store_true", help="print the setting as JSON")


def _parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    summary: str,
    description: str,
    command: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    parser = subparsers.add_parser(name, help=summary, description=description)
    parser.set_defaults(func=lambda args: _refusing(command, args))
    return parser


def _add_asking(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask; works without a terminal")
    parser.add_argument("--dry-run", "-n", action="store_true", help="say what would change, and change nothing")
    parser.add_argument("--diff", action="store_true", help="show each line of the settings that changes")


def _add_client(parser: argparse._ActionsContainer, help_: str) -> None:
    parser.add_argument("--client", type=_names, action="extend", default=[], metavar="NAMES", help=help_)


def _names(words: str) -> list[str]:
    names = [name.strip() for name in words.split(",")]
    for name in names:
        if name not in CLIENTS:
            raise argparse.ArgumentTypeError(f"no client {name!r}; there are {', '.join(CLIENTS)}")
    return names


def _refusing(command: Callable[[argparse.Namespace], int], args: argparse.Namespace) -> int:
    try:
        return command(args)
    except Refusal as refusal:
        console.standard(os.environ).complain(f"yourturn: {refusal}")
        return refusal.code


def _install(args: argparse.Namespace) -> int:
    wish = Wish(
        now=time.time(),
        yes=args.yes,
        dry_run=args.dry_run,
        diff=args.diff,
        service=args.service,
        answers=args.answers,
    )
    used, screen, here = program.find(sys.executable), console.standard(os.environ), place.find(os.environ)
    found = target.found(os.environ)
    if args.client or args.all:
        code = install.install(here, used, screen, wish, _chosen(args, found))
    else:
        code = choice.install(here, used, screen, wish, found)
    return code or offer.make(manager.look(os.environ), job.of(used, os.environ), screen, wish)


def _chosen(args: argparse.Namespace, found: list[Target]) -> list[Target]:
    if args.all and not found:
        trouble = "No coding agent was found: none is on PATH, and none has a folder in your home."
        raise Refusal(trouble, f"Name one with --client: {', '.join(CLIENTS)}.")
    return found if args.all else target.targets(args.client, os.environ)


def _uninstall(args: argparse.Namespace) -> int:
    wish = Wish(now=time.time(), yes=args.yes, dry_run=args.dry_run, diff=args.diff, keep_state=args.keep_state)
    here, screen = place.find(os.environ), console.standard(os.environ)
    if args.client:
        return uninstall.take_out(here, screen, wish, target.targets(args.client, os.environ))
    others = [one for one in target.targets(CLIENTS, os.environ) if not one.is_default]
    affected = uninstall.affected(others, here.home)
    return uninstall.uninstall(here, screen, wish, manager.look(os.environ), login.look(os.environ), affected)


def _doctor(args: argparse.Namespace) -> int:
    seen = probes.look(place.find(os.environ), os.environ)
    checks = doctor.diagnose(seen, program.this(sys.executable), time.time())
    screen = console.standard(os.environ)
    if args.json:
        screen.say(doctor.as_json(checks))
    else:
        doctor.show(checks, screen)
    return 0 if doctor.is_well(checks) else 1


def _login(args: argparse.Namespace) -> int:
    found = program.find(sys.executable) if args.word == "on" else program.this(sys.executable)
    return login.run(args.word, found, os.environ, console.standard(os.environ), as_json=args.json)
