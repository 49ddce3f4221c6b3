"""What is true of the sessions, as a test says it, and whether published statuses say the same. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import permutations
from typing import TYPE_CHECKING, Any

from contract.status import NEEDS_APPROVAL, WAITING, WORKING, urgency

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

OVER = ("joined", "failed")  # an agent in one of these states is history, shown or not
ONLY = ""  # the key of the only session there is

Words = str | re.Pattern[str] | None  # exactly these, some like these, or not spoken of
Told = dict[str, Any]  # a session or an agent as `yourturn status --json` tells it


@dataclass(frozen=True)
class Row:
    """One agent. The first one of a session is its main agent."""

    status: str
    detail: Words = None
    kind: str = "agent"
    type: str | None = None  # None: not spoken of
    parent: str | None = None  # the type of the agent that started it; None: not spoken of

    def fits(self, agent: Told, among: Mapping[str, Told]) -> bool:
        return (
            (self.kind, self.status) == (agent["kind"], agent["status"])
            and _fits(self.detail, agent["detail"])
            and self.type in (None, agent["type"])
            and self.parent in (None, among.get(agent["parent"] or "", {}).get("type"))
        )


Rows = tuple[Row, ...]
Truth = dict[str, Rows]  # by session


def waiting(detail: Words = None) -> Row:
    return Row(WAITING, detail)


def working(detail: Words = None) -> Row:
    return Row(WORKING, detail)


def needs_approval(detail: Words = None) -> Row:
    return Row(NEEDS_APPROVAL, detail)


def sub(row: Row, kind: str = "general-purpose", parent: str | None = None) -> Row:
    return replace(row, kind="sub_agent", type=kind, parent=parent)


def mate(row: Row) -> Row:
    return replace(row, kind="teammate")


def agrees(truth: Truth, sessions: list[Told]) -> bool:
    """These sessions, each with exactly these agents, and none beside them but such as are over."""
    if len(truth) != len(sessions):
        return False
    if ONLY in truth:
        return _agree(truth[ONLY], sessions[0])
    found = {session["session_id"]: session for session in sessions}
    return set(found) == set(truth) and all(_agree(rows, found[key]) for key, rows in truth.items())


def statuses(truth: Truth) -> dict[str, str]:
    """A session shows the highest of its agents."""
    return {key: _highest(rows) for key, rows in truth.items()}


def said(sessions: list[Told], truth: Truth) -> dict[str, str]:
    """The same of what was told, to be compared with the statuses of this truth."""
    only = ONLY in truth and len(sessions) == 1
    return {ONLY if only else one["session_id"]: one["status"] for one in sessions}


def _highest(rows: Rows) -> str:
    return min((row.status for row in rows), key=urgency)


def _agree(rows: Rows, session: Told) -> bool:
    agents = [agent for agent in session["agents"] if agent["state"] not in OVER]
    among = {agent["key"]: agent for agent in session["agents"]}
    return _is_sum(rows, session) and len(agents) == len(rows) and _pair_up(rows, agents, among)


def _is_sum(rows: Rows, session: Told) -> bool:
    """The most urgent agent, the main one before others, gives the session its status and its detail."""
    urgent = [row for row in rows if row.status == _highest(rows)]
    spoken = urgent[:1] if urgent[0] is rows[0] else urgent
    return bool(session["status"] == urgent[0].status) and any(_speaks_for(row, session["detail"]) for row in spoken)


def _speaks_for(row: Row, detail: str) -> bool:
    """A teammate's words may come with its name."""
    return _fits(row.detail, detail) or (row.kind == "teammate" and _fits(row.detail, detail.partition(": ")[2]))


def _pair_up(rows: Rows, agents: Sequence[Told], among: Mapping[str, Told]) -> bool:
    """Main is main; the others are known by their looks, not by their order."""
    main, others = [a for a in agents if a["key"] == "main"], [a for a in agents if a["key"] != "main"]
    return (
        len(main) == 1
        and rows[0].fits(main[0], among)
        and any(_all_fit(rows[1:], order, among) for order in permutations(others))
    )


def _all_fit(rows: Rows, agents: Iterable[Told], among: Mapping[str, Told]) -> bool:
    return all(row.fits(agent, among) for row, agent in zip(rows, agents, strict=True))


def _fits(words: Words, detail: str) -> bool:
    if isinstance(words, re.Pattern):
        return words.search(detail) is not None
    return words is None or words == detail
