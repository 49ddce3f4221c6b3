"""Who was started through us and has not ended: one file for each name, and the first fact of its session.

All who start agents take one lock, so that a name is given once and nobody passes a quota together with another.
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from agency import clock
from agency.rights import Rights
from contract import facts, machine, paths, store
from contract.facts import Call, Client, Fact, Mark, Registered, Stamp, Turn
from contract.mask import mask
from processes.identity import Identity, compare, start_of

if TYPE_CHECKING:
    from agency.request import Request

VERSION = 1
DETAIL = 120


class Spawned(NamedTuple):
    """An agent as it is registered."""

    name: str
    session: str
    kind: str
    parent: str
    depth: int  # 1: started by nobody that we know
    program: str
    cwd: str
    pid: int
    start: str
    keeper: int  # the process that waits for it
    keeper_start: str
    at: float
    allow: list[str] | None = None
    deny: list[str] = []  # noqa: RUF012 - nobody writes to it

    @property
    def rights(self) -> Rights:
        return Rights(None if self.allow is None else tuple(self.allow), tuple(self.deny))

    @property
    def may_live(self) -> bool:
        """Its own process or the one that waits for it; of what cannot be seen nothing is proven."""
        if (self.keeper, self.keeper_start) == this_process(os.getpid()):
            return True
        those = ((self.pid, self.start), (self.keeper, self.keeper_start))
        return any(compare(pid, start) is not Identity.GONE for pid, start in those if pid)


@cache
def this_process(pid: int) -> tuple[int, str]:
    """Pid and start. Asked for with the pid, because a fork would inherit the answer."""
    return pid, start_of(pid) or ""


@cache
def _here() -> tuple[str, str, str]:
    return machine.here()


def lock(home: str) -> store.Locked:
    store.private_folder(paths.spawned_dir(home))
    return store.Locked(paths.spawned_dir(home))


def living(home: str) -> list[Spawned]:
    """All that may live, by name."""
    return [agent for agent in _all(home) if agent.may_live]


def sweep(home: str) -> list[Spawned]:
    """The same; the others, whose waiting process was killed before it could, are removed. The caller has the lock."""
    known = [(agent, agent.may_live) for agent in _all(home)]
    for agent, may_live in known:
        if not may_live:
            store.remove(paths.spawned(home, agent.name))
    return [agent for agent, may_live in known if may_live]


def _all(home: str) -> list[Spawned]:
    folder = paths.spawned_dir(home)
    return [agent for name in store.names(folder) if (agent := _read(f"{folder}/{name}"))]


def named(home: str, name: str) -> Spawned | None:
    found = _read(paths.spawned(home, name))
    return found if found and found.may_live else None


def register(home: str, agent: Spawned, request: Request) -> None:
    """The caller has the lock, and the name is free. Its session is on the board from now on."""
    store.private_folder(paths.fact_dir(home))
    fact = _first_fact(agent, request, clock.stamp())
    path = paths.fact(home, agent.session, paths.MAIN)
    with store.Locked(path):
        store.replace(path, facts.encode(fact))
    try:
        store.replace(paths.spawned(home, agent.name), _encoded(agent))
    except OSError:
        _remove_fact(home, agent)
        raise


def unregister(home: str, agent: Spawned) -> None:
    """Its name is free again; of another one that has the name by now, nothing is touched."""
    path = paths.spawned(home, agent.name)
    if not store.exists(path):
        return  # perhaps the whole state folder was removed: a lock would make it anew
    with lock(home):
        known = _read(path)
        if known and (known.session, known.pid) == (agent.session, agent.pid):
            store.remove(path)


def withdraw(home: str, agent: Spawned) -> None:
    """As if it had never been registered: its program could not be run."""
    unregister(home, agent)
    _remove_fact(home, agent)


def _remove_fact(home: str, agent: Spawned) -> None:
    path = paths.fact(home, agent.session, paths.MAIN)
    with store.Locked(path):
        store.remove(path)
        store.remove(path + ".lock")


def note_end(home: str, agent: Spawned, how: str) -> str:
    """How its process ended, for the watcher to tell; who ended it with `yourturn kill`, if somebody did.

    A fact that has been removed is not made again. Once the end is noted, the watcher may remove it.
    """
    path = paths.fact(home, agent.session, paths.MAIN)
    if not os.path.exists(path):
        return ""
    with store.Locked(path):
        fact = facts.decode(store.read(path) or b"")
        if fact is None or fact.registered is None or fact.registered.name != agent.name:
            return ""
        fact.exit = Mark(at=clock.stamp(), word=how)
        store.replace(path, facts.encode(fact))
        return (fact.killed.word or "somebody") if fact.killed else ""


def _first_fact(agent: Spawned, request: Request, stamp: Stamp) -> Fact:
    """If it has its task already, a turn is open; of a plain program this is all that will ever be told."""
    host, boot, pids = _here()
    kept = Registered(
        name=agent.name, kind=agent.kind, parent=agent.parent, keeper=agent.keeper, keeper_start=agent.keeper_start,
        at=stamp,
    )  # fmt: skip
    return Fact(
        session=agent.session,
        agent=paths.MAIN,
        client_name=request.client,
        cwd=agent.cwd,
        client=Client(pid=agent.pid, start=agent.start, host=host, boot=boot, pids=pids),
        registered=kept,
        turn=Turn(opened=stamp, prompted=stamp, machine=True) if request.has_task else None,
        calls=_command(request, stamp),
        last=Mark(at=stamp, word="spawn"),
    )


def _command(request: Request, stamp: Stamp) -> dict[str, Call]:
    """What a plain program does is the command itself; what a coding agent does it tells itself."""
    if request.client != "command":
        return {}
    shown = mask(" ".join([os.path.basename(request.argv[0]), *request.argv[1:]]), DETAIL)
    program, _, words = shown.partition(" ")
    return {"spawn": Call(name=program, target=words[:DETAIL], began=stamp)}


def _encoded(agent: Spawned) -> bytes:
    return json.dumps({"v": VERSION, **agent._asdict()}).encode() + b"\n"


def _read(path: str) -> Spawned | None:
    """None for garbage: a name that nobody can read is taken by nobody."""
    try:
        raw: Any = json.loads(store.read(path) or b"null")
        values = {name: raw[name] for name in Spawned._fields}
        return Spawned(**values) if all(map(_fits, Spawned._fields, values.values())) else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _fits(name: str, value: Any) -> bool:
    if name in ("allow", "deny"):
        return value is None or (isinstance(value, list) and all(isinstance(tool, str) for tool in value))
    if name in ("pid", "keeper", "depth"):
        return isinstance(value, int)
    return isinstance(value, int | float) if name == "at" else isinstance(value, str)
