"""`yourturn log`: what the watcher has observed, in order; with --follow, also what it observes from now on."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING, Any

from contract import paths
from contract.clean import labelled
from contract.status import NEEDS_APPROVAL
from statusbar.cli import output
from statusbar.model import reader
from statusbar.model.rows import session_name
from statusbar.system.filewatch import Changes
from statusbar.text import wording
from statusbar.text.symbols import TROUBLE
from statusbar.text.width import tidy

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from statusbar.cli.output import Printer

POLL_S = 2.0
NONE = "Nothing observed yet. To check whether a watcher is running: yourturn doctor"
DETAIL = 80
WHOLE = 1000
KINDS = {"status_changed": "status", "agent_process_changed": "agent"}


def run(args: argparse.Namespace) -> int:
    path = paths.observations(paths.home())
    log, out, wanted = LogFile(path), output.printer(sys.stdout, os.environ), ids(args.session)
    for words in reader.read(paths.home()).notices(time.time()):
        print(f"{TROUBLE.symbol} {words}", file=sys.stderr, flush=True)
    lines = [*LogFile(path + ".1").new_lines(), *log.new_lines()]
    has_printed = _print(out, args, lines, wanted)
    if not args.follow:
        return 0 if has_printed or args.json else _nothing(args.session if lines else None)
    with Changes(os.path.dirname(path), ".jsonl") as changes:
        while True:
            _print(out, args, log.new_lines(), wanted)
            changes.wait(POLL_S)


def ids(session: str | None) -> tuple[str, ...]:
    """The beginnings of the wanted ids. `session` may also be the name of a running session."""
    sessions = reader.read(paths.home()).sessions
    return (session or "", *(status.session_id for status in sessions if session_name(status) == session))


def _nothing(session: str | None) -> int:
    if session is None:
        print(NONE, file=sys.stderr)
        return 0
    print(f"yourturn: the log has no entries for a session '{tidy(session, 40)}'.", file=sys.stderr)
    return 1


class LogFile:
    """Reads what was added since the last time; a file that was replaced is read from its beginning."""

    def __init__(self, path: str) -> None:
        self._path, self._at, self._file = path, 0, 0

    def new_lines(self) -> list[bytes]:
        try:
            with open(self._path, "rb") as file:
                stat = os.fstat(file.fileno())
                if stat.st_ino != self._file or stat.st_size < self._at:
                    self._at, self._file = 0, stat.st_ino
                file.seek(self._at)
                whole, newline, _half = file.read().rpartition(b"\n")
        except OSError:
            return []
        self._at += len(whole) + len(newline)
        return whole.splitlines()


def _print(out: Printer, args: argparse.Namespace, lines: list[bytes], wanted: tuple[str, ...]) -> bool:
    chosen = list(_chosen(lines, wanted))
    if chosen:
        out.write("".join(f"{json.dumps(entry) if args.json else worded(entry)}\n" for entry in chosen))
    return bool(chosen)


def _chosen(lines: list[bytes], wanted: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for line in lines:
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue  # half a line of a watcher that was killed
        if isinstance(entry, dict) and str(entry.get("session", "")).startswith(wanted):
            yield entry


def worded(entry: dict[str, Any]) -> str:
    """One observation for a person. An agent's own text is quoted, because it may read like an instruction."""
    when = _clock(entry.get("at"))
    who = f"{tidy(entry.get('session'), 64)[:8]} {tidy(entry.get('agent'), 20)}"
    return f"{when}  {who}  {_what(entry)}  [{tidy(entry.get('by'), 40)}]"


def _clock(at: Any) -> str:
    try:
        return time.strftime("%d %b %H:%M:%S", time.localtime(float(at)))
    except (TypeError, ValueError, OverflowError, OSError):
        return "?"  # a time that no calendar has


def _what(entry: dict[str, Any]) -> str:
    kind = tidy(entry.get("kind"), 40)
    if kind in ("status_changed", "agent_process_changed"):
        what = f"{KINDS[kind]}: {_state(entry.get('from')) or 'new'} → {_state(entry.get('to'))}"
        how, detail = wording.spaced(tidy(entry.get("how"), 20)), _detail(entry)
        return what + (f" ({how})" if how else "") + (f", {detail}" if detail else "")
    if kind == "suspended":
        reason = tidy(entry.get("reason"), 20)
        names = entry.get("waits_for")
        on = ", ".join(tidy(name, 20) for name in names) if isinstance(names, list) else ""
        return f"paused, waits for {wording.WAITS_FOR.get(reason, reason)}" + (f": {on}" if on else "")
    return wording.spaced(kind)


def _state(word: Any) -> str:
    return wording.spaced(wording.agent_state(tidy(word, 20)))


def _detail(entry: dict[str, Any]) -> str:
    detail, quote = (tidy(entry.get(key), WHOLE) for key in ("detail", "quote"))
    is_kind_only = entry.get("to") == NEEDS_APPROVAL and not quote
    return tidy(wording.request(detail) if is_kind_only else labelled(detail, quote), DETAIL)
