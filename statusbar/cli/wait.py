"""`yourturn wait`: blocks until agents are as they were waited for, and prints what ended the wait."""

from __future__ import annotations

import math
import os
import sys
import time
from typing import TYPE_CHECKING, Any

from contract import paths
from contract.hosts import as_its_own
from contract.status import STATES
from statusbar.cli import json_text, output
from statusbar.model.live import Live
from statusbar.model.targets import Unclear
from statusbar.model.wait_progress import Change, WaitProgress
from statusbar.model.wait_words import GONE
from statusbar.system.filewatch import folder_identity
from statusbar.text import ages, wording
from statusbar.text.symbols import LOOKS, TROUBLE
from statusbar.text.width import tidy

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from statusbar.model.snapshot import Statuses

COULD_NOT, TIMED_OUT = 1, 124
REACHED, TIMEOUT = "reached", "timeout"
LONG = 200


def run(args: argparse.Namespace) -> int:
    out = output.printer(sys.stdout, os.environ)
    deadline = time.monotonic() + (math.inf if args.timeout is None else args.timeout)
    with Live(paths.home()) as live:
        try:
            return _wait(args, out, live, deadline)
        except Unclear as error:
            print(f"yourturn: {error}", file=sys.stderr)
            return error.exit_code


def _wait(args: argparse.Namespace, out: output.Printer, live: Live, deadline: float) -> int:
    progress, ground, told = WaitProgress(args.target, args.wanted, every=args.every), Ground(live.home), Told()
    while True:
        live.look()
        live.drawn(live.now + ages.LONGEST)  # it draws no ages
        if ground.is_firm(live.statuses, live.now):
            end = progress.look(live.statuses.up_to_date(live.now))
            if end:
                _say(args, out, REACHED if end.is_reached else GONE, end.changes)
                return 0 if end.is_reached else COULD_NOT
            told.lost(progress.lost())
        else:
            told.unknown(live.statuses.notices(live.now))
        left = deadline - time.monotonic()
        if left <= 0:
            _say(args, out, TIMEOUT, progress.changes())
            return TIMED_OUT
        live.wait(at_most=left)


class Ground:
    """Whether it can be told who is there. A target whose folder vanished is not gone: it is unknown.

    A watcher does not notice that its folder was emptied. So another folder says who is gone only if another watcher
    has looked since.
    """

    def __init__(self, home: str) -> None:
        self._folder = paths.status_dir(home)
        self._known: tuple[Any, Any] | None = None

    def is_firm(self, statuses: Statuses, now: float) -> bool:
        if not statuses.is_well(now):
            return False
        folder, watcher = folder_identity(self._folder), statuses.heartbeat and statuses.heartbeat[:2]
        known = self._known or (folder, watcher)
        if folder != known[0] and (folder is None or watcher == known[1]):
            return False
        self._known = folder, watcher
        return True


class Told:
    """Each thing is said once, on the standard error."""

    def __init__(self) -> None:
        self._said: set[object] = set()

    def unknown(self, notices: Iterable[str]) -> None:
        words = " ".join(notices) or "The folder of the statuses is gone: state unknown."
        self._once("unknown", f"{TROUBLE.symbol} {words} Waiting until it is known.")

    def lost(self, changes: Iterable[Change]) -> None:
        for change in changes:
            self._once(change.target.key, f"yourturn: {change.target.name} is gone; waiting for the others")

    def _once(self, what: object, words: str) -> None:
        if what not in self._said:
            print(words, file=sys.stderr, flush=True)
        self._said.add(what)


def _say(args: argparse.Namespace, out: output.Printer, result: str, changes: Iterable[Change]) -> None:
    if args.json:
        found = {"v": json_text.VERSION, "for": args.wanted, "result": result}
        out.write(json_text.as_text({**found, "targets": [_record(change) for change in changes]}) + "\n")
    elif result == REACHED:
        out.write("".join(f"{worded(change)}\n" for change in changes))
    if result != REACHED:
        why = "is gone before that" if result == GONE else f"not within {args.timeout:g} s"
        lines = "".join(f"\n  {worded(change)}" for change in changes)
        print(f"yourturn: waited for {args.wanted}: {why}{lines}", file=sys.stderr)


def worded(change: Change) -> str:
    """Who, from, to, detail. One that was so already has not changed."""
    detail = "" if change.after == GONE else wording.detail(change.target.status, LONG)
    states = dict.fromkeys((_word(change.before), _word(change.after)))
    return f"{change.id}  {change.target.name}  {' → '.join(states)}" + (f": {detail}" if detail else "")


def _word(state: str) -> str:
    return LOOKS[state].word if state in STATES else state or "new"


def _record(change: Change) -> dict[str, Any]:
    session, status = change.target.session, change.target.status
    return {
        "id": change.id, "session_id": as_its_own(session).session_id, "host": session.host,
        "agent": change.target.key[1] or None,
        "name": change.target.name, "from": change.before or None, "to": change.after,
        "detail": "" if change.after == GONE else tidy(status.detail, LONG),
        "quote": "" if change.after == GONE else tidy(status.quote, LONG),
    }  # fmt: skip
