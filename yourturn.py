"""The people's front door: the `yourturn` command, a thin dispatch to the rooms."""

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
    """For one word only its own room is entered: `yourturn status` does not wait for the others."""
    from contract.version import VERSION  # noqa: PLC0415 - found only once the rooms are

    made = argparse.ArgumentParser(
        prog="yourturn",
        description="Which of your coding agents is blocked on you, which one works, which one waits.",
        epilog="State lies in $YOURTURN_HOME, else in the platform's state folder. "
        "`yourturn COMMAND --help` tells more.",
    )
    made.add_argument("--version", action="version", version=f"yourturn {VERSION}")
    commands = made.add_subparsers(title="commands", metavar="COMMAND", required=True)
    known = [room for room, words in ROOMS.items() if word in words]
    for room in known or ROOMS:
        import_module(room).register(commands)
    bar = commands.add_parser(
        "up",
        help="start what is missing and show the bar",
        description="Makes sure that a watcher runs, then shows your agents: in the menubar or tray, else live in the "
        "terminal, else once as a table.",
    )
    bar.add_argument("--demo", action="store_true", help="play a story if there is no agent to show")
    bar.add_argument("--at-login", action="store_true", help="show the icon, and wait until there is a place for it")
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
    # What is printed only once must not be printed before the new watcher has had its first look.
    patience_s = PATIENCE_S if launch.is_allowed(os.environ) else 0.0
    is_there = front.is_anybody_there(home, patience_s) if args.demo or not chosen else True
    if not args.demo or is_there:
        front.announce(chosen)
        return main([front.WORDS[chosen]] if chosen else ["status"])
    try:
        return main(["demo"] if chosen else ["demo", "--speed", "8"])
    finally:
        if is_ours:
            dismiss_watcher(home)


def dismiss_watcher(home: str) -> None:
    """End the one that was started for a play, unless it has found somebody, or is a service that took its place."""
    from statusbar.model import reader  # noqa: PLC0415
    from watcher import instance  # noqa: PLC0415

    found = reader.read(home)
    if found.heartbeat and found.heartbeat.mode == "until-idle" and not found.sessions:
        instance.end(found.heartbeat)


def find_the_rooms() -> None:
    """First of all, as site-packages may have another `installer`. Never at import, which may be somebody else's."""
    if sys.path[:1] != [HERE]:
        sys.path.insert(0, HERE)


def main(argv: list[str] | None = None) -> int:
    argv = sys.argv[1:] if argv is None else argv
    find_the_rooms()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot say a symbol says ?
    try:
        args = parser(argv[0] if argv else "").parse_args(argv)
        return int(args.func(args))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader has gone, as in `yourturn status | head`
        return EXPECTED
    except OSError as error:
        print(f"yourturn: {error}", file=sys.stderr)
        return EXPECTED
    finally:
        _say_the_rest()


def _say_the_rest() -> None:
    """Here and not at Python's own end, which would complain once more of a reader that has gone, or of a full disk."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
