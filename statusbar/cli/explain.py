"""`yourturn explain`: for each agent the verdict, the rule, the evidence with its age, and what was overruled."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from contract import paths
from statusbar.cli import output, report
from statusbar.cli.table import Line, Piece
from statusbar.model.agents import in_order
from statusbar.model.rows import agent_name, session_name
from statusbar.system import revival
from statusbar.text.ages import elapsed, fine_age
from statusbar.text.symbols import LOOKS, TROUBLE, seen
from statusbar.text.width import pad, tidy, told

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from contract.status import AgentStatus, SessionStatus, Weighed
    from statusbar.model.snapshot import Statuses

LONG, SHORT = 400, 60
SOURCE, KIND, AGE = 12, 11, 10


class Unclear(Exception):  # noqa: N818 - it is no fault of ours
    """Nobody, or more than one, goes by that name."""


def run(args: argparse.Namespace) -> int:
    statuses, now = revival.read(paths.home(), os.environ), time.time()
    try:
        chosen = choose(statuses, args.session, show_hidden=args.all, unknown=statuses.unknown(now))
    except Unclear as trouble:
        print(f"yourturn: {trouble}", file=sys.stderr)
        return 1
    out = output.paper(sys.stdout, os.environ)
    if args.json:
        told_of = [report.session(one, full=True) for one in chosen]
        found = {"v": report.VERSION, "now": now, "sessions": told_of, **report.standing(statuses, now)}
        out.write(report.as_text(found, indent=2) + "\n")
    else:
        out.draw(page(chosen, statuses, now))
    return 0


def choose(
    statuses: Statuses, wanted: str | None, *, show_hidden: bool = False, unknown: str = ""
) -> list[SessionStatus]:
    """All that are shown, or the one whose id or name is this word or, failing that, begins with it."""
    if wanted is None:
        return in_order([one for one in statuses.sessions if show_hidden or not one.hidden])
    found = [one for one in statuses.sessions if wanted in (one.session_id, session_name(one))]
    found = found or [one for one in statuses.sessions if wanted and _begins(one, wanted)]
    if len(found) == 1:
        return found
    what = tidy(wanted, 40)
    if found:
        raise Unclear(f"'{what}' may be any of these:\n{_known(found)}")
    if unknown:
        raise Unclear(f"nobody knows of a session '{what}': {unknown}.{_listed(statuses, ' These were there:')}")
    if not statuses.sessions:
        raise Unclear(f"there is no session '{what}', nor any other.")
    raise Unclear(f"there is no session '{what}'.{_listed(statuses, ' These are there:')}")


def _listed(statuses: Statuses, words: str) -> str:
    return f"{words}\n{_known(statuses.sessions)}" if statuses.sessions else ""


def page(sessions: Sequence[SessionStatus], statuses: Statuses, now: float) -> list[Line]:
    is_old = not statuses.is_well(now)
    lines: list[Line] = [(Piece(f"{TROUBLE.symbol} {words}", TROUBLE.colour),) for words in statuses.notices(now)]
    lines += [()] if lines and sessions else []
    for one in sessions:
        lines += [*session_lines(one, now, is_old=is_old), ()]
    nobody = "There is no session to explain." if not is_old else "Nobody knows of a session to explain."
    return lines if sessions else [*lines, (Piece(nobody),)]


def session_lines(one: SessionStatus, now: float, only: str = "", *, is_old: bool = False) -> Iterator[Line]:
    """What is known, or was, of a session, then each of its agents, or only the one with this key."""
    look = seen(one.status, is_old=is_old)
    yield Piece(session_name(one), "bold"), Piece(f"  {tidy(one.cwd, LONG)}")
    process = f"process {one.pid}" if one.pid else "process unknown"
    team = f"  team {tidy(one.team, LONG)}" if one.team else ""
    yield (Piece(f"{tidy(one.session_id, LONG)}  {process}{team}", "dim"),)
    yield Piece(f"{look.symbol} {look.word}", look.colour), Piece(_told(one, now))
    for agent in (each for each in one.agents if only in ("", each.key)):
        yield ()
        yield from _agent_lines(agent, now, is_old=is_old)
    if not one.agents:
        yield (Piece(f"    rule      {tidy(one.rule, LONG)} (from {tidy(one.evidence, LONG)})"),)


def _agent_lines(agent: AgentStatus, now: float, *, is_old: bool) -> Iterator[Line]:
    look = seen(agent.status, is_old=is_old)
    kind = tidy(agent.kind, LONG).replace("_", "-")
    yield Piece(f"  {agent_name(agent)}", "bold"), Piece(f"  {kind}, {tidy(agent.state, LONG)}", "dim")
    verdict = _told(agent, now)
    yield Piece("    verdict   "), Piece(f"{look.symbol} {look.word}", look.colour), Piece(verdict)
    yield (Piece(f"    rule      {tidy(agent.rule, LONG)} (from {tidy(agent.evidence, LONG)})"),)
    yield from _evidence_lines(agent.weighed, now)


def _evidence_lines(weighed: Iterable[Weighed], now: float) -> Iterator[Line]:
    label = "evidence"
    for one in weighed:
        ago = fine_age(elapsed(now, one.at))
        head = f"    {label:8}  {pad(tidy(one.source, LONG), SOURCE)}{pad(tidy(one.kind, LONG), KIND)}"
        head += pad(f"{ago} ago" if ago else "", AGE)
        style = "dim" if one.overruled else ""
        yield (Piece(head, style), Piece(tidy(one.says, LONG), style))
        if one.overruled:
            yield (Piece(" " * (14 + SOURCE + KIND + AGE) + f"overruled: {tidy(one.overruled, LONG)}", "yellow"),)
        label = ""


def _told(one: SessionStatus | AgentStatus, now: float) -> str:
    lasted = fine_age(elapsed(now, one.since))
    what = told(one, LONG)
    return (f" for {lasted}" if lasted else "") + (f": {what}" if what else "")


def _begins(session: SessionStatus, wanted: str) -> bool:
    return session.session_id.startswith(wanted) or session_name(session).startswith(wanted)


def _known(sessions: Iterable[SessionStatus]) -> str:
    return "\n".join(f"  {tidy(one.session_id, LONG)}  {session_name(one)}  {_standing(one)}" for one in sessions)


def _standing(one: SessionStatus) -> str:
    return f"{LOOKS[one.status].word}{f': {told(one, SHORT)}' if one.detail else ''}"
