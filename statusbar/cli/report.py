"""The statuses as JSON for other programs."""

from __future__ import annotations

from contract import hosts, version
from contract.pulse import Watcher
from contract.status import plain
from conversations.glimpse import NOTHING
from statusbar.cli.json_text import VERSION, freshness, last_beat
from statusbar.model import agents as family
from statusbar.model import board
from statusbar.text import ages
from statusbar.text.width import tidy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from contract.hosts import Host
    from contract.status import AgentStatus, SessionStatus
    from conversations.glimpse import Glimpse
    from statusbar.model.snapshot import Statuses

TEXT_LENGTH = 200
SESSION = (
    "session_id",
    "name",
    "cwd",
    "pid",
    "status",
    "detail",
    "since",
    "rule",
    "evidence",
    "team",
    "client",
    "host",
)
AGENT = ("key", "kind", "type", "parent", "status", "detail", "since", "rule", "evidence", "state")
TIMES = ("since", "human", "at", "denied", "heard")
# Cleaned, because scripts may show them to a person. Ids and paths stay as they are: they are looked up.
SHOWN = (
    "name",
    "detail",
    "quote",
    "rule",
    "evidence",
    "team",
    "type",
    "says",
    "overruled",
    "source",
    "client",
    "host",
    "why",
)


def report(
    statuses: Statuses,
    now: float,
    glimpses: Mapping[str, Glimpse] | None = None,
    *,
    show_hidden: bool = False,
    full: bool = False,
) -> dict[str, Any]:
    told = glimpses or {}
    shown = [status for status in statuses.sessions if show_hidden or not status.hidden]
    heads, ordered = family.heads(shown), family.in_order(shown)
    counts, out_of_reach = board.count_known(statuses, heads, now)
    return {
        "v": VERSION,
        "watcher": _watcher(statuses, now),
        # At least 1 even if no session is known: a script that adds the counts up must not conclude that all is calm.
        "counts": {**counts, "unknown": out_of_reach if statuses.is_well(now) else max(len(heads), 1)},
        "sessions": [session(status, told.get(status.session_id, NOTHING), full=full) for status in ordered],
        **freshness(statuses, now),
        "hosts": [_host(host, statuses, now) for host in statuses.hosts],
        "now": now,
        "version": version.VERSION,
    }


def beat(now: float) -> dict[str, Any]:
    """Nothing is new: a line for whoever must know that the other end still speaks."""
    return {"v": VERSION, "now": now}


def session(status: SessionStatus, glimpse: Glimpse = NOTHING, *, full: bool) -> dict[str, Any]:
    """With its title. What the agent said is in the full record only: a script that asks for states wants no words."""
    status = hosts.as_its_own(status)
    record = _cleaned(plain(status))
    agents = [_agent(agent, full=full) for agent in status.agents]
    if full:
        return {**record, "title": glimpse.title, "conversation": plain(glimpse), "agents": agents}
    return {**{key: record[key] for key in SESSION}, "title": glimpse.title, "agents": agents}


def _watcher(statuses: Statuses, now: float) -> dict[str, Any]:
    beat = statuses.heartbeat
    return {
        "alive": statuses.watcher(now) is Watcher.ALIVE,
        "state": "resting" if statuses.pulse.rests else statuses.watcher(now).value,
        "pid": beat.pid if beat and statuses.locked else None,
        "beat": last_beat(statuses),
    }


def _host(host: Host, statuses: Statuses, now: float) -> dict[str, Any]:
    """`known`: whether its states are up to date."""
    record = _cleaned(host._asdict())
    return {**record, "known": host.name in statuses.speaking(now)}


def _agent(agent: AgentStatus, *, full: bool) -> dict[str, Any]:
    record = _cleaned(plain(agent))
    record["weighed"] = [_cleaned(weighed) for weighed in record["weighed"]]
    return record if full else {key: record[key] for key in AGENT}


def _cleaned(record: dict[str, Any]) -> dict[str, Any]:
    """Without NaN, which JSON does not have, and without control characters."""
    return {key: _value(key, value) for key, value in record.items()}


def _value(key: str, value: Any) -> Any:
    if key in TIMES:
        return ages.moment(value)
    return tidy(value, TEXT_LENGTH) if key in SHOWN and isinstance(value, str) else value
