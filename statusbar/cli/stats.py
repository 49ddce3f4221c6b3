"""`yourturn stats`: how quickly people answered, and what the agents did, in numbers."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any

from contract import paths
from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from statusbar.cli import json_text, output
from statusbar.cli.pieces import GAP, Piece
from statusbar.day import dates, log
from statusbar.day.blocks import Ended
from statusbar.day.sentences import moment
from statusbar.day.spans import UNKNOWN
from statusbar.day.stats import stats
from statusbar.model import observations, reader
from statusbar.text.ages import lasting
from statusbar.text.symbols import TROUBLE
from statusbar.text.width import pad, tidy, width

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from statusbar.cli.pieces import Line
    from statusbar.day.history import History
    from statusbar.day.stats import Stats

WRONG = 2
TITLES = ("PROJECT", "SESSIONS", "WORKED", "WAITED", "BLOCKED", "BLOCKS", "UNKNOWN")
NONE = "-"
LABEL = 17
LEFT_OUT = {
    Ended.UNSEEN: "whose beginning or end was not seen",
    Ended.SESSION_ENDED: "that ended with the session",
    Ended.OPEN: "still open",
}


def run(args: argparse.Namespace) -> int:
    now = time.time()
    try:
        since = dates.since(args.since, now)
    except (ValueError, OverflowError):
        words = f"{tidy(args.since, 40)!r} is no time; write 12h, 7d, 2w, today, yesterday or 2026-11-17"
        print(f"yourturn: {words}", file=sys.stderr)
        return WRONG
    statuses = reader.read(paths.home(), evidence=False)
    known = log.read(paths.home(), statuses, now)
    found = stats(known.history, known.named, since)
    out = output.printer(sys.stdout, os.environ)
    if args.json:
        out.write(json_text.as_text(as_json(found, known.history), indent=2 if out.is_terminal else None) + "\n")
        return 0
    if not known.history.since:
        print(observations.nothing_yet(), file=sys.stderr)
        return 0
    out.draw(page(found, known.history, since, out.size()[0]))
    for words in statuses.notices(now):
        print(f"{TROUBLE.symbol} {words}", file=sys.stderr)
    return 0


def page(found: Stats, history: History, since: float, columns: int) -> list[Line]:
    facts = [*_facts(found)]
    lines: list[Line] = [(Piece(_head(found, history, since), "bold"),), ()]
    lines += [(Piece(pad(label, LABEL), "dim"), Piece(text)) for label, text in facts]
    return [*lines, (), *_table(found, columns)] if found.projects else lines


def _head(found: Stats, history: History, since: float) -> str:
    begins = ", when the log begins" if history.since > since else ""
    away = sum(end - begin for begin, end in found.gaps)
    unseen = f"; not watched for {lasting(away)} of it" if away else ""
    return f"Since {moment(found.begin)}{begins}{unseen}"


def _facts(found: Stats) -> Iterator[tuple[str, str]]:
    answered = found.ended[Ended.ANSWERED]
    if found.median is None or found.slow is None:
        yield "Time to answer", "no answer was seen"
    else:
        number = "1 answer" if answered == 1 else f"{answered} answers"
        yield (
            "Time to answer",
            f"median {lasting(found.median, fine=True)}, 90 % within {lasting(found.slow, fine=True)} ({number})",
        )
    if left := [f"{found.ended[how]} {words}" for how, words in LEFT_OUT.items() if found.ended[how]]:
        yield "Blocks left out", ", ".join(left)
    if longest := found.longest:
        who = longest.project if longest.name == longest.project else f"{longest.project or NONE}, {longest.name}"
        yield "Longest block", f"{lasting(longest.seconds)}, {moment(longest.at)} ({who})"
    yield "Agents at once", f"{found.most.agents}, {moment(found.most.at)}" if found.most.agents else "none"
    yield "Agents worked", f"{lasting(found.worked)}, all added up"


def _table(found: Stats, columns: int) -> Iterator[Line]:
    """Where there is little room, the names of projects are cut."""
    lines: list[tuple[str, ...]] = [TITLES]
    for one in found.projects:
        times = [lasting(seconds) if seconds else NONE for seconds in (one.working, one.waiting, one.blocked)]
        away = lasting(one.unknown) if one.unknown else NONE
        lines.append((one.project or NONE, str(one.sessions), *times, str(one.blocks), away))
    rooms = [max(map(width, column)) for column in zip(*lines, strict=True)]
    rooms[0] -= min(max(sum(rooms) + len(GAP) * (len(rooms) - 1) - columns, 0), rooms[0] - len(TITLES[0]))
    for line in lines:
        cells = [pad(cell, room, right=at > 0) for at, (cell, room) in enumerate(zip(line, rooms, strict=True))]
        yield (Piece(GAP.join(cells), "dim" if line is TITLES else ""),)


def as_json(found: Stats, history: History) -> dict[str, Any]:
    longest = found.longest
    return {
        "v": json_text.VERSION,
        "begin": found.begin or None,
        "end": found.end,
        "known_since": history.since or None,
        "gaps_noted_since": history.watched_since or None,
        "not_watched_seconds": sum(end - begin for begin, end in found.gaps),
        "answer_seconds": {"median": found.median, "p90": found.slow},
        "blocks": {how.value: number for how, number in found.ended.items()},
        "longest_block": longest._asdict() if longest else None,
        "agents_at_once": found.most._asdict() if found.most.agents else None,
        "agents_worked_seconds": found.worked,
        "projects": [
            {
                "project": one.project or None, "sessions": one.sessions, "blocks": one.blocks,
                "seconds": {
                    WORKING: one.working, WAITING: one.waiting, NEEDS_APPROVAL: one.blocked, UNKNOWN: one.unknown
                },
            }
            for one in found.projects
        ],
    }  # fmt: skip
