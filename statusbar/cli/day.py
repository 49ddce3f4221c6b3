"""`yourturn day`: one day as a picture, in the terminal, as SVG, as PNG or as JSON."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any

from contract import paths
from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from statusbar.cli import json_text, output
from statusbar.day import bars, dates, log
from statusbar.day.picture import picture
from statusbar.day.spans import UNKNOWN
from statusbar.model import observations, reader
from statusbar.text.symbols import TROUBLE
from statusbar.text.width import tidy

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from statusbar.day.log import Known
    from statusbar.day.picture import Picture, Row

WRONG, COULD_NOT = 2, 1
STATES = (NEEDS_APPROVAL, WORKING, WAITING, UNKNOWN)


def run(args: argparse.Namespace) -> int:
    now = time.time()
    try:
        day = dates.day(args.date, now)
    except (ValueError, OverflowError):
        return _refused(f"{tidy(args.date, 40)!r} is no date; write today, yesterday or 2026-11-17")
    if day.begin > now:
        return _refused(f"{tidy(args.date, 40)} is yet to come")
    statuses = reader.read(paths.home(), evidence=False)
    known = log.read(paths.home(), statuses, now)
    if args.project is not None and args.project not in (projects := {one.project for one in known.named}):
        there = ", ".join(sorted(projects - {""})) or "none"
        return _refused(f"the log has no project {tidy(args.project, 40)!r}; it has: {there}")
    drawn = picture(known.history, day, known.named, everything=args.all, project=args.project)
    if (args.svg or args.png) and ((code := _save(drawn, args.svg, args.png)) or not args.json):
        return code
    out = output.printer(sys.stdout, os.environ)
    if args.json:
        out.write(json_text.as_text(as_json(drawn, known), indent=2 if out.is_terminal else None) + "\n")
        return 0
    fits = min(out.size()[0], bars.WIDEST) if out.is_terminal else output.WIDTH
    out.draw(bars.page(drawn, args.width or fits))
    for words in statuses.notices(now) if day.begin <= now < day.end else ():
        print(f"{TROUBLE.symbol} {words}", file=sys.stderr)
    if not known.history.since:
        print(observations.nothing_yet(), file=sys.stderr)
    return 0


def as_json(drawn: Picture, known: Known) -> dict[str, Any]:
    waited = drawn.waited
    folders = {course.session: course.about.cwd for course in known.history.courses if course.about}
    return {
        "v": json_text.VERSION,
        "date": time.strftime("%Y-%m-%d", time.localtime(drawn.day.begin)),
        "begin": drawn.day.begin,
        "end": drawn.day.end,
        "now": drawn.now,
        "known_since": drawn.since or None,
        "gaps_noted_since": drawn.noted_since or None,
        "not_watched": [{"begin": begin, "end": end} for begin, end in drawn.unwatched],
        "waited_for": {
            "seconds": waited.seconds, "blocks": waited.blocks, "at_least_one_seconds": waited.at_least_one,
            "longest": {"seconds": waited.longest, "project": waited.project, "at": waited.at}
            if waited.blocks else None,
        },
        "sessions": [_session(row, folders) for row in drawn.rows],
        "left_out": drawn.idle,
    }  # fmt: skip


def _session(row: Row, folders: Mapping[str, str]) -> dict[str, Any]:
    return {
        "session_id": row.session,
        "name": row.name,
        "project": row.project or None,
        "cwd": folders.get(row.session),
        "hidden": row.hidden,
        "seconds": {status: row.seconds(status) for status in STATES},
        "spans": [
            {"begin": span.begin, "end": span.end, "status": span.status, "running": span.running} for span in row.spans
        ],
        "blocks": [{"begin": block.begin, "end": block.end, "ended": block.how.value} for block in row.blocks],
    }


def _save(drawn: Picture, svg_path: str | None, png_path: str | None) -> int:
    """All is drawn before anything is written."""
    from statusbar.day import png, svg  # noqa: PLC0415 - the terminal needs neither
    from statusbar.system import written_file  # noqa: PLC0415

    text = svg.svg(drawn)
    try:
        files = [(svg_path, text.encode())] if svg_path else []
        files += [(png_path, png.png(text))] if png_path else []
        for path, data in files:
            written_file.write(path, data)
    except png.CannotDrawError as error:
        print(f"yourturn: {error}", file=sys.stderr)
        return COULD_NOT
    except (OSError, ValueError) as error:
        words = getattr(error, "strerror", None) or error
        print(f"yourturn: cannot write {tidy(path, 200)}: {words}", file=sys.stderr)
        return COULD_NOT
    return 0


def _refused(words: str) -> int:
    print(f"yourturn: {words}", file=sys.stderr)
    return WRONG
