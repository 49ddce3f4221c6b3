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
from statusbar.model import reader, targets, titled
from statusbar.model.targets import Ambiguous, NoSuchTarget, Unclear
from statusbar.system.filewatch import Changes
from statusbar.text import wording
from statusbar.text.symbols import TROUBLE
from statusbar.text.width import tidy

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from statusbar.cli.output import Printer
    from statusbar.model.snapshot import Statuses

    Entry = dict[str, Any]
    Wanted = set[tuple[str, str]]  # sessions, each with an agent or ''

POLL_S = 2.0
NONE = "Nothing observed yet. To check whether a watcher is running: yourturn doctor"
DETAIL = 80
WHOLE = 1000
KINDS = {"status_changed": "status", "agent_process_changed": "agent"}


def run(args: argparse.Namespace) -> int:
    if args.audit:
        from statusbar.cli import audit_log  # noqa: PLC0415 - it is built on this module

        return audit_log.run(args)
    path, out = paths.observations(paths.home()), output.printer(sys.stdout, os.environ)
    log, statuses, now = LogFile(path), reader.read(paths.home()), time.time()
    for words in statuses.notices(now):
        print(f"{TROUBLE.symbol} {words}", file=sys.stderr, flush=True)
    entries = list(_entries([*LogFile(path + ".1").new_lines(), *log.new_lines()]))
    try:
        wanted = None if args.session is None else whose(args.session, statuses, entries, statuses.unknown(now))
    except Unclear as error:
        print(f"yourturn: {error}", file=sys.stderr)
        return error.exit_code
    has_printed = _print(out, args, entries, wanted)
    if not args.follow:
        return 0 if has_printed or args.json else _nothing(args.session if entries else None)
    with Changes(os.path.dirname(path), ".jsonl") as changes:
        while True:
            _print(out, args, _entries(log.new_lines()), wanted)
            changes.wait(POLL_S)


def whose(word: str, statuses: Statuses, entries: Iterable[Entry], unknown: str = "") -> Wanted:
    """The target, or a session that has ended: the log knows its id, and nobody knows its name any more."""
    try:
        return {target.key for target in titled.find(statuses, word, unknown=unknown)}
    except NoSuchTarget as error:
        known = {str(entry.get("session", "")) for entry in entries}
        ended = {word} & known or {id_ for id_ in known if word and id_.startswith(word)}
        if not ended:
            raise NoSuchTarget(f"the log has no entries for '{tidy(word, 40)}', and {error}") from None
    if len(ended) > 1:
        there = "\n".join(f"  {tidy(id_, 64)}  ended" for id_ in sorted(ended)[: targets.LISTED])
        raise Ambiguous(f"'{tidy(word, 40)}' matches several sessions in the log:\n{there}")
    return {(id_, "") for id_ in ended}


def _nothing(session: str | None) -> int:
    what = NONE if session is None else f"The log has no entries for '{tidy(session, 40)}' yet."
    print(what, file=sys.stderr)
    return 0


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


def _print(out: Printer, args: argparse.Namespace, entries: Iterable[Entry], wanted: Wanted | None) -> bool:
    chosen = [entry for entry in entries if wanted is None or _is_wanted(entry, wanted)]
    if chosen:
        out.write("".join(f"{json.dumps(entry) if args.json else worded(entry)}\n" for entry in chosen))
    return bool(chosen)


def _is_wanted(entry: Entry, wanted: Wanted) -> bool:
    session, agent = entry.get("session"), entry.get("agent")
    return isinstance(session, str) and ((session, "") in wanted or (session, str(agent)) in wanted)


def _entries(lines: Iterable[bytes]) -> Iterator[Entry]:
    for line in lines:
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue  # half a line of a watcher that was killed
        if isinstance(entry, dict):
            yield entry


def worded(entry: dict[str, Any]) -> str:
    """One observation for a person. An agent's own text is quoted, because it may read like an instruction."""
    when = clock(entry.get("at"))
    who = f"{tidy(entry.get('session'), 64)[:8]} {tidy(entry.get('agent'), 20)}"
    return f"{when}  {who}  {_what(entry)}  [{tidy(entry.get('by'), 40)}]"


def clock(at: Any) -> str:
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
