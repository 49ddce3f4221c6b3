"""What is the case with each agent: written by the watcher, read by everybody."""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import repeat
from operator import itemgetter

from contract import wire
from contract.named_tuple import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")

VERSION = 1
NEEDS_APPROVAL, WORKING, WAITING = "needs_approval", "working", "waiting"
RESTING, ENDED = "resting", "ended"  # the last words of a watcher
STATES = (NEEDS_APPROVAL, WORKING, WAITING)  # the most urgent first


class Weighed(NamedTuple):
    """One piece of evidence, as `explain` shows it."""

    source: str  # hook, transcript, registry, process, clock
    says: str
    at: float
    overruled: str = ""  # by what, if it did not count
    kind: str = ""  # how strong it is: told now, told then, inferred


class AgentStatus(NamedTuple):
    key: str  # 'main', or the sub-agent's id
    kind: str  # agent, sub_agent, teammate, worker, copilot (a dispatcher of workers)
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
    import json  # noqa: PLC0415 - only the watcher writes; to read, `wire` is enough, and there sooner

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
    if raw.get("status") not in STATES:
        return None
    agents = (_agent(item, evidence=evidence) for item in _list(raw.get("agents")))
    return load(SessionStatus, {**raw, "agents": [agent for agent in agents if agent is not None]})


def decode_heartbeat(data: bytes) -> Heartbeat | None:
    beat = load(Heartbeat, fields_of(data))
    return beat and beat._replace(clients=_texts(beat.clients), program=_texts(beat.program))


def _texts(raw: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple(text for text in raw if isinstance(text, str))


def urgency(state: str) -> int:
    """0 is the most urgent."""
    return STATES.index(state)


def _agent(raw: dict[str, Any], *, evidence: bool) -> AgentStatus | None:
    if not evidence:
        raw["weighed"] = []
    agent = load(AgentStatus, raw)
    return _checked(agent) if agent is not None and agent.status in STATES else None


def _checked(agent: AgentStatus) -> AgentStatus:
    if not agent.weighed and not agent.waits_for:
        return agent
    raw: tuple[Any, ...] = agent.weighed
    weighed = (load(Weighed, sign) for sign in raw if isinstance(sign, dict))
    return agent._replace(weighed=tuple(w for w in weighed if w is not None), waits_for=_texts(agent.waits_for))


def fields_of(data: bytes) -> dict[str, Any]:
    """The fields of a record of any version; none for garbage."""
    try:
        raw = wire.decode(data)
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
    "tuple[str, ...]": (list,),
    "tuple[Weighed, ...]": (list,),
    "tuple[AgentStatus, ...]": (list,),
}


MISSING = object()
SHAPES = 256  # so many are remembered; the records of one watcher have a handful


def load(kind: type[T], raw: dict[str, Any]) -> T | None:
    """Unknown keys are ignored; a known one that is missing or of the wrong type makes it garbage."""
    record: Any = kind
    try:
        values = [*_values_of(record)(raw)]
    except KeyError:
        values = [*map(raw.get, record._fields, repeat(MISSING))]
    mending = _mending(record, tuple(map(type, values)))
    if mending is None:
        return None
    for at, mend in mending:
        values[at] = mend(values[at])
    loaded: T = record._make(values)
    return loaded


@lru_cache
def _values_of(kind: Any) -> Callable[[dict[str, Any]], tuple[Any, ...]]:
    """Takes the values of all fields at once, if none is missing."""
    return itemgetter(*kind._fields)


@lru_cache(maxsize=SHAPES)
def _mending(kind: Any, types: tuple[type, ...]) -> list[tuple[int, Callable[[Any], Any]]] | None:
    """What has to be done with values of these types; None if they are garbage.

    Thousands of records are read at once, and nearly all of them are of the same types: each field is looked at once.
    """
    found: list[tuple[int, Callable[[Any], Any]]] = []
    for at, (name, given) in enumerate(zip(kind._fields, types)):
        allowed = KINDS[kind.__annotations__[name]]
        if not issubclass(given, allowed):
            if name not in kind._field_defaults:
                return None
            found.append((at, partial(_instead, kind._field_defaults[name])))
        elif given is list:
            found.append((at, tuple))
    return found


def _instead(default: Any, _wrong: Any) -> Any:
    return default
