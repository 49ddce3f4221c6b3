"""One event: from the bytes the client gave to the fact on disk."""

from __future__ import annotations

from contract import facts, paths, store, wire
from recorder import changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from contract.facts import Client, Fact, Stamp


def receive(home: str, env: Mapping[str, str], data: bytes, stamp: Stamp) -> None:
    event = understand(data)
    try:
        keep(home, env, event, stamp)
    except FileNotFoundError:  # the very first event, or somebody cleared the folder
        store.private_folder(paths.fact_dir(home))
        keep(home, env, event, stamp)
    if not store.is_locked(paths.watcher_lock(home)) and env.get("YOURTURN_NO_WATCHER") != "1":
        from recorder import launch  # noqa: PLC0415 - once in a while

        launch.ensure_watcher(home, env)


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


def keep(home: str, env: Mapping[str, str], event: dict[str, Any], stamp: Stamp) -> None:
    path = paths.fact(home, event["session_id"], changes.agent_of(event))
    with store.Locked(path):
        fact = _known(path)
        client = _another_client(fact, env, event)
        if fact and fact.client and client:
            changes.fresh(fact, stamp)
        fact = changes.record(fact, event, stamp)
        if fact is None:
            return
        if client:
            _introduce(fact, env, client)
        store.replace(path, facts.encode(fact))


def _known(path: str) -> Fact | None:
    data = store.read(path)
    if data is None:
        return None
    fact = facts.decode(data)
    if fact is None:
        store.set_aside(path)
    return fact


def _another_client(fact: Fact | None, env: Mapping[str, str], event: dict[str, Any]) -> Client | None:
    """The process that speaks, unless it is the one that spoke before. Looked at once for each process."""
    said = env.get("CLAUDE_PID", "")
    known = fact.client if fact else None
    if known and event["hook_event_name"] != "SessionStart" and (not said or said == str(known.pid)):
        return None
    from recorder import surroundings  # noqa: PLC0415 - the usual path does without

    found = surroundings.client(env)
    return None if found == known else found


def _introduce(fact: Fact, env: Mapping[str, str], client: Client) -> None:
    from recorder import surroundings  # noqa: PLC0415 - as above

    fact.client = client
    if fact.agent == paths.MAIN:
        fact.terminal = surroundings.terminal(env, client.pid)
