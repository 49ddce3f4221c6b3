"""What is the case with each agent: written by the watcher, read by everybody."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, TypeVar

VERSION = 1
NEEDS_APPROVAL, WORKING, WAITING = "needs_approval", "working", "waiting"
RESTING, ENDED = "resting", "ended"  # the last words of a watcher
STATES = (NEEDS_APPROVAL, WORKING, WAITING)  # the most urgent first

T = TypeVar("T")


class Weighed(NamedTuple):
    """One piece of evidence, as `explain` shows it."""

    source: str  # hook, transcript, registry, process, clock
    says: str
    at: float
    overruled: str = ""  # by what, if it did not count
    kind: str = ""  # how strong it is: told now, told then, inferred


class AgentStatus(NamedTuple):
    key: str  # 'main', or the sub-agent's id
    kind: str  # agent, sub_agent, teammate, worker, copilot
    type: str | None
    parent: str | None
    status: str
    detail: str
    since: float
    rule: str
    evidence: str
    state: str  # of its life, see `contract.life`
    name: str = ""
    reason: str = ""  # why it is suspended: approval, sub_agent_join, user, wakeup
    waits_for: tuple[str, ...] = ()  # the agents it is suspended on
    how: str = ""  # it ended: completed, error, user_abort, timeout
    denied: float = 0.0  # when a call of it was last refused
    quote: str = ""  # the end of the detail, if that is an agent's own text: data, and nobody's command
    weighed: tuple[Weighed, ...] = ()


class SessionStatus(NamedTuple):
    session_id: str
    name: str
    cwd: str
    pid: int | None
    status: str
    detail: str
    since: float
    rule: str
    evidence: str
    team: str | None = None
    entrypoint: str = ""
    hidden: bool = False  # a helper's session, left out unless asked for
    human: float = 0.0  # the last word of a person
    transcript: str = ""
    quote: str = ""  # as an agent has it
    spawned: bool = False  # it was started through us
    parent: str = ""  # the session that had it started, if one did
    terminal: dict[str, str] = {}  # noqa: RUF012 - nobody writes to it
    client: str = ""  # such as claude; '' if an older version wrote this
    shown_by: int | None = None  # the process in whose terminal it is, if that is not its own; 0: not known which
    unseen: bool = False  # it is known that no terminal shows it
    host: str = ""  # the machine that it runs on, if that is another one
    agents: tuple[AgentStatus, ...] = ()


class Heartbeat(NamedTuple):
    pid: int
    start: str
    version: str
    beat: float
    started: float = 0.0
    mode: str = ""  # until-idle or service; of one that is no more, resting (it had nobody to watch) or ended
    clients: tuple[str, ...] = ()  # of one that rests: the registered processes that it had nothing to show for
    program: tuple[str, ...] = ()  # what it was started with: its Python and our front door
    polling: str = ""  # why it has no file events, or not all, and polls; '' if it has them


def encode(record: SessionStatus | Heartbeat) -> bytes:
    return json.dumps({"v": VERSION, **plain(record)}).encode() + b"\n"


def plain(record: Any) -> Any:
    """As JSON has it: records become objects, not the arrays that a tuple would."""
    if hasattr(record, "_asdict"):
        return {name: plain(value) for name, value in record._asdict().items()}
    return [plain(value) for value in record] if isinstance(record, tuple) else record


def decode(data: bytes, *, evidence: bool = True) -> SessionStatus | None:
    """A session's status as far as this version can read it; None for garbage. A long list needs no evidence."""
    return of_fields(fields_of(data), evidence=evidence)


def of_fields(raw: dict[str, Any], *, evidence: bool = True) -> SessionStatus | None:
    """The same of what was JSON."""
    session = load(SessionStatus, raw)
    if session is None or session.status not in STATES:
        return None
    listed = _list(raw.get("agents"))
    if not evidence:
        for agent in listed:
            agent.pop("weighed", None)
    agents = (load(AgentStatus, agent) for agent in listed)
    return session._replace(agents=tuple(_checked(a) for a in agents if a is not None and a.status in STATES))


def decode_heartbeat(data: bytes) -> Heartbeat | None:
    beat = load(Heartbeat, fields_of(data))
    return beat and beat._replace(clients=_texts(beat.clients), program=_texts(beat.program))


def _texts(raw: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple(text for text in raw if isinstance(text, str))


def urgency(state: str) -> int:
    """0 is the most urgent."""
    return STATES.index(state)


def _checked(agent: AgentStatus) -> AgentStatus:
    if not agent.weighed and not agent.waits_for:
        return agent
    raw: tuple[Any, ...] = agent.weighed
    weighed = (load(Weighed, sign) for sign in raw if isinstance(sign, dict))
    return agent._replace(weighed=tuple(w for w in weighed if w is not None), waits_for=_texts(agent.waits_for))


def fields_of(data: bytes) -> dict[str, Any]:
    """The fields of a record of any version; none for garbage."""
    try:
        raw = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return raw if isinstance(raw, dict) and type(raw.get("v")) is int else {}


def _list(raw: Any) -> list[dict[str, Any]]:
    return [item for item in raw if isinstance(item, dict)] if isinstance(raw, list) else []


KINDS: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "str | None": (str, type(None)),
    "int": (int,),
    "int | None": (int, type(None)),
    "float": (float, int),
    "bool": (bool,),
    "dict[str, str]": (dict,),
}


def load(kind: type[T], raw: dict[str, Any]) -> T | None:
    """Unknown keys are ignored; a known one that is missing or of the wrong type makes it garbage."""
    values: dict[str, Any] = {}
    for name, allowed, is_list in _FIELDS.get(kind) or _fields(kind):
        if name in raw and isinstance(raw[name], allowed):
            values[name] = tuple(raw[name]) if is_list else raw[name]
    try:
        return kind(**values)
    except TypeError:
        return None


_FIELDS: dict[type, list[tuple[str, tuple[type, ...], bool]]] = {}  # asked for each of thousands of records


def _fields(kind: type) -> list[tuple[str, tuple[type, ...], bool]]:
    """Each field with the types that it may have, and whether it is a list."""
    found = [(name, KINDS.get(_words(words), (list,))) for name, words in kind.__annotations__.items()]
    _FIELDS[kind] = [(name, allowed, allowed == (list,)) for name, allowed in found]
    return _FIELDS[kind]


def _words(annotation: Any) -> str:
    """As it is written: NamedTuple wraps it."""
    return str(getattr(annotation, "__forward_arg__", annotation))
