"""`yourturn collect`: the collector from the command line. Front ends start it by themselves."""

from __future__ import annotations

import logging
import os
import sys
import time
from typing import TYPE_CHECKING

from contract import fault, hosts, logfile, paths, store
from fleet.collector import Collector

if TYPE_CHECKING:
    import argparse

PROBED_S, PAUSE_S = 0.3, 0.02

log = logging.getLogger("yourturn")


def run(args: argparse.Namespace) -> int:
    os.chdir("/")  # the folder it was started in may go
    os.umask(0o077)
    home = paths.home()
    store.private_folder(home)
    lock = _take(paths.collector_lock(home))
    if lock is not None:
        store.remove(paths.collector(home))  # what its predecessor said would pass for its own word
    if args.starting_lock is not None:
        os.close(args.starting_lock)
    if lock is None:
        print(f"yourturn: a collector runs already ({paths.collector_lock(home)})", file=sys.stderr)
        return 0 if args.starting_lock is not None else 1
    logfile.start(paths.collector_log(home))
    log.info("collecting: pid %d", os.getpid())
    try:
        Collector(home, args.hosts_file or hosts.chosen(os.environ), lock).run()
    except Exception as error:
        log.critical("crashed: %s", fault.words(error))
        print(f"yourturn: the collector crashed: {fault.words(error)}", file=sys.stderr)
        return 1
    return 0


def _take(path: str) -> int | None:
    """Those who ask whether somebody holds the lock take it for a moment."""
    deadline = time.monotonic() + PROBED_S
    while (lock := store.take(path)) is None and time.monotonic() < deadline:
        time.sleep(PAUSE_S)
    return lock
