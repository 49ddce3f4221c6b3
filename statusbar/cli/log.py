"""`yourturn log`: what was observed, here and elsewhere, and what was refused; with --follow, also from now on."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING, Any

from contract import paths
from contract.clean import labelled
from contract.observed import FILE, HOST, SESSION, WATCHING
from contract.status import NEEDS_APPROVAL
from statusbar.cli import output, refusals
from statusbar.model import reader, targets, targets_by_title
from statusbar.model.observations import nothing_yet, parsed
from statusbar.model.targets import Ambiguous, NoSuchTarget, Unclear
from statusbar.system.filewatch import Changes
from statusbar.text import ages, wording
from statusbar.text.symbols import TROUBLE
from statusbar.text.width import tidy

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from statusbar.cli.output import Printer
    from statusbar.model.snapshot import Statuses

    Entry = dict[str, Any]
    Wanted = set[tuple[str, str]]  # sessions, each with an agent or ''

POLL_S = 2.0
DETAIL = 80
WHOLE = 1000
KINDS = {"status_changed": "status", "agent_process_changed": "agent"}


def run(args: argparse.Namespace) -> int:
    if args.audit:
        from statusbar.cli import audit_log  # noqa: PLC0415 - it is built on this module

        return audit_log.run(args)
    home, out = paths.home(), output.printer(sys.stdout, os.environ)
    log, statuses, now = Log(home), reader.read(home, hosts=True), time.time()
    for words in statuses.notices(now):
        print(f"{TROUBLE.symbol} {words}", file=sys.stderr, flush=True)
    known = log.all()
    try:
        wanted = None if args.session is None else whose(args.session, statuses, known, statuses.unknown(now))
    except Unclear as error:
        print(f"yourturn: {error}", file=sys.stderr)
        return error.exit_code
    has_printed = _print(out, args, known, wanted)
    if not args.follow:
        return 0 if has_printed or args.json else _nothing(args.session if known else None)
    with Changes(home, paths.hosts_dir(home), suffix=".jsonl") as changes:
        while True:
            _print(out, args, log.new(), wanted)
            changes.wait(POLL_S)


def whose(word: str, statuses: Statuses, log: Iterable[Entry], unknown: str = "") -> Wanted:
    """The target, or a session that has ended: the log knows its id, and nobody knows its name any more."""
    try:
        return {target.key for target in targets_by_title.find(statuses, word, unknown=unknown)}
    except NoSuchTarget as error:
        known = {_session(entry) for entry in log}
        ended = {word} & known or {id_ for id_ in known if word and id_.startswith(word)}
        if not ended:
            raise NoSuchTarget(f"the log has no entries for '{tidy(word, 40)}', and {error}") from None
    if len(ended) > 1:
        there = "\n".join(f"  {tidy(id_, 64)}  ended" for id_ in sorted(ended)[: targets.LISTED])
        raise Ambiguous(f"'{tidy(word, 40)}' matches several sessions in the log:\n{there}")
    return {(id_, "") for id_ in ended}


def _nothing(session: str | None) -> int:
    what = nothing_yet() if session is None else f"The log has no entries for '{tidy(session, 40)}' yet."
    print(what, file=sys.stderr)
    return 0


class Log:
    """What was observed on this machine and on others, and what was refused."""

    def __init__(self, home: str) -> None:
        self._paths = paths.observations(home), paths.other_observations(home), paths.audit(home)
        self._files = [LogFile(path) for path in self._paths]

    def all(self) -> list[Entry]:
        """In order, those of the files that were put aside too."""
        return _in_order([*_entries([LogFile(path + ".1") for path in self._paths]), *self.new()])

    def new(self) -> list[Entry]:
        """Since the last time."""
        return _in_order(_entries(self._files))


def _entries(files: Sequence[LogFile]) -> list[Entry]:
    here, away, asked = (parsed(file.new_lines()) for file in files)
    return [*here, *away, *refusals.observed(asked)]


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


def _print(out: Printer, args: argparse.Namespace, found: Iterable[Entry], wanted: Wanted | None) -> bool:
    told = found if args.json else (entry for entry in found if is_told(entry))
    chosen = [entry for entry in told if wanted is None or _is_wanted(entry, wanted)]
    if chosen:
        out.write("".join(f"{json.dumps(entry) if args.json else worded(entry)}\n" for entry in chosen))
    return bool(chosen)


def _is_wanted(entry: Entry, wanted: Wanted) -> bool:
    session, agent = _session(entry), str(entry.get("agent"))
    keys = {agent, f"{agent}@{entry['host']}" if entry.get("host") else agent}
    return (session, "") in wanted or any((session, key) in wanted for key in keys)


def _session(entry: Entry) -> str:
    """Its id, as the board has it: with the machine, if that is another one."""
    id_, host = entry.get("session"), entry.get("host")
    id_ = id_ if isinstance(id_, str) else ""
    return f"{id_}@{host}" if id_ and host and isinstance(host, str) else id_


def is_told(entry: dict[str, Any]) -> bool:
    """Whether a person is told of it: how a session stands has been said of its agents already."""
    return entry.get("kind") != SESSION and (entry.get("kind"), entry.get("by")) != (WATCHING, FILE)


def _in_order(found: list[Entry]) -> list[Entry]:
    """Each file is in order. One that says no time keeps its place after the one before it."""
    at, times = 0.0, []
    for entry in found:
        said = entry.get("at")
        at = ages.moment(said) if isinstance(said, int | float) else at
        times.append(at)
    return [entry for _at, entry in sorted(zip(times, found, strict=True), key=lambda pair: pair[0])]


def worded(entry: dict[str, Any]) -> str:
    """One observation for a person. An agent's own text is quoted, because it may read like an instruction."""
    when = clock(entry.get("at"))
    if entry.get("kind") == WATCHING:
        return f"{when}  watcher  {_watching(entry)}  [{tidy(entry.get('by'), 40)}]"
    place = tidy(entry.get("host"), 24)
    if entry.get("kind") == HOST:
        return f"{when}  {place}  {_reached(entry)}"
    who = f"{place}:" if place else ""
    who += f"{tidy(entry.get('session'), 64)[:8]} {tidy(entry.get('agent'), 20)}"
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
    if kind == refusals.KIND:
        return f"{tidy(entry.get('verb'), 20)} refused: {tidy(entry.get('reason'), WHOLE)}"
    if kind == "suspended":
        reason = tidy(entry.get("reason"), 20)
        names = entry.get("waits_for")
        on = ", ".join(tidy(name, 20) for name in names) if isinstance(names, list) else ""
        return f"paused, waits for {wording.WAITS_FOR.get(reason, reason)}" + (f": {on}" if on else "")
    return wording.spaced(kind)


def _reached(entry: dict[str, Any]) -> str:
    why = tidy(entry.get("why"), WHOLE)
    return wording.spaced(tidy(entry.get("to"), 20)) + (f": {why}" if why else "")


def _watching(entry: dict[str, Any]) -> str:
    since = entry.get("since")
    if entry.get("rested"):
        return f"watches again, nothing was running since {clock(since)}"
    return f"watches again, state unknown since {clock(since)}" if since else "watches"


def _state(word: Any) -> str:
    return wording.spaced(wording.agent_state(tidy(word, 20)))


def _detail(entry: dict[str, Any]) -> str:
    detail, quote = (tidy(entry.get(key), WHOLE) for key in ("detail", "quote"))
    is_kind_only = entry.get("to") == NEEDS_APPROVAL and not quote
    return tidy(wording.request(detail) if is_kind_only else labelled(detail, quote), DETAIL)
