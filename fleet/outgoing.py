"""What leaves this machine for a broker: each session as far as its owner wants it known, and the machine. Pure."""

from __future__ import annotations

import json
import re
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from contract import paths, status, version
from contract.projects import project

if TYPE_CHECKING:
    from collections.abc import Iterable

    from contract.status import AgentStatus, SessionStatus

STATES, DETAILS, FOLDERS = LEVELS = ("states", "details", "folders")
SESSIONS = 500  # of this machine: the rest is not told
LARGEST = 64 << 10  # bytes of a message: boards read no longer one
PLAIN_ID = re.compile(r"[0-9a-f-]{1,64}|main")


def session(of: SessionStatus, level: str) -> dict[str, Any]:
    """The fields of one session. No process and no transcript: nobody could look them up elsewhere."""
    told = of._replace(pid=None, shown_by=None, transcript="", host="")
    if level != FOLDERS:
        told = told._replace(cwd=project(of.cwd), terminal={}, agents=tuple(map(_without_evidence, told.agents)))
    if level == STATES:
        told = _states(told)
    return _fitting(_said(told))


def ids(sessions: Iterable[SessionStatus]) -> list[str]:
    return [paths.file_name(one.session_id) for one in sessions]


def message(fields: dict[str, Any], now: float, number: int) -> bytes:
    """`number` counts what this machine has said of its sessions: by a gap a board knows that something got lost."""
    return _encoded({"v": status.VERSION, "now": _at(now), "n": number, **fields})


def host(sessions: list[str], now: float, number: int, run: str, *, known: bool) -> bytes:
    """The machine: which sessions there are. What is not named here has ended, whatever is still to be read of it."""
    about = {"v": status.VERSION, "online": True, "known": known, "version": version.VERSION, "now": _at(now)}
    return _encoded({**about, "n": number, "run": run, "sessions": sessions})


def farewell(run: str, why: str) -> bytes:
    """The last word: said by itself, or by the broker in its name."""
    return _encoded({"v": status.VERSION, "online": False, "run": run, "why": why})


def _states(told: SessionStatus) -> SessionStatus:
    """No word that a person, an agent or a client has written, but for the name of the project's folder."""
    agents = tuple(
        agent._replace(
            key=_plain(agent.key), parent=agent.parent and _plain(agent.parent), type=None, detail="", quote="",
            name="", rule="", evidence="", waits_for=tuple(map(_plain, agent.waits_for)),
        )
        for agent in told.agents
    )  # fmt: skip
    return told._replace(name=told.cwd, detail="", quote="", rule="", evidence="", team=None, agents=agents)


def _without_evidence(agent: AgentStatus) -> AgentStatus:
    return agent._replace(weighed=())


def _plain(id_: str) -> str:
    """An id that may be made of words, such as that of a teammate, is told as a digest."""
    return id_ if PLAIN_ID.fullmatch(id_) else blake2b(id_.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _said(record: SessionStatus | AgentStatus) -> dict[str, Any]:
    """Of what a record need not have, only what says something."""
    optional = record._field_defaults
    said = {name: value for name, value in record._asdict().items() if value or name not in optional}
    return {name: _plainly(value) if isinstance(value, tuple) else value for name, value in said.items()}


def _plainly(values: tuple[Any, ...]) -> list[Any]:
    return [_said(value) if hasattr(value, "_asdict") else value for value in values]


def _fitting(fields: dict[str, Any]) -> dict[str, Any]:
    """Rather without the evidence, and then without the agents, than not at all."""
    if len(_encoded(fields)) > LARGEST - 100:
        fields = {**fields, "agents": [{**agent, "weighed": []} for agent in fields.get("agents", ())]}
    return fields if len(_encoded(fields)) <= LARGEST - 100 else {**fields, "agents": []}


def _at(now: float) -> float:
    return float(round(now, 3))


def _encoded(record: dict[str, Any]) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode()
