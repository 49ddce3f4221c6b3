"""`yourturn ps`: one line for each agent, like the list of processes."""

from __future__ import annotations

import gc
import os
import sys
import time
from functools import cache

from contract import paths
from contract.hosts import as_its_own
from contract.paths import MAIN
from statusbar.cli import output
from statusbar.cli.pieces import GAP, Line, Piece
from statusbar.model.agents import are_mixed
from statusbar.model.listing import Listed, is_meant, listing
from statusbar.system import watcher_start
from statusbar.text import ages, wording
from statusbar.text.symbols import TROUBLE, seen
from statusbar.text.width import cut, pad, tidy, width

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence
    from typing import Any

    from statusbar.model.snapshot import Statuses

TITLES = ("ID", "NAME", "KIND", "STATE", "STATUS", "AGE", "PID", "PARENT", "PROJECT", "CLIENT", "DETAIL")
NUMBERS = ("AGE", "PID")
NONE = "-"
SHORT, LONG = 40, 160
HERE = frozenset({""})


def run(args: argparse.Namespace) -> int:
    gc.disable()  # thousands of records are made, and all of them live to the end
    statuses = watcher_start.read(paths.home(), os.environ, evidence=False).of_client(args.client)
    now = time.time()
    meant = [
        one
        for one in listing(statuses, show_hidden=args.all)
        if is_meant(one, args.state, args.kind, args.project, also_ended=args.all)
    ]
    out = output.printer(sys.stdout, os.environ)
    if args.json:
        out.write(as_json(meant, statuses, now, indent=2 if out.is_terminal else None) + "\n")
        return 0
    out.draw(page(meant, out.size()[0], now, statuses.speaking(now)))
    for words in statuses.notices(now):
        print(f"{TROUBLE.symbol} {words}", file=sys.stderr)
    return 0


def page(meant: Sequence[Listed], columns: int, now: float, speaking: frozenset[str] = HERE) -> list[Line]:
    """Aligned, and cut at the right if there is less room. Names and clients take room only if they say something.

    `speaking`: the machines whose states are up to date, "" for this one.
    """
    old = [one.session.host not in speaking for one in meant]
    rows = [TITLES, *(_cells(one, now, is_old=is_old) for one, is_old in zip(meant, old, strict=True))]
    table = dict(zip(TITLES, zip(*rows, strict=True), strict=True))
    if not any(one.agent.key == MAIN and one.name != one.project for one in meant):
        del table["NAME"]
    if not are_mixed(one.session for one in meant):
        del table["CLIENT"]
    details = table.pop("DETAIL")
    filled = [_filled(texts, right=title in NUMBERS) for title, texts in table.items()]
    light = list(table).index("STATUS")
    before, after = _joined(filled[:light]), _joined([*filled[light + 1 :], details])
    lines = [*map(_line, before, filled[light], after, ["", *map(_colour, meant, old)])]
    needed = sum(width(column[0]) for column in filled) + max(map(width, set(details)))
    return lines if needed <= columns else [_cut(line, columns) for line in lines]


def as_json(meant: Iterable[Listed], statuses: Statuses, now: float, *, indent: int | None) -> str:
    from statusbar.cli import json_text  # noqa: PLC0415 - a list for people does without, and is there sooner

    agents = [_record(one) for one in meant]
    told = {"v": json_text.VERSION, "agents": agents, **json_text.freshness(statuses, now)}
    return json_text.as_text(told, indent=indent)


def _cells(one: Listed, now: float, *, is_old: bool) -> tuple[str, ...]:
    agent = one.agent
    look = seen(agent.status, is_old=is_old, is_question=wording.is_question(agent))
    age = ages.age(ages.elapsed(now, agent.since))
    texts = (
        one.id, one.name, _word(agent.kind.replace("_", "-")), _word(agent.state), f"{look.symbol} {look.word}", age,
        str(one.pid or ""), one.parent, one.project, _word(one.session.client),
    )  # fmt: skip
    return (*texts, wording.detail(agent, LONG))


def _filled(texts: Sequence[str], *, right: bool) -> list[str]:
    """Most of the texts of a long column are the same few words."""
    shown = {text: text or NONE for text in set(texts)}
    room = max(map(width, shown.values()))
    padded = {text: pad(words, room, right=right) + GAP for text, words in shown.items()}
    return [padded[text] for text in texts]


def _joined(columns: Sequence[Sequence[str]]) -> Iterable[str]:
    return map("".join, zip(*columns, strict=True))


def _line(before: str, light: str, after: str, colour: str) -> Line:
    """Only the sign of the light is coloured; the titles have no colour."""
    style = "" if colour else "heading"
    sign, space, word = light.partition(" ") if colour else (light, "", "")
    return Piece(before, style), Piece(sign, colour or style), Piece(space + word + after, style)


def _cut(line: Line, columns: int) -> Line:
    pieces: list[Piece] = []
    for piece in line:
        pieces.append(piece._replace(text=cut(piece.text, columns)))
        columns -= width(pieces[-1].text)
    return tuple(piece for piece in pieces if piece.text)


def _colour(one: Listed, is_old: bool) -> str:
    return seen(one.agent.status, is_old=is_old).colour


@cache
def _word(text: str | None) -> str:
    return tidy(text, SHORT)


def _record(one: Listed) -> dict[str, Any]:
    agent, session = one.agent, one.session
    return {
        "id": one.id, "session_id": as_its_own(session).session_id, "host": session.host,
        "key": agent.key, "kind": agent.kind, "type": _word(agent.type) or None,
        "name": one.name or None, "state": agent.state or None, "status": agent.status,
        "detail": tidy(agent.detail, LONG), "quote": tidy(agent.quote, LONG), "since": ages.moment(agent.since),
        "reason": agent.reason or None, "how": agent.how or None, "pid": one.pid, "parent": one.parent or None,
        "project": one.project, "client": _word(session.client) or None, "cwd": session.cwd, "hidden": session.hidden,
    }  # fmt: skip
