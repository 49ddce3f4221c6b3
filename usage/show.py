"""`yourturn usage`: counts what is new in the transcripts, and prints what was spent."""

from __future__ import annotations

import json
import os
import sys
from shlex import quote
from typing import TYPE_CHECKING

from contract import paths
from contract.clean import clean
from usage import count, days, ledger, prices, report, table
from usage.prices import PricesError
from usage.progress import Progress

if TYPE_CHECKING:
    import argparse
    from datetime import date

    from usage.ledger import Ledger
    from usage.prices import Prices
    from usage.report import Report


def run(args: argparse.Namespace) -> int:
    try:
        known = prices.load(os.environ)
    except PricesError as error:
        print(f"yourturn: {error}", file=sys.stderr)
        return 1
    if args.prices:
        print(_price_page(known), end="")
        return 0
    found, unreadable = ledger.use(paths.home(), lambda book: _count(book, args, known))
    since = args.since.isoformat() if args.since else None
    print(json.dumps(report.as_json(found, since)) if args.json else "\n".join(_page(found, args)))
    if unreadable:
        print(f"yourturn: transcripts that could not be read and are not counted: {unreadable}", file=sys.stderr)
    return 0


def _count(book: Ledger, args: argparse.Namespace, known: Prices) -> tuple[Report, int]:
    with Progress() as progress:
        unreadable = count.look(book, os.environ, progress)
    where = report.places(book.folders())
    rows = book.rows(days.first_quarter(args.since) if args.since else 0)
    meant = [row for row in rows if args.project is None or where.is_in(row.session, args.project)]
    return report.report(meant, args.by, where, known), unreadable


def _page(found: Report, args: argparse.Namespace) -> list[str]:
    if not found.lines:
        return [_nothing(args.project, args.since)]
    return [*table.table(found), "", *table.remarks(found)]


def _nothing(project: str | None, since: date | None) -> str:
    words = "No tokens were counted"
    words += f" in the project {clean(project, 60)}" if project is not None else ""
    return words + (f" since {since}." if since else ".")


def _price_page(known: Prices) -> str:
    """The file in use, as it is: what is printed can be kept as a file and edited."""
    own = prices.own(os.environ)
    advice = "" if known.path == own else f"# To change them, edit a copy: yourturn usage --prices > {quote(own)}\n"
    return f"# In use: {known.path}\n{advice}\n{known.text}"
