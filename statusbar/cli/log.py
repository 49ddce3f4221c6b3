"""`yourturn log`: what the watcher has observed, in order; and what follows, as it comes."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING, Any

from contract import paths
from contract.clean import labelled
from statusbar.cli import output
from statusbar.model import reader
from statusbar.model.rows import session_name
from statusbar.system.filewatch import Changes
from statusbar.text.symbols import TROUBLE
from statusbar.text.width import tidy

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from statusbar.cli.output import Paper

POLL_S = 2.0
NONE = "Nothing has been observed yet: `yourturn doctor` says whether a watcher runs."
DETAIL = 80
WHOLE = 1000


def run(args: argparse.Namespace) -> int:
    path = paths.observations(paths.home())
    book, out, wanted = Book(path), output.paper(sys.stdout, os.environ), ids(args.session)
    for words in reader.read(paths.home()).notices(time.time()):
        print(f"{TROUBLE.symbol} {words}", file=sys.stderr, flush=True)
    lines = [*_lines(path + ".1"), *book.news()]
    said = _print(out, args, lines, wanted)
    if not args.follow:
        return 0 if said or args.json else _nothing(args.session if lines else None)
    with Changes(os.path.dirname(path), ".jsonl") as changes:
        while True:
            _print(out, args, book.news(), wanted)
            changes.wait(POLL_S)


def ids(session: str | None) -> tuple[str, ...]:
    """How the ids begin that are meant: it may also be the name of a session that is there."""
    named = [one.session_id for one in reader.read(paths.home()).sessions if session_name(one) == session]
    return (session or "", *named)


def _nothing(session: str | None) -> int:
    if session is None:
        print(NONE, file=sys.stderr)
        return 0
    print(f"yourturn: nothing in the log is about a session '{tidy(session, 40)}'.", file=sys.stderr)
    return 1


class Book:
    """The file as it grows; when it is begun anew, from its beginning."""

    def __init__(self, path: str) -> None:
        self._path, self._at, self._file = path, 0, 0

    def news(self) -> list[bytes]:
        try:
            with open(self._path, "rb") as file:
                there = os.fstat(file.fileno())
                if there.st_ino != self._file or there.st_size < self._at:
                    self._at, self._file = 0, there.st_ino
                file.seek(self._at)
                whole, newline, _half = file.read().rpartition(b"\n")
        except OSError:
            return []
        self._at += len(whole) + len(newline)
        return whole.splitlines()


def _lines(path: str) -> list[bytes]:
    return Book(path).news()


def _print(out: Paper, args: argparse.Namespace, lines: list[bytes], wanted: tuple[str, ...]) -> bool:
    found = list(_chosen(lines, wanted))
    if found:
        out.write("".join(f"{json.dumps(one) if args.json else worded(one)}\n" for one in found))
    return bool(found)


def _chosen(lines: list[bytes], wanted: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for line in lines:
        try:
            one = json.loads(line)
        except (ValueError, RecursionError):
            continue  # half a line of a watcher that was killed
        if isinstance(one, dict) and str(one.get("session", "")).startswith(wanted):
            yield one


def worded(one: dict[str, Any]) -> str:
    """One observation for a person. What an agent says stands in quotes: it is data, and nobody's command."""
    when = _clock(one.get("at"))
    who = f"{tidy(one.get('session'), 64)[:8]} {tidy(one.get('agent'), 20)}"
    return f"{when}  {who}  {_what(one)}  [{tidy(one.get('by'), 40)}]"


def _clock(at: Any) -> str:
    try:
        return time.strftime("%d %b %H:%M:%S", time.localtime(float(at)))
    except (TypeError, ValueError, OverflowError, OSError):
        return "?"  # a time that no calendar has


def _what(one: dict[str, Any]) -> str:
    kind = tidy(one.get("kind"), 40)
    if kind in ("status_changed", "agent_process_changed"):
        what = f"{kind}: {tidy(one.get('from'), 20) or 'new'} → {tidy(one.get('to'), 20)}"
        how = tidy(one.get("how"), 20)
        detail = tidy(labelled(*(tidy(one.get(key), WHOLE) for key in ("detail", "quote"))), DETAIL)
        return what + (f" ({how})" if how else "") + (f", {detail}" if detail else "")
    if kind == "suspended":
        names = one.get("waits_for")
        on = ", ".join(tidy(name, 20) for name in names) if isinstance(names, list) else ""
        return f"suspended: {tidy(one.get('reason'), 20)}" + (f" on {on}" if on else "")
    return kind
