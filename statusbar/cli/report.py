"""The statuses as JSON for other programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from contract.pulse import Watcher
from contract.status import plain
from statusbar.model import agents as family
from statusbar.model import board
from statusbar.text import ages
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from contract.status import AgentStatus, SessionStatus
    from statusbar.model.snapshot import Statuses

VERSION = 1
TEXT_LENGTH = 200
SESSION = ("session_id", "name", "cwd", "pid", "status", "detail", "since", "rule", "evidence", "team")
AGENT = ("key", "kind", "type", "parent", "status", "detail", "since", "rule", "evidence", "state")
TIMES = ("since", "human", "at")
# To be shown to a person. Ids and paths stay as they are: they are looked up.
SHOWN = ("name", "detail", "quote", "rule", "evidence", "team", "type", "says", "overruled", "source")


def report(statuses: Statuses, now: float, *, show_hidden: bool = False, full: bool = False) -> dict[str, Any]:
    shown = [one for one in statuses.sessions if show_hidden or not one.hidden]
    heads = family.heads(shown)
    return {
        "v": VERSION,
        "watcher": _watcher(statuses, now),
        # At least one, though nobody may be known: a script that adds them up must not find that all is calm.
        "counts": {**board.count(heads), "unknown": 0 if statuses.is_well(now) else max(len(heads), 1)},
        "sessions": [session(one, full=full) for one in family.in_order(shown)],
        **standing(statuses, now),
    }


def standing(statuses: Statuses, now: float) -> dict[str, Any]:
    """Whether the rest is so now (`known`), or was so (`as_of`) when somebody last looked."""
    is_known = statuses.is_well(now)
    return {"known": is_known, "as_of": now if is_known else _watcher(statuses, now)["beat"]}


def session(one: SessionStatus, *, full: bool) -> dict[str, Any]:
    whole = _sound(plain(one))
    agents = [_agent(agent, full=full) for agent in one.agents]
    return {**(whole if full else {key: whole[key] for key in SESSION}), "agents": agents}


def as_text(found: dict[str, Any], *, indent: int | None = None) -> str:
    return json.dumps(found, indent=indent, allow_nan=False)


def _watcher(statuses: Statuses, now: float) -> dict[str, Any]:
    beat = statuses.heartbeat
    return {
        "alive": statuses.watcher(now) is Watcher.ALIVE,
        "state": "resting" if statuses.pulse.rests else statuses.watcher(now).value,
        "pid": beat.pid if beat and statuses.locked else None,
        "beat": ages.moment(beat.beat) if beat else None,
    }


def _agent(one: AgentStatus, *, full: bool) -> dict[str, Any]:
    whole = _sound(plain(one))
    whole["weighed"] = [_sound(weighed) for weighed in whole["weighed"]]
    return whole if full else {key: whole[key] for key in AGENT}


def _sound(record: dict[str, Any]) -> dict[str, Any]:
    """Without what JSON cannot say (NaN) and what a terminal should not be told."""
    return {key: _value(key, value) for key, value in record.items()}


def _value(key: str, value: Any) -> Any:
    if key in TIMES:
        return ages.moment(value)
    return tidy(value, TEXT_LENGTH) if key in SHOWN and isinstance(value, str) else value
