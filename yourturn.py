"""The `yourturn` command: finds the package that has the wanted command, and runs it."""

from __future__ import annotations

import argparse
import io
import os
import sys
from importlib import import_module

ROOMS = {
    "statusbar.commands": (
        "status", "explain", "top", "line", "log", "tree", "go", "config", "demo", "notify", "tray", "menubar",
    ),
    "watcher.watch": ("watch",),
    "installer.commands": ("install", "uninstall", "doctor", "login"),
}  # fmt: skip
HERE = os.path.dirname(os.path.abspath(__file__))
PATIENCE_S = 5.0
EXPECTED, INTERRUPTED = 1, 130


def parser(word: str = "") -> argparse.ArgumentParser:
    """Only the package of the wanted command is imported: `yourturn status` must not wait for the others."""
    from contract.version import VERSION  # noqa: PLC0415 - found only once the rooms are

    made = argparse.ArgumentParser(
        prog="yourturn",
        description="Shows which of your coding agents need you, which are working, which are waiting.",
        epilog="State is stored in $YOURTURN_HOME, or if that is not set, in the platform's state folder. "
        "For more: yourturn COMMAND --help",
    )
    made.add_argument("--version", action="version", version=f"yourturn {VERSION}")
    commands = made.add_subparsers(title="commands", metavar="COMMAND", required=True)
    known = [room for room, words in ROOMS.items() if word in words]
    for room in known or ROOMS:
        import_module(room).register(commands)
    bar = commands.add_parser(
        "up",
        help="start the watcher if needed, and show your agents",
        description="Starts the watcher if none is running, then shows your agents: in the menu bar or tray, or live "
        "in the terminal, or as a table printed once.",
    )
    bar.add_argument("--demo", action="store_true", help="run the demo if there is no agent to show")
    bar.add_argument("--at-login", action="store_true", help="show the icon, and wait until the desktop can show it")
    bar.set_defaults(func=up)
    return made


def up(args: argparse.Namespace) -> int:
    from contract import launch, paths, store  # noqa: PLC0415 - only this command needs them
    from statusbar import front  # noqa: PLC0415
    from statusbar.settings import settings  # noqa: PLC0415
    from statusbar.top import app  # noqa: PLC0415

    home = paths.home()
    store.private_folder(home)
    is_ours = launch.is_allowed(os.environ) and launch.ensure_watcher(home, os.environ)
    if args.at_login:
        return main(["menubar"] if sys.platform == "darwin" else ["tray", "--wait"])
    possible = front.possible(os.environ, is_terminal=not app.refusal())
    chosen = front.choose(settings.load(os.environ).front, possible)
    # A table that is printed once must wait until the new watcher has looked once.
    patience_s = PATIENCE_S if launch.is_allowed(os.environ) else 0.0
    has_agents = front.has_agents(home, patience_s) if args.demo or not chosen else True
    if not args.demo or has_agents:
        front.announce(chosen)
        return main([front.COMMANDS[chosen]] if chosen else ["status"])
    try:
        return main(["demo"] if chosen else ["demo", "--speed", "8"])
    finally:
        if is_ours:
            dismiss_watcher(home)


def dismiss_watcher(home: str) -> None:
    """End the watcher that was started for the demo, unless it has found a session, or a service has replaced it."""
    from statusbar.model import reader  # noqa: PLC0415
    from watcher import instance  # noqa: PLC0415

    statuses = reader.read(home)
    if statuses.heartbeat and statuses.heartbeat.mode == "until-idle" and not statuses.sessions:
        instance.end(statuses.heartbeat)


def find_the_rooms() -> None:
    """First of all, as site-packages may have another `installer`. Never at import, which may be somebody else's."""
    if sys.path[:1] != [HERE]:
        sys.path.insert(0, HERE)


def main(argv: list[str] | None = None) -> int:
    argv = sys.argv[1:] if argv is None else argv
    find_the_rooms()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # ? for a symbol that the terminal's encoding does not have
    try:
        args = parser(argv[0] if argv else "").parse_args(argv)
        return int(args.func(args))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader has closed the pipe, as in `yourturn status | head`
        return EXPECTED
    except OSError as error:
        print(f"yourturn: {error}", file=sys.stderr)
        return EXPECTED
    finally:
        _say_the_rest()


def _say_the_rest() -> None:
    """Flushed here, because at exit Python would print its own error about a closed pipe or a full disk."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
