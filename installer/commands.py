"""The words of this room on the command line: install, uninstall, doctor, login."""

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

INSTALL = """Write yourturn's hooks into Claude Code's settings ($CLAUDE_CONFIG_DIR/settings.json, by default
~/.claude/settings.json). Everything else in the file stays as it is, and a dated backup is laid beside it.
Where launchd or systemd runs, the watcher can be a service that starts when you log in; without, a hook starts it.
Running it again changes nothing; run it again after yourturn or its Python has moved."""
UNINSTALL = """Take exactly our hooks out of Claude Code's settings again, end the watcher and its service, open nothing
at login any more, and remove your settings of yourturn and what it keeps about your sessions. A settings file of Claude
Code that nobody else has changed is put back byte for byte."""
DOCTOR = """Check every link from Claude Code to the watcher, and say the remedy for each that does not hold.
Exit code 1 if one fails."""
LOGIN = """Have the icon in the menubar or tray, and with it the watcher, open when you log in, or not; without a word,
say whether it does. Written are an agent of launchd on macOS, and an entry in the autostart folder on Linux."""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    one = _parser(subparsers, "install", "put the hooks into Claude Code's settings", INSTALL, _install)
    _add_asking(one)
    help_ = "run the watcher as a service of launchd or systemd, or not; asks if neither is given"
    one.add_argument("--service", action=argparse.BooleanOptionalAction, help=help_)
    one = _parser(subparsers, "uninstall", "take them out again, leaving no trace", UNINSTALL, _uninstall)
    _add_asking(one)
    one.add_argument(
        "--keep-state", action="store_true", help="keep your settings, and what was recorded of your sessions"
    )
    one = _parser(subparsers, "doctor", "check that everything works, and say what to do", DOCTOR, _doctor)
    one.add_argument("--json", action="store_true", help="print the checks as JSON")
    one = _parser(subparsers, "login", "open the icon when you log in, or not", LOGIN, _login)
    one.add_argument("word", nargs="?", choices=("on", "off"), metavar="on|off", help="open it at login, or no longer")
    one.add_argument("--json", action="store_true", help="print how it stands as JSON")


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
    parser.add_argument("--dry-run", "-n", action="store_true", help="show what would change, and change nothing")


def _refusing(command: Callable[[argparse.Namespace], int], args: argparse.Namespace) -> int:
    try:
        return command(args)
    except Refusal as refusal:
        console.standard(os.environ).complain(f"yourturn: {refusal}")
        return 1


def _install(args: argparse.Namespace) -> int:
    wish = Wish(now=time.time(), yes=args.yes, dry_run=args.dry_run, service=args.service)
    found, screen = program.find(sys.executable), console.standard(os.environ)
    code = install.install(place.find(os.environ), found, screen, wish)
    return code or offer.make(manager.look(os.environ), job.of(found, os.environ), screen, wish)


def _uninstall(args: argparse.Namespace) -> int:
    wish = Wish(now=time.time(), yes=args.yes, dry_run=args.dry_run, keep_state=args.keep_state)
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
