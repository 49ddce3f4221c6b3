"""`yourturn explain`: for each agent its state, the rule, the evidence with its age, and what was overruled."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from contract import paths
from statusbar.cli import json_text, output, report
from statusbar.cli.pieces import Line, Piece, signed
from statusbar.model import targets_by_title
from statusbar.model.agents import in_order
from statusbar.model.names import agent_name, session_name
from statusbar.model.targets import Target, Unclear
from statusbar.system import watcher_start
from statusbar.text import wording
from statusbar.text.ages import elapsed, fine_age
from statusbar.text.symbols import TROUBLE, seen
from statusbar.text.width import pad, tidy

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from contract.status import AgentStatus, SessionStatus, Weighed
    from statusbar.model.snapshot import Statuses

LONG = 400
SOURCE, KIND, AGE = 12, 11, 10


def run(args: argparse.Namespace) -> int:
    statuses, now = watcher_start.read(paths.home(), os.environ), time.time()
    try:
        chosen = choose(statuses, args.target, show_hidden=args.all, unknown=statuses.unknown(now))
    except Unclear as error:
        print(f"yourturn: {error}", file=sys.stderr)
        return error.exit_code
    out = output.printer(sys.stdout, os.environ)
    if args.json:
        sessions = [report.session(_only(target), full=True) for target in chosen]
        explained = {"v": json_text.VERSION, "now": now, "sessions": sessions, **json_text.freshness(statuses, now)}
        out.write(json_text.as_text(explained, indent=2) + "\n")
    else:
        out.draw(page(chosen, statuses, now))
    return 0


def choose(statuses: Statuses, wanted: str | None, *, show_hidden: bool = False, unknown: str = "") -> list[Target]:
    """All sessions that are shown, or those that `wanted` names."""
    if wanted is not None:
        return targets_by_title.find(statuses, wanted, unknown=unknown)
    return [Target(session) for session in in_order(statuses.sessions) if show_hidden or not session.hidden]


def page(chosen: Sequence[Target], statuses: Statuses, now: float) -> list[Line]:
    speaking = statuses.speaking(now)
    lines: list[Line] = [signed(TROUBLE, words) for words in statuses.notices(now)]
    lines += [()] if lines and chosen else []
    for target in chosen:
        is_old = target.session.host not in speaking
        lines += [*session_lines(target.session, now, target.key[1], is_old=is_old), ()]
    return lines if chosen else [*lines, (Piece("No session to explain."),)]


def session_lines(session: SessionStatus, now: float, only: str = "", *, is_old: bool = False) -> Iterator[Line]:
    """What is known of a session, then each of its agents, or only the agent with the key `only`."""
    yield Piece(session_name(session), "bold"), Piece(f"  {tidy(session.cwd, LONG)}")
    process = f"process {session.pid}" if session.pid else "process unknown"
    process = f"on {tidy(session.host, LONG)}" if session.host else process
    team = f"  team {tidy(session.team, LONG)}" if session.team else ""
    client = f"  client {tidy(session.client, LONG)}" if session.client else ""
    yield (Piece(f"{tidy(session.session_id, LONG)}  {process}{client}{team}"),)
    yield _state_pieces(session, now, is_old=is_old)
    for agent in (agent for agent in session.agents if only in ("", agent.key)):
        yield ()
        yield from _agent_lines(agent, now, is_old=is_old)
    if not session.agents:
        yield (Piece(f"    rule      {tidy(session.rule, LONG)} (from {tidy(session.evidence, LONG)})"),)


def _agent_lines(agent: AgentStatus, now: float, *, is_old: bool) -> Iterator[Line]:
    kind, state = tidy(wording.agent_kind(agent.kind), LONG), tidy(wording.agent_state(agent.state), LONG)
    yield Piece(f"  {agent_name(agent)}", "bold"), Piece(f"  {kind}, {state}")
    yield Piece("    verdict   "), *_state_pieces(agent, now, is_old=is_old)
    yield (Piece(f"    rule      {tidy(agent.rule, LONG)} (from {tidy(agent.evidence, LONG)})"),)
    yield from _evidence_lines(agent.weighed, now)


def _evidence_lines(weighed: Iterable[Weighed], now: float) -> Iterator[Line]:
    label = "evidence"
    for evidence in weighed:
        ago = fine_age(elapsed(now, evidence.at))
        head = f"    {label:8}  {pad(tidy(evidence.source, LONG), SOURCE)}{pad(tidy(evidence.kind, LONG), KIND)}"
        head += pad(f"{ago} ago" if ago else "", AGE)
        yield (Piece(head + tidy(evidence.says, LONG)),)
        if evidence.overruled:
            indent = " " * (14 + SOURCE + KIND + AGE)
            yield (Piece(f"{indent}overruled: {tidy(evidence.overruled, LONG)}"),)
        label = ""


def _state_pieces(status: SessionStatus | AgentStatus, now: float, *, is_old: bool) -> Line:
    look = seen(status.status, is_old=is_old, is_question=wording.is_question(status))
    lasted, detail = fine_age(elapsed(now, status.since)), wording.detail(status, LONG)
    rest = (f" for {lasted}" if lasted else "") + (f": {detail}" if detail else "")
    return signed(look, look.word + rest)


def _only(target: Target) -> SessionStatus:
    return target.session._replace(agents=(target.agent,)) if target.agent else target.session
