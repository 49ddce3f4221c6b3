"""`yourturn watch`: the daemon from the command line."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from typing import TYPE_CHECKING

from contract import fault, paths, typed
from contract.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

INTERRUPTED = 130

log = logging.getLogger("yourturn")


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser], _word: str = "") -> None:
    parser = commands.add_parser(
        "watch",
        help="run the watcher that decides which agents need you",
        description="Turns facts, transcripts, the client's registry and processes into a status for each session. "
        "One watcher runs for each state folder; a newer version replaces an older one.",
        epilog="YOURTURN_EVIDENCE=hooks,transcript,registry,process (any subset) switches sources off. "
        "YOURTURN_IDLE_S sets how long --until-idle waits.",
    )
    parser.add_argument("--until-idle", action="store_true", help="exit after 60 s without a session")
    parser.add_argument("--replace", action="store_true", help="end a running watcher and take its place")
    parser.add_argument("--verbose", action="store_true", help="log to the terminal as well")
    parser.add_argument("--starting-lock", type=int, metavar="FD", help=argparse.SUPPRESS)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    from contract import logfile  # noqa: PLC0415 - other commands need not wait for this, psutil and watchdog
    from watcher.daemon import Daemon  # noqa: PLC0415
    from watcher.instance import Instance, Start  # noqa: PLC0415
    from watcher.loop import Watch  # noqa: PLC0415

    os.chdir("/")  # the folder it was started in may go
    os.umask(0o077)  # logs are rotated into new files
    home, env = paths.home(), os.environ
    used = sources(env)
    instance = Instance(home)
    start = instance.take(replace=args.replace)
    if args.starting_lock is not None:
        os.close(args.starting_lock)
    if start is Start.ALREADY_RUNNING:
        remedy = "" if args.until_idle else f". To take its place: {typed.command('watch --replace')}"
        print(f"yourturn: {start.value} ({paths.watcher_lock(home)}){remedy}", file=sys.stderr)
        return 0 if args.until_idle else 1
    logfile.bound(paths.watcher_errors(home))  # launchd appends to it for ever
    logfile.start(paths.watcher_log(home), verbose=args.verbose)
    log.info("watching: pid %d, version %s, %s", os.getpid(), VERSION, start.value)
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"Watching. Press Ctrl-C to quit. Log: {paths.watcher_log(home)}", file=sys.stderr)
    try:
        watch = Watch(home, env, used)
        daemon = Daemon(watch, args.until_idle, idle(env), instance.is_in_place, instance.predecessor)
        again = daemon.run()
    except Exception as error:
        return _fell_over(home, error)
    finally:
        instance.release()
    if again:
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - the same command, its new version
    return INTERRUPTED if daemon.was_interrupted else 0


def _fell_over(home: str, error: Exception) -> int:
    """Python's own words on it would quote what agents and people wrote, and nobody may see its standard error."""
    from watcher import crash  # noqa: PLC0415

    words = fault.words(error)
    log.critical("crashed: %s", words)
    path = crash.keep(home, error, time.time())
    told = f"a report that you can paste is in {path}" if path else "no report could be written"
    print(f"yourturn: the watcher crashed: {words}; {told}", file=sys.stderr)
    return 1


def sources(env: Mapping[str, str]) -> frozenset[str]:
    """The evidence to use; a name nobody knows is an error, because it would silently switch something off."""
    from watcher.rules.evidence import SOURCES  # noqa: PLC0415

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
