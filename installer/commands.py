"""The commands install, uninstall, doctor and login, with their options."""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import TYPE_CHECKING

from installer import console, install, login, place, uninstall
from installer.doctor import doctor, probes
from installer.hooks import program
from installer.place import Wish
from installer.refusal import Refusal
from installer.services import job, manager, offer

if TYPE_CHECKING:
    from collections.abc import Callable

INSTALL = """Add yourturn's hooks to Claude Code's settings ($CLAUDE_CONFIG_DIR/settings.json, by default
~/.claude/settings.json). Nothing else in the file changes, and a dated backup is saved next to it. Where launchd or
systemd is running, the watcher can be a service that starts when you log in; without the service, a hook starts it.
Running install again changes nothing. Run it again after you have moved yourturn or its Python. If yourturn is a plugin
of Claude Code, its hooks are there already: install refuses to add them a second time, and --service still works."""
UNINSTALL = """Remove yourturn's hooks from Claude Code's settings, stop the watcher and its service, remove the login
entry, and delete your yourturn settings and what it has recorded about your sessions. If nobody else has changed
Claude Code's settings file, it is restored byte for byte."""
DOCTOR = """Check everything from Claude Code to the watcher, and print how to fix what does not work. Exit code 1 if a
check fails."""
LOGIN = """Choose whether the menu bar or tray icon, and with it the watcher, opens when you log in; with no argument,
shows the current setting. On macOS it is stored as a launchd agent, on Linux as an entry in the autostart folder."""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser], _word: str = "") -> None:
    command = _parser(subparsers, "install", "add the hooks to Claude Code's settings", INSTALL, _install)
    _add_asking(command)
    help_ = "run the watcher as a launchd or systemd service, or not; asks if neither is given"
    command.add_argument("--service", action=argparse.BooleanOptionalAction, help=help_)
    command = _parser(subparsers, "uninstall", "remove everything that yourturn has installed", UNINSTALL, _uninstall)
    _add_asking(command)
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


def _refusing(command: Callable[[argparse.Namespace], int], args: argparse.Namespace) -> int:
    try:
        return command(args)
    except Refusal as refusal:
        console.standard(os.environ).complain(f"yourturn: {refusal}")
        return refusal.code


def _install(args: argparse.Namespace) -> int:
    wish = Wish(now=time.time(), yes=args.yes, dry_run=args.dry_run, diff=args.diff, service=args.service)
    found, screen = program.find(sys.executable), console.standard(os.environ)
    code = install.install(place.find(os.environ), found, screen, wish)
    return code or offer.make(manager.look(os.environ), job.of(found, os.environ), screen, wish)


def _uninstall(args: argparse.Namespace) -> int:
    wish = Wish(now=time.time(), yes=args.yes, dry_run=args.dry_run, diff=args.diff, keep_state=args.keep_state)
    here, screen = place.find(os.environ), console.standard(os.environ)
    return uninstall.uninstall(here, screen, wish, manager.look(os.environ), login.look(os.environ))


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
