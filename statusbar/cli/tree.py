"""`yourturn tree`: each session with its agents, their states, and the processes below them."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from contract import paths, typed
from processes.table import Probe
from statusbar.cli.session_tree import lineage, session_branch, without_hooks
from statusbar.model import reader, targets
from statusbar.model.listing import in_tree_order
from statusbar.model.targets import Target, Unclear

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from statusbar.model.snapshot import Statuses

CALM = "No agent is running."
OLD = "  (out of date)"
UNKNOWN = "✕ No watcher is running: states are unknown or out of date. Start it: {}"


def run(args: argparse.Namespace) -> int:
    home = paths.home()
    with suppress(FileNotFoundError):
        os.stat(paths.status_dir(home))  # raises if the folder cannot be used: that must not look like "no agent"
    statuses, now = reader.read(home, hosts=True), time.time()
    try:
        chosen = choose(statuses, args.target, show_hidden=args.all, unknown=statuses.unknown(now))
    except Unclear as error:
        print(f"yourturn: {error}", file=sys.stderr)
        return error.exit_code
    everybody = args.all and args.target is None
    old = frozenset({"", *(host.name for host in statuses.hosts)} - statuses.speaking(now))
    print(page(chosen, Probe(), everybody=everybody, as_json=args.json, old=old))
    return 0


def choose(statuses: Statuses, wanted: str | None, *, show_hidden: bool, unknown: str = "") -> list[Target]:
    if wanted is not None:
        return targets.find(statuses, wanted, unknown=unknown)
    shown = [session for session in statuses.sessions if show_hidden or not session.hidden]
    return [Target(session) for session in in_tree_order(shown)]


def page(
    chosen: Sequence[Target], probe: Probe, *, everybody: bool, as_json: bool, old: frozenset[str] = frozenset()
) -> str:
    """The trees of these sessions and agents; with `everybody`, also the agents without hooks.

    `old`: the machines whose states are out of date, "" for this one.
    """
    is_known = "" not in old
    sessions = [target.session for target in chosen]
    pids = [session.pid for session in sessions if session.pid]
    procs = probe.flagged(probe.everyone() if everybody else probe.snapshot(pids))
    tree = lineage(procs, sessions, {proc.pid: proc.start for proc in procs})
    branches = [session_branch(target.session, tree, target.agent) for target in chosen]
    others = without_hooks(tree, pids) if everybody else ()
    if as_json:
        trees = {"sessions": [b.as_json() for b in branches], "others": [b.as_json() for b in others]}
        return json.dumps({"v": 1, **trees, "known": is_known})
    texts = [
        _marked(branch.lines(), is_old=target.session.host in old)
        for target, branch in zip(chosen, branches, strict=True)
    ]
    texts += ["\n".join(branch.lines()) for branch in others]
    return "\n\n".join(([] if is_known else [UNKNOWN.format(typed.command("up"))]) + texts) or CALM


def _marked(lines: Iterable[str], *, is_old: bool) -> str:
    """The first line of a session says when its states are out of date."""
    head, *rest = lines
    return "\n".join([f"{head}{OLD if is_old else ''}", *rest])
