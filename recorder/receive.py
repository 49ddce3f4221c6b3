"""One event: from the bytes the client gave to the fact on disk."""

from __future__ import annotations

from contract import facts, paths, store, wire
from recorder import changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from contract.facts import Client, Fact, Stamp
    from contract.store import Locked

NO_FLOCK = (
    "The file system of the state folder has no flock. Events are kept, but hooks start no watcher there: "
    "let YOURTURN_HOME name a folder on a local disk."
)


def receive(home: str, env: Mapping[str, str], data: bytes, stamp: Stamp, *, alone: bool = False) -> None:
    """`alone`: in a process of its own, see `store.Locked`."""
    _prepare(home)
    event = understand(data)
    try:
        has_flock = keep(home, env, event, stamp, alone=alone)
    except FileNotFoundError:  # somebody has just cleared the folder
        _prepare(home)
        has_flock = keep(home, env, event, stamp, alone=alone)
    if not has_flock:
        from recorder.trouble import note_once  # noqa: PLC0415 - on some network file systems

        note_once(home, stamp, NO_FLOCK)
    elif not store.is_locked(paths.watcher_lock(home)) and env.get("YOURTURN_NO_WATCHER") != "1":
        from contract import launch  # noqa: PLC0415 - once in a while

        launch.ensure_watcher(home, env)


def _prepare(home: str) -> None:
    """Our own folders, open to nobody else."""
    folder = paths.fact_dir(home)
    try:
        store.close_to_others(home, may_be_link=True)
        store.close_to_others(folder)
    except FileNotFoundError:  # the very first event
        store.private_folder(folder)


def understand(data: bytes) -> dict[str, Any]:
    """The event, or ValueError with a word that is safe to log."""
    event = wire.decode(data)
    if not isinstance(event, dict):
        raise ValueError("the event is not an object")  # noqa: TRY004 - one kind for all bad input
    if not isinstance(event.get("session_id"), str) or not event["session_id"]:
        raise ValueError("the event has no session_id")
    name = event.get("hook_event_name")
    if not isinstance(name, str) or name not in changes.CHANGES:
        raise ValueError("the event's name is none we listen to")
    event["session_id"] = event["session_id"][:256]
    return event


def keep(home: str, env: Mapping[str, str], event: dict[str, Any], stamp: Stamp, *, alone: bool = False) -> bool:
    """Whether the file system could lock it as every other does."""
    session, agent = event["session_id"], changes.agent_of(event)
    lock = store.Locked(paths.fact(home, session, agent), alone=alone)
    beside = _keep_in(lock, env, event, stamp, twin_of=home)
    own = paths.fact(home, paths.twin(session, beside.pid), agent) if beside else ""
    if beside and not _is_belated(own, beside):
        _keep_in(store.Locked(own, alone=alone), env, event, stamp)
    return lock.has_flock


def _is_belated(own: str, client: Client) -> bool:
    """A late word of a process that has ended: it gets no file of its own any more."""
    from recorder import surroundings  # noqa: PLC0415 - seldom

    return not store.exists(own) and surroundings.has_ended(client)


def _keep_in(
    lock: Locked, env: Mapping[str, str], event: dict[str, Any], stamp: Stamp, twin_of: str = ""
) -> Client | None:
    """Record the event in this file; or the process that needs a file of its own, as another one has this one.

    `twin_of` is the state folder, if this file may belong to another process.
    """
    with lock:
        fact = _known(lock.data)
        client = _another_client(fact, env, event, lock.data)
        if client and twin_of and _has_its_own(fact, client, event, twin_of):
            _leave_nothing(lock)
            return client
        if fact and fact.client and client:
            changes.fresh(fact, _latest(fact, stamp))
        fact = changes.record(fact, event, stamp)
        if fact is None:
            _leave_nothing(lock)
            return None
        fact.twin = not twin_of
        if client:
            _introduce(fact, env, client)
        store.replace(lock.data, facts.encode(fact))
    return None


def _latest(fact: Fact, stamp: Stamp) -> Stamp:
    """A hook of the process before may have been stamped after the first one of the process that speaks now."""
    last = fact.last.at if fact.last else None
    return last if last and facts.before(stamp, last) else stamp


def _leave_nothing(lock: Locked) -> None:
    """A lock goes with its data; beside none, nobody would ever take it away."""
    if not store.exists(lock.data):
        store.remove(lock.data + ".lock")


def _has_its_own(fact: Fact | None, client: Client, event: dict[str, Any], home: str) -> bool:
    """A session that is resumed in a second terminal while the first lives on: what each does is its own.

    Sub-agents have ids of their own, so their facts do not meet.
    """
    if changes.agent_of(event) != paths.MAIN:
        return False
    from recorder import surroundings  # noqa: PLC0415 - once for each process

    if fact and fact.client and surroundings.may_live(fact.client, client):
        return True
    return store.exists(paths.fact(home, paths.twin(event["session_id"], client.pid), paths.MAIN))


def _known(path: str) -> Fact | None:
    data = store.read(path)
    if data is None:
        return None
    fact = facts.decode(data)
    if fact is None:
        store.set_aside(path)
    return fact


def _another_client(fact: Fact | None, env: Mapping[str, str], event: dict[str, Any], path: str) -> Client | None:
    """The process that speaks, unless it is the one that spoke before. Looked at once for each process."""
    known = fact.client if fact else None
    said = env.get("CLAUDE_PID", "")
    if known and event["hook_event_name"] != "SessionStart" and _is_the_same(known, said, path, event["session_id"]):
        return None
    from recorder import surroundings  # noqa: PLC0415 - the usual path does without

    found = surroundings.client(env)
    return None if found is None or (known and known.is_process(found)) else found


def _is_the_same(known: Client, said: str, path: str, session: str) -> bool:
    """By the pid that the client says. An old one says none: then there may be no twin that it could be."""
    if said:
        return said == str(known.pid)
    twins = paths.twin(session, "")
    return not any(name.startswith(twins) for name in store.names(path.rpartition("/")[0]))


def _introduce(fact: Fact, env: Mapping[str, str], client: Client) -> None:
    from recorder import surroundings  # noqa: PLC0415 - as above

    fact.client = client
    if fact.agent == paths.MAIN:
        fact.terminal = surroundings.terminal(env, client.pid)
