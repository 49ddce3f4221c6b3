"""What was seen of one agent: records as values, with a pure `encode` and `decode`.

Facts never say what something means; that is the watcher's business.
"""

from __future__ import annotations

from contract import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self, TypeVar

    R = TypeVar("R", bound="Record")

VERSION = 1
UNNAMED = "claude"  # the client of hooks and facts that name none: those of our first versions


class Stamp(tuple[float, float]):
    """A moment on two clocks: the wall clock, for people, and seconds since boot, which nobody can set, for order."""

    __slots__ = ()

    @property
    def wall(self) -> float:
        return self[0]

    @property
    def boot(self) -> float:
        return self[1]


def before(first: Stamp | None, second: Stamp | None) -> bool:
    """Whether the first is older than the second: only if both clocks say so.

    The wall clock may be set back, and the boot clock starts anew with the machine.
    """
    return first is not None and second is not None and first.wall < second.wall and first.boot < second.boot


class Record:
    """A value whose fields are read one by one: a field of the wrong type is as good as missing."""

    __slots__ = ()
    SHAPE: dict[str, Callable[[Any], Any]] = {}  # noqa: RUF012 - each record fills in its own, once

    def __init__(self, **values: Any) -> None:
        for name, shape in self.SHAPE.items():
            setattr(self, name, values[name] if name in values else shape(None))

    @classmethod
    def load(cls, raw: Any) -> Self | None:
        if not isinstance(raw, dict):
            return None
        made = cls.__new__(cls)
        for name, shape in cls.SHAPE.items():
            setattr(made, name, shape(raw.get(name)))
        return made

    def dump(self) -> dict[str, Any]:
        """The fields that say something; `wire.encode` dumps the records among them."""
        fields = {}
        for name in self.SHAPE:
            value = getattr(self, name)
            if value:
                fields[name] = value
        return fields

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.dump() == self.dump()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.dump().items())})"


def text(raw: Any) -> str:
    return raw if isinstance(raw, str) else ""


def named_client(raw: Any) -> str:
    return raw if isinstance(raw, str) and raw else UNNAMED


def number(raw: Any) -> int:
    return raw if type(raw) is int else 0


def flag(raw: Any) -> bool:
    return raw is True


def stamp(raw: Any) -> Stamp | None:
    if not isinstance(raw, (list, tuple)) or len(raw) != 2:  # noqa: PLR2004 - a pair
        return None
    at, tick = raw
    return Stamp((float(at), float(tick))) if type(at) in (int, float) and type(tick) in (int, float) else None


def texts(raw: Any) -> dict[str, str]:
    return {k: v for k, v in raw.items() if isinstance(v, str)} if isinstance(raw, dict) else {}


def one(kind: type[R]) -> Callable[[Any], R | None]:
    return kind.load


def many(kind: type[R]) -> Callable[[Any], list[R]]:
    return lambda raw: [r for r in map(kind.load, raw) if r] if isinstance(raw, list) else []


def by_id(kind: type[R]) -> Callable[[Any], dict[str, R]]:
    return lambda raw: {k: r for k, v in raw.items() if (r := kind.load(v))} if isinstance(raw, dict) else {}


def stamps(raw: Any) -> dict[str, Stamp]:
    return {k: s for k, v in raw.items() if (s := stamp(v))} if isinstance(raw, dict) else {}


class Client(Record):
    """The process that speaks through the hook."""

    __slots__ = ("background", "boot", "entrypoint", "host", "pid", "pids", "start")
    pid: int
    start: str  # what tells it from a later process of the same pid; '' if unknown
    entrypoint: str  # cli, sdk-cli, …
    background: bool
    host: str  # where the pid means it, see `contract.machine`; '' if unknown
    boot: str
    pids: str  # the pid namespace
    SHAPE = {  # noqa: RUF012
        "pid": number, "start": text, "entrypoint": text, "background": flag, "host": text, "boot": text, "pids": text,
    }  # fmt: skip

    def is_process(self, other: Client) -> bool:
        """Whether both are the same process; what one of them does not know does not tell them apart.

        The host's name does not either: it may change with the network.
        """
        ours, theirs = (self.start, self.boot, self.pids), (other.start, other.boot, other.pids)
        return self.pid == other.pid and all(a == b or not a or not b for a, b in zip(ours, theirs))


class Turn(Record):
    """From the first word asked to the last one answered."""

    __slots__ = ("before", "ended", "error", "final", "id", "machine", "opened", "prompted", "queued", "rested")
    id: str
    before: str  # the id of the turn before: its end may be told when this one is open already
    opened: Stamp | None
    prompted: Stamp | None  # the newest prompt; a queued one comes while the turn is open
    queued: Stamp | None  # a prompt that came in mid-turn and that no batch of calls has taken in yet
    machine: bool  # a task notification woke the agent, not a person
    ended: Stamp | None
    error: str  # how it failed, if it did
    final: bool  # a person has ended it: nothing sends the model back to work
    rested: Stamp | None  # since its end: no turn was open then, also none that was told by its transcript alone
    SHAPE = {  # noqa: RUF012
        "id": text, "before": text, "opened": stamp, "prompted": stamp, "queued": stamp, "machine": flag,
        "ended": stamp, "error": text, "final": flag, "rested": stamp,
    }  # fmt: skip

    @property
    def is_open(self) -> bool:
        return self.opened is not None and not self.ended


class Call(Record):
    """A tool call that has begun."""

    __slots__ = ("asked", "began", "digest", "name", "target")
    name: str
    target: str  # a short, clean word on what it is about
    began: Stamp | None
    asked: Stamp | None  # when the client asked for permission
    digest: str  # of its input, to find it again when a permission request comes without an id
    SHAPE = {"name": text, "target": text, "began": stamp, "asked": stamp, "digest": text}  # noqa: RUF012


class Ended(Record):
    """A call that is over: kept for a while, so that late events cannot open it again."""

    __slots__ = ("asked", "at", "began", "digest", "name")
    name: str
    digest: str
    began: Stamp | None  # of the newest only
    asked: Stamp | None
    at: Stamp | None
    SHAPE = {"name": text, "digest": text, "began": stamp, "asked": stamp, "at": stamp}  # noqa: RUF012


class Task(Record):
    """Something the client runs in the background."""

    __slots__ = ("agent_type", "id", "status", "type")
    id: str
    type: str  # shell, subagent, monitor, workflow, teammate, …
    status: str
    agent_type: str
    SHAPE = {"id": text, "type": text, "status": text, "agent_type": text}  # noqa: RUF012


class Cron(Record):
    """Something that will wake the agent."""

    __slots__ = ("id", "recurring", "schedule")
    id: str
    schedule: str  # minute hour day month weekday, in local time
    recurring: bool
    SHAPE = {"id": text, "schedule": text, "recurring": flag}  # noqa: RUF012


class Spawn(Record):
    """An agent that this one started."""

    __slots__ = ("apart", "at", "began", "call", "id", "name", "quiet", "team", "type")
    id: str
    call: str
    name: str  # a named one is a teammate
    team: str
    type: str
    apart: bool  # it may have a process of its own, and so a session: a teammate in a pane
    quiet: bool  # its end wakes nobody: who started it has to ask
    began: Stamp | None  # when it was called for; a process in a pane begins before that call has ended
    at: Stamp | None  # when that call ended
    SHAPE = {  # noqa: RUF012
        "id": text, "call": text, "name": text, "team": text, "type": text, "apart": flag, "quiet": flag,
        "began": stamp, "at": stamp,
    }  # fmt: skip


class Mark(Record):
    """That something happened, when, and a word on it."""

    __slots__ = ("at", "team", "word")
    at: Stamp | None
    word: str
    team: str
    SHAPE = {"at": stamp, "word": text, "team": text}  # noqa: RUF012


class Registered(Record):
    """That an agent was started through us: noted before its program ran."""

    __slots__ = ("at", "keeper", "keeper_start", "kind", "name", "parent")
    name: str
    kind: str  # agent, worker, or copilot: `yourturn dispatch`, which hands out work to others
    parent: str  # the session that it works for; '' if a person started it
    keeper: int  # the process that waits for its end, and tells how it ended
    keeper_start: str
    at: Stamp | None
    SHAPE = {  # noqa: RUF012
        "name": text, "kind": text, "parent": text, "keeper": number, "keeper_start": text, "at": stamp,
    }  # fmt: skip


class Fact(Record):
    """Everything seen of one agent."""

    __slots__ = (
        "agent", "asks", "background", "calls", "client", "client_name", "compacted", "compacting", "crons", "cwd",
        "denied", "done", "ended", "exit", "heard", "human", "idles", "killed", "last", "listed", "mode", "notes",
        "others", "questions", "registered", "seq", "session", "source", "spawned", "started", "stopped", "terminal",
        "transcript", "turn", "twin", "type", "woken",
    )  # fmt: skip
    session: str
    agent: str  # 'main', or the sub-agent's id
    type: str
    cwd: str
    transcript: str  # the agent's own one, once known
    client: Client | None
    client_name: str  # which client it is: see `recorder.clients`
    twin: bool  # another living process has the same session open, and has its own fact
    terminal: dict[str, str]
    mode: str  # the permission mode last named
    source: str  # what started the session last: startup, resume, clear, fork, compact
    started: Stamp | None
    turn: Turn | None
    human: Stamp | None  # the last prompt a person wrote
    calls: dict[str, Call]
    asks: list[Call]  # permission requests that no known call fits
    done: dict[str, Ended]
    background: list[Task]
    crons: list[Cron]
    listed: Stamp | None  # when background and crons were told
    spawned: list[Spawn]
    heard: dict[str, Stamp]  # tasks in the background whose end this agent was told of
    notes: dict[str, Mark]  # the newest notification of each type, and of each teammate that asks through us
    questions: list[Mark]  # open ones of MCP servers, oldest first; those of sub-agents are told as main's
    compacting: Stamp | None
    compacted: Stamp | None
    denied: Mark | None  # the last call that auto mode refused
    idles: list[Mark]  # teammates that have nothing to do, this one or those it leads: their names and teams
    stopped: Stamp | None  # the tombstone of a sub-agent
    woken: Stamp | None  # when a sub-agent was last started: an older stop is of its life before
    ended: Mark | None  # the end of the session, with its reason
    killed: Mark | None  # that somebody is ending its process with `yourturn kill`, and who
    registered: Registered | None  # it was started through us
    exit: Mark | None  # how its process ended, if it was started through us: 0, another number, or a signal's name
    last: Mark | None  # the last event
    seq: int
    others: dict[str, Any]  # what a newer version wrote
    SHAPE = {  # noqa: RUF012
        "session": text, "agent": text, "type": text, "cwd": text, "transcript": text, "client": one(Client),
        "client_name": named_client, "twin": flag,
        "terminal": texts, "mode": text, "source": text, "started": stamp, "turn": one(Turn), "human": stamp,
        "calls": by_id(Call), "asks": many(Call), "done": by_id(Ended), "background": many(Task),
        "crons": many(Cron), "listed": stamp, "spawned": many(Spawn), "heard": stamps, "notes": by_id(Mark),
        "questions": many(Mark), "compacting": stamp, "compacted": stamp, "denied": one(Mark), "idles": many(Mark),
        "stopped": stamp, "woken": stamp, "ended": one(Mark), "killed": one(Mark), "registered": one(Registered),
        "exit": one(Mark), "last": one(Mark), "seq": number,
        "others": lambda raw: raw if isinstance(raw, dict) else {},
    }  # fmt: skip


def encode(fact: Fact) -> bytes:
    raw = {"v": VERSION, **fact.dump()}
    raw.update(raw.pop("others", {}))
    return wire.encode(raw) + b"\n"


def decode(data: bytes) -> Fact | None:
    """A fact, as far as this version can read it; None for garbage."""
    try:
        raw = wire.decode(data)
    except ValueError:
        return None
    fact = Fact.load(raw)
    if fact is None or not fact.session or not fact.agent or type(raw.get("v")) is not int:
        return None
    fact.others = {key: raw[key] for key in raw.keys() - Fact.SHAPE.keys() - {"v"}}
    return fact
