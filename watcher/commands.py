"""`yourturn watch`: the daemon from the command line."""

from __future__ import annotations

import argparse
import logging
import logging.handlers
import os
import sys
from typing import TYPE_CHECKING

from contract import paths
from contract.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

LOG_BYTES = 256 << 10
INTERRUPTED = 130


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "watch",
        help="run the watcher that decides who needs you",
        description="Turns facts, transcripts, the client's registry and processes into a status for each session. "
        "One watcher runs for each state folder; a newer version replaces an older one.",
        epilog="YOURTURN_EVIDENCE=hooks,transcript,registry,process (any subset) switches sources off. "
        "YOURTURN_IDLE_S sets how long --until-idle waits.",
    )
    parser.add_argument("--until-idle", action="store_true", help="end after 60 s without a live session")
    parser.add_argument("--replace", action="store_true", help="end a watcher that runs already and take its place")
    parser.add_argument("--verbose", action="store_true", help="log to the terminal as well")
    parser.add_argument("--starting-lock", type=int, metavar="FD", help=argparse.SUPPRESS)
    parser.set_defaults(func=run)
    tree = commands.add_parser(
        "tree",
        help="show the families: agents, sub-agents, teammates, commands",
        description="Each session with its agents and their states, and the processes that run below its client.",
    )
    tree.add_argument("--json", action="store_true", help="print JSON for other programs")
    tree.add_argument(
        "--all", "-a", action="store_true", help="helpers' sessions, and agents that no hook tells of, too"
    )
    tree.set_defaults(func=_tree)


def _tree(args: argparse.Namespace) -> int:
    from watcher import tree  # noqa: PLC0415 - as above

    return tree.run(args)


def run(args: argparse.Namespace) -> int:
    from watcher.daemon import Daemon  # noqa: PLC0415 - other commands need not wait for psutil and watchdog
    from watcher.instance import Instance, Start  # noqa: PLC0415
    from watcher.loop import Watch  # noqa: PLC0415

    os.chdir("/")  # the folder it was started in may go
    os.umask(0o077)  # logs are rotated into new files
    home, env = paths.home(), os.environ
    instance = Instance(home)
    start = instance.take(replace=args.replace)
    if args.starting_lock is not None:
        os.close(args.starting_lock)
    if start is Start.ALREADY_RUNNING:
        remedy = "" if args.until_idle else ". To take its place: yourturn watch --replace"
        print(f"yourturn: {start.value} ({paths.watcher_lock(home)}){remedy}", file=sys.stderr)
        return 0 if args.until_idle else 1
    _log_to(home, verbose=args.verbose)
    logging.getLogger("yourturn").info("watching: pid %d, version %s, %s", os.getpid(), VERSION, start.value)
    watch = Watch(home, env, sources(env))
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"Watching; Ctrl-C ends it. Its log is {paths.watcher_log(home)}", file=sys.stderr)
    try:
        daemon = Daemon(watch, until_idle=args.until_idle, idle_s=idle(env), is_in_place=instance.is_in_place)
        again = daemon.run()
    finally:
        instance.release()
    if again:
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - the same command, its new version
    return INTERRUPTED if daemon.was_interrupted else 0


def sources(env: Mapping[str, str]) -> frozenset[str]:
    """The evidence to use; a name nobody knows is an error, because it would silently switch something off."""
    from watcher.evidence import SOURCES  # noqa: PLC0415

    said = env.get("YOURTURN_EVIDENCE", "")
    named = frozenset(name.strip() for name in said.split(",") if name.strip())
    unknown = named - SOURCES
    if unknown:
        raise OSError(
            f"YOURTURN_EVIDENCE: unknown source {', '.join(sorted(unknown))}; known: {', '.join(sorted(SOURCES))}"
        )
    return named or SOURCES


def idle(env: Mapping[str, str]) -> float:
    from watcher.daemon import IDLE_S  # noqa: PLC0415

    try:
        return max(0.0, float(env.get("YOURTURN_IDLE_S", "")))
    except ValueError:
        return IDLE_S


def _log_to(home: str, *, verbose: bool) -> None:
    handler = logging.handlers.RotatingFileHandler(paths.watcher_log(home), maxBytes=LOG_BYTES, backupCount=1)
    os.chmod(paths.watcher_log(home), 0o600)
    handlers: list[logging.Handler] = [handler, *([logging.StreamHandler()] if verbose else [])]
    logging.basicConfig(
        level=logging.INFO, handlers=handlers, format="%(asctime)s %(levelname)s %(message)s", force=True
    )
