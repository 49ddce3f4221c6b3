"""`yourturn tree`: every family, its agents with their states, and what runs below them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from contract import paths
from watcher.family import lineage, session_branch, strangers
from watcher.processes import Probe
from watcher.publish import Publisher

if TYPE_CHECKING:
    import argparse

CALM = "No agent is running."


def run(args: argparse.Namespace) -> int:
    found = Publisher(paths.home()).inherited().values()
    sessions = sorted((one for one in found if args.all or not one.hidden), key=lambda one: one.name)
    probe = Probe()
    pids = [one.pid for one in sessions if one.pid]
    procs = probe.flagged(probe.everyone() if args.all else probe.snapshot(pids))
    tree = lineage(procs, sessions, {proc.pid: proc.start for proc in procs})
    branches = [session_branch(one, tree) for one in sessions]
    others = strangers(tree, pids) if args.all else ()
    if args.json:
        print(
            json.dumps({"v": 1, "sessions": [b.as_json() for b in branches], "others": [b.as_json() for b in others]})
        )
        return 0
    for branch in (*branches, *others):
        print("\n".join(branch.lines()), end="\n\n")
    if not branches and not others:
        print(CALM)
    return 0
