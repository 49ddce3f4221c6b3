"""`yourturn tree`: every family, its agents with their states, and what runs below them."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from contract import paths, pulse
from contract.pulse import Watcher
from contract.status import urgency
from processes.table import Probe
from statusbar.cli.branches import lineage, session_branch, strangers
from statusbar.model import reader

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from contract.status import SessionStatus

CALM = "No agent is running."
OLD = "  (old)"
UNKNOWN = "✕ No watcher runs: the states are unknown, or old. Start it: yourturn up"


def run(args: argparse.Namespace) -> int:
    home = paths.home()
    with suppress(FileNotFoundError):
        os.stat(paths.status_dir(home))  # a folder that cannot be used is not one without agents
    found = reader.read(home).sessions
    shown = [one for one in found if args.all or not one.hidden]
    sessions = sorted(shown, key=lambda one: (urgency(one.status), one.name, one.session_id))
    watcher = pulse.take(home, os.environ)
    is_known = watcher.watcher(time.time()) is Watcher.ALIVE or (watcher.rests and not found)
    print(page(sessions, Probe(), everybody=args.all, as_json=args.json, is_known=is_known))
    return 0


def page(
    sessions: Sequence[SessionStatus], probe: Probe, *, everybody: bool, as_json: bool, is_known: bool = True
) -> str:
    """The families of these sessions; with `everybody`, the agents that no hook tells of too."""
    pids = [one.pid for one in sessions if one.pid]
    procs = probe.flagged(probe.everyone() if everybody else probe.snapshot(pids))
    tree = lineage(procs, sessions, {proc.pid: proc.start for proc in procs})
    branches = [session_branch(one, tree) for one in sessions]
    others = strangers(tree, pids) if everybody else ()
    if as_json:
        told = {"sessions": [b.as_json() for b in branches], "others": [b.as_json() for b in others]}
        return json.dumps({"v": 1, **told, "known": is_known})
    families = [_family(branch.lines(), is_old=not is_known) for branch in branches]
    families += ["\n".join(branch.lines()) for branch in others]
    return "\n\n".join(([] if is_known else [UNKNOWN]) + families) or CALM


def _family(lines: Iterable[str], *, is_old: bool) -> str:
    """What nobody keeps up to date is marked at its head."""
    head, *rest = lines
    return "\n".join([f"{head}{OLD if is_old else ''}", *rest])
