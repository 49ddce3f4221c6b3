"""One event: from the bytes that a client gave to the fact on disk."""

from __future__ import annotations

from contract import facts, paths, store, wire
from recorder import changes, clients

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from contract.facts import Client, Fact, Stamp
    from contract.store import Locked
    from recorder.change import Change

STARTED_AS = "YOURTURN_AGENT"  # the id of an agent that was started through us, in its environment
TICK_S = 1e-6  # the finest that a stamp tells
NO_FLOCK = (
    "The file system of the state folder has no flock. Events are kept, but hooks start no watcher there: "
    "let YOURTURN_HOME name a folder on a local disk."
)


def receive(  # noqa: PLR0913 - what a hook is given
    home: str, env: Mapping[str, str], data: bytes, stamp: Stamp, client: str = "", *, alone: bool = False
) -> None:
    """`alone`: in a process of its own, see `store.Locked`."""
    _prepare(home)
    payload = wire.decode(data)
    try:
        has_flock = keep(home, env, payload, stamp, client, alone=alone)
    except FileNotFoundError:  # somebody has just cleared the folder
        _prepare(home)
        has_flock = keep(home, env, payload, stamp, client, alone=alone)
    if not has_flock:
        from recorder.trouble import note_once  # noqa: PLC0415 - on some network file systems

        note_once(home, stamp, NO_FLOCK)
    elif not store.is_locked(paths.watcher_lock(home)) and env.get("YOURTURN_NO_WATCHER") != "1":
        from recorder.start import start  # noqa: PLC0415 - once in a while

        start(home, env, client or facts.UNNAMED, stamp.wall)


def _prepare(home: str) -> None:
    """Our own folders, open to nobody else."""
    folder = paths.fact_dir(home)
    try:
        store.close_to_others(home, may_be_link=True)
        store.close_to_others(folder)
    except FileNotFoundError:  # the very first event
        store.private_folder(folder)


def keep(  # noqa: PLR0913 - as above
    home: str, env: Mapping[str, str], payload: Any, stamp: Stamp, client: str = "", *, alone: bool = False
) -> bool:
    """Whether the file system could lock the facts as every other does."""
    told = understand(payload, env, client)
    if not told:
        return True
    if env.get(STARTED_AS):
        _join(home, env[STARTED_AS], told)
    session, agent = changes.session_of(told[0]), changes.agent_of(told[0])  # all that one event tells is of one agent
    lock = store.Locked(paths.fact(home, session, agent), alone=alone)
    beside = _record_in(lock, env, told, stamp, twin_of=home)
    own = paths.fact(home, paths.twin(session, beside.pid), agent) if beside else ""
    if beside and not _is_belated(own, beside):
        _record_in(store.Locked(own, alone=alone), env, told, stamp)
    return lock.has_flock


def _join(home: str, name: str, told: tuple[Change, ...]) -> None:
    """Some clients choose the ids of their sessions themselves. One that we have started has a row already."""
    if changes.session_of(told[0]) == name:
        return
    from recorder import spawned  # noqa: PLC0415 - seldom

    if ours := spawned.registered_as(home, name, told[0]):
        for change in told:
            change.session = ours


def _later(stamp: Stamp, number: int) -> Stamp:
    """What one event tells comes one after the other: a session that starts with a prompt is not at rest."""
    return type(stamp)((stamp.wall + number * TICK_S, stamp.boot + number * TICK_S)) if number else stamp


def understand(payload: Any, env: Mapping[str, str], client: str) -> tuple[Change, ...]:
    """What has happened, or ValueError with a word that is safe to log. Nothing if it is of a client unknown to us."""
    if not isinstance(payload, dict):
        raise ValueError("the event is not an object")  # noqa: TRY004 - one kind for all bad input
    client = clients.speaking(client or facts.UNNAMED, env)
    if not client:
        return ()
    speaker = clients.named(client)
    told = speaker.translate(payload)
    for change in told:
        if not changes.session_of(change):
            raise ValueError("the event names no session")
        change.client, change.process = client, speaker.process(env)
    return told


def _is_belated(own: str, client: Client) -> bool:
    """A late word of a process that has ended: it gets no file of its own any more."""
    from recorder import surroundings  # noqa: PLC0415 - seldom

    return not store.exists(own) and surroundings.has_ended(client)


def _record_in(
    lock: Locked, env: Mapping[str, str], told: tuple[Change, ...], stamp: Stamp, twin_of: str = ""
) -> Client | None:
    """Record the changes in this file; or the process that needs a file of its own, as another one has this one.

    All at once: nobody may read that a session has started, and not that it was with a prompt. `twin_of` is the state
    folder, if this file may belong to another process.
    """
    change = told[0]
    with lock:
        fact = _known(lock.data)
        client = _another_client(fact, change, lock.data)
        if fact is None and client is None and _is_of_an_ended_client(change):
            _leave_nothing(lock)
            return None
        if client and twin_of and _has_its_own(fact, client, change, twin_of):
            _leave_nothing(lock)
            return client
        if fact and fact.client and client:
            changes.fresh(fact, _latest(fact, stamp))
        for number, change in enumerate(told):
            fact = changes.record(fact, change, _later(stamp, number))
        if fact is None:
            _leave_nothing(lock)
            return None
        fact.twin = not twin_of
        if client:
            _introduce(fact, env, client)
        store.replace(lock.data, facts.encode(fact))
    return None


def _is_of_an_ended_client(change: Change) -> bool:
    """A late word of a client that was killed, whose facts are gone already: it would have a row for a week."""
    from recorder import surroundings  # noqa: PLC0415 - seldom

    return not change.process[0] and surroundings.is_orphan()


def _latest(fact: Fact, stamp: Stamp) -> Stamp:
    """A hook of the process before may have been stamped after the first one of the process that speaks now."""
    last = fact.last.at if fact.last else None
    return last if last and facts.before(stamp, last) else stamp


def _leave_nothing(lock: Locked) -> None:
    """A lock goes with its data; beside none, nobody would ever take it away."""
    if not store.exists(lock.data):
        store.remove(lock.data + ".lock")


def _has_its_own(fact: Fact | None, client: Client, change: Change, home: str) -> bool:
    """A session that is resumed in a second terminal while the first lives on: what each does is its own.

    Sub-agents have ids of their own, so their facts do not meet.
    """
    if changes.agent_of(change) != paths.MAIN:
        return False
    from recorder import spawned, surroundings  # noqa: PLC0415 - once for each process

    if fact and spawned.is_launched_by(fact, client):
        return False
    if fact and fact.client and surroundings.may_live(fact.client, client):
        return True
    return store.exists(paths.fact(home, paths.twin(changes.session_of(change), client.pid), paths.MAIN))


def _known(path: str) -> Fact | None:
    data = store.read(path)
    if data is None:
        return None
    fact = facts.decode(data)
    if fact is None:
        store.set_aside(path)
    return fact


def _another_client(fact: Fact | None, change: Change, path: str) -> Client | None:
    """The process that speaks, unless it is the one that spoke before. Looked at once for each process."""
    known = fact.client if fact else None
    is_first = fact is not None and fact.registered is not None and not fact.seq  # perhaps only a script launches it
    if known and not is_first and change.kind != "session started" and _is_the_same(known, change, path):
        return None
    from recorder import surroundings  # noqa: PLC0415 - the usual path does without

    found = surroundings.client(*change.process)
    return None if found is None or (known and known.is_process(found)) else found


def _is_the_same(known: Client, change: Change, path: str) -> bool:
    """By the pid that the client says. Some say none: then there may be no twin that it could be."""
    said = change.process[0]
    if said:
        return said == str(known.pid)
    twins = paths.twin(changes.session_of(change), "")
    return not any(name.startswith(twins) for name in store.names(path.rpartition("/")[0]))


def _introduce(fact: Fact, env: Mapping[str, str], client: Client) -> None:
    from recorder import surroundings  # noqa: PLC0415 - as above

    fact.client = client
    if fact.agent == paths.MAIN:
        fact.terminal = surroundings.terminal(env, client.pid)
