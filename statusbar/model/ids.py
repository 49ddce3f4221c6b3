"""The short ids of sessions and agents: as `yourturn ps` shows them, and as they can be typed."""

from __future__ import annotations

from itertools import pairwise

from contract.paths import MAIN
from statusbar.text.width import tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from contract.status import SessionStatus

SHORTEST, LONGEST = 4, 200


def short(ids: Iterable[str]) -> dict[str, str]:
    """By id: the shortest beginning that no other one has, of at least four characters."""
    clean = {one: shown(one) for one in ids}
    row = sorted(set(clean.values()))
    lengths = dict.fromkeys(row, SHORTEST)
    for one, after in pairwise(row):
        if one[:SHORTEST] == after[:SHORTEST]:
            differs = _common(one, after) + 1
            lengths[one], lengths[after] = max(lengths[one], differs), max(lengths[after], differs)
    return {raw: one[: lengths[one]] for raw, one in clean.items()}


def of_sessions(sessions: Iterable[SessionStatus]) -> dict[str, str]:
    return short(session.session_id for session in sessions)


def of_agents(session: SessionStatus, sessions: Mapping[str, str]) -> dict[str, str]:
    """By key. The main agent has the id of its session; the others come after it and a slash."""
    own = sessions[session.session_id]
    others = [agent.key for agent in session.agents if agent.key != MAIN]
    keys = short([MAIN, *others]) if others else {}
    return {**{key: f"{own}/{word}" for key, word in keys.items()}, MAIN: own}


def shown(id_: str) -> str:
    """An id comes from outside: it is drawn clean, and can be typed as it is drawn."""
    return tidy(id_, LONGEST)


def _common(one: str, other: str) -> int:
    """How many characters they have in common at the beginning."""
    for at, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return at
    return min(len(one), len(other))
