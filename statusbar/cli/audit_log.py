"""`yourturn log --audit`: who started or ended an agent, or was refused; with --follow, also from now on."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from contract import paths
from statusbar.cli import output
from statusbar.cli.log import POLL_S, LogFile, clock
from statusbar.model import reader, targets
from statusbar.model.observations import parsed
from statusbar.model.targets import NoSuchTarget, Unclear
from statusbar.system.filewatch import Changes
from statusbar.text.width import tidy

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from statusbar.model.snapshot import Statuses

    Entry = dict[str, Any]

NONE = "Nobody has started or ended an agent with yourturn yet."
SHORT, NAME, REASON = 8, 40, 200


def run(args: argparse.Namespace) -> int:
    path, out = paths.audit(paths.home()), output.printer(sys.stdout, os.environ)
    log = LogFile(path)
    entries = list(parsed([*LogFile(path + ".1").new_lines(), *log.new_lines()]))
    try:
        wanted = None if args.session is None else whose(args.session, reader.read(paths.home()), entries)
    except Unclear as error:
        print(f"yourturn: {error}", file=sys.stderr)
        return error.exit_code
    out.write(_page(entries, wanted, as_json=args.json))
    if not args.follow:
        if not entries and not args.json:
            print(NONE, file=sys.stderr)
        return 0
    with Changes(os.path.dirname(path), suffix=".jsonl") as changes:
        while True:
            changes.wait(POLL_S)
            out.write(_page(parsed(log.new_lines()), wanted, as_json=args.json))


def whose(word: str, statuses: Statuses, entries: Iterable[Entry]) -> set[str]:
    """The sessions of the target; or those that were called so, or whose ids begin so, and have ended."""
    subjects = [_part(entry, "target") for entry in entries]
    named = {str(one.get("session")) for one in subjects if word in (one.get("session"), one.get("name"))}
    begun = {str(one.get("session")) for one in subjects if word and str(one.get("session")).startswith(word)}
    try:
        return named | {target.session.session_id for target in targets.find(statuses, word)}
    except NoSuchTarget as error:
        if named or begun:
            return named or begun
        raise NoSuchTarget(f"the audit has no entries for '{tidy(word, NAME)}', and {error}") from None


def _page(entries: Iterable[Entry], wanted: set[str] | None, *, as_json: bool) -> str:
    chosen = (entry for entry in entries if wanted is None or _part(entry, "target").get("session") in wanted)
    return "".join(f"{json.dumps(entry) if as_json else worded(entry)}\n" for entry in chosen)


def worded(entry: dict[str, Any]) -> str:
    """`17 Nov 08:26:03  kill 9df7420c proj-1, process 77: ended (SIGTERM)  [terminal, bash]`."""
    target, by = _part(entry, "target"), _part(entry, "by")
    short, name = tidy(target.get("session"), NAME)[:SHORT], tidy(target.get("name"), NAME)
    process = f", process {tidy(str(target['pid']), NAME)}" if target.get("pid") else ""
    who = f"{short} {name}" if name not in ("", short) else short
    signal, reason = tidy(entry.get("signal"), NAME), tidy(entry.get("reason"), REASON)
    outcome = tidy(entry.get("outcome"), NAME) + (f" ({signal})" if signal else "") + (f": {reason}" if reason else "")
    asked = " ".join(word for word in (tidy(by.get("kind"), NAME), tidy(by.get("session"), NAME)[:SHORT]) if word)
    program = tidy(by.get("program"), NAME)
    head = f"{clock(entry.get('at'))}  {tidy(entry.get('verb'), NAME)} {who}{process}"
    return f"{head}: {outcome}  [{asked}{f', {program}' if program else ''}]"


def _part(entry: dict[str, Any], name: str) -> dict[str, Any]:
    found = entry.get(name)
    return found if isinstance(found, dict) else {}
