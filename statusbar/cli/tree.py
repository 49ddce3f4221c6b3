"""`yourturn tree`: each session with its agents, their states, and the processes below them."""

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
from statusbar.cli.branches import lineage, session_branch, without_hooks
from statusbar.model import reader

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from contract.status import SessionStatus

CALM = "No agent is running."
OLD = "  (out of date)"
UNKNOWN = "✕ No watcher is running: states are unknown or out of date. Start it: yourturn up"


def run(args: argparse.Namespace) -> int:
    home = paths.home()
    with suppress(FileNotFoundError):
        os.stat(paths.status_dir(home))  # raises if the folder cannot be used: that must not look like "no agent"
    everyone = reader.read(home).sessions
    shown = [session for session in everyone if args.all or not session.hidden]
    sessions = sorted(shown, key=lambda session: (urgency(session.status), session.name, session.session_id))
    watcher = pulse.take(home, os.environ)
    is_known = watcher.watcher(time.time()) is Watcher.ALIVE or (watcher.rests and not everyone)
    print(page(sessions, Probe(), everybody=args.all, as_json=args.json, is_known=is_known))
    return 0


def page(
    sessions: Sequence[SessionStatus], probe: Probe, *, everybody: bool, as_json: bool, is_known: bool = True
) -> str:
    """The trees of these sessions; with `everybody`, also the agents without hooks."""
    pids = [session.pid for session in sessions if session.pid]
    procs = probe.flagged(probe.everyone() if everybody else probe.snapshot(pids))
    tree = lineage(procs, sessions, {proc.pid: proc.start for proc in procs})
    branches = [session_branch(session, tree) for session in sessions]
    others = without_hooks(tree, pids) if everybody else ()
    if as_json:
        trees = {"sessions": [b.as_json() for b in branches], "others": [b.as_json() for b in others]}
        return json.dumps({"v": 1, **trees, "known": is_known})
    texts = [_marked(branch.lines(), is_old=not is_known) for branch in branches]
    texts += ["\n".join(branch.lines()) for branch in others]
    return "\n\n".join(([] if is_known else [UNKNOWN]) + texts) or CALM


def _marked(lines: Iterable[str], *, is_old: bool) -> str:
    """The first line of a session says when its states are out of date."""
    head, *rest = lines
    return "\n".join([f"{head}{OLD if is_old else ''}", *rest])
