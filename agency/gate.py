"""The one gate that every spawn and every kill passes: quotas, folders, and the user's own hook."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agency import clients, hooks
from agency.outcome import busy, refused
from agency.request import DISPATCHER
from agency.rights import Rights
from contract import paths, store, typed
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agency.audit import Subject
    from agency.registration import Spawned
    from agency.request import Request
    from processes.caller import Caller
    from statusbar.settings.settings import Settings

MINUTE_S = 60.0


@dataclass(frozen=True, slots=True)
class EndRequest:
    """Somebody wants to end an agent."""

    home: str
    by: Caller
    target: Subject
    cwd: str  # of the target, for rules by project; '' if unknown
    has_tree: bool  # whether what runs below it is to end too


def may_end(request: EndRequest, settings: Settings) -> str:
    """Why it is refused; '' if it is not."""
    return _forbidden(request.cwd, settings.no_kill_in, "kill.no_kill_in") if request.cwd else ""


def may_start(request: Request, settings: Settings, env: Mapping[str, str]) -> Request:
    """The request as it may be carried out, by what does not depend on other agents; NotDone if not at all."""
    if reason := _forbidden(request.cwd, settings.no_spawn_in, "spawn.no_spawn_in"):
        raise refused(reason)
    if request.asks and not settings.answers_enabled:
        raise refused(f"it would ask, and nobody could answer: {typed.command('config answers.enabled on')}")
    limit = hooks.ask(env, described(request), settings.hook_s)
    rights = Rights(request.rights.allow, tuple(dict.fromkeys((*request.rights.deny, *limit.deny))))
    _check_rights(request.client, rights)
    return replace(request, rights=rights, timeout_s=_shorter(request.timeout_s, limit.timeout_s))


def _check_rights(name: str, rights: Rights) -> None:
    """What a client cannot be held to is refused: nobody shall believe in a limit that is none."""
    client = clients.named(name)
    if client and (rule := client.unheld(rights)):
        raise refused(f"{name} cannot be held to {tidy(rule, 80)}. {client.ENFORCES}")


def has_room(request: Request, living: Sequence[Spawned], settings: Settings) -> int:
    """How deep the new agent is below the first; NotDone if it would be one too many. Under the lock."""
    if any(agent.name == request.name for agent in living):
        raise refused(f"an agent named {request.name} is running already: {typed.command('ps')}")
    above = next((agent for agent in living if agent.session == request.parent), None)
    depth = above.depth + 1 if above else 1
    running = [agent for agent in living if agent.kind != DISPATCHER]  # it would be in the way of its own workers
    siblings = sum(agent.parent == request.parent for agent in running) if request.parent else 0
    if 0 < settings.agents_deep < depth:
        raise refused(f"it would be {depth} deep, and spawn.agents_deep is {settings.agents_deep}")
    if request.kind == DISPATCHER:
        return depth
    if 0 < settings.agents_at_once <= len(running):
        raise busy(f"{len(running)} agents run already, and spawn.agents_at_once is {settings.agents_at_once}")
    if 0 < settings.agents_per_parent <= siblings:
        raise busy(f"its parent has {siblings} already; spawn.agents_per_parent is {settings.agents_per_parent}")
    return depth


def count_spawn(home: str, now: float, settings: Settings) -> None:
    """One more in this minute; Busy if that is one too many. Under the lock."""
    most = settings.agents_a_minute
    if not most:
        return
    path = paths.spawned_dir(home) + ".times"
    times = [at for at in _times(path) if now - MINUTE_S < at <= now]
    if len(times) >= most:
        raise busy(f"{len(times)} agents were spawned within a minute, and spawn.agents_a_minute is {most}")
    store.replace(path, json.dumps([*times, now]).encode())


def described(request: Request) -> dict[str, object]:
    """For a hook: without prompt and environment."""
    rights = request.rights
    return {
        "v": 1, "name": request.name, "session": request.session, "kind": request.kind, "parent": request.parent,
        "agent": request.agent, "client": request.client, "argv": list(request.argv), "cwd": request.cwd,
        "allow": None if rights.allow is None else list(rights.allow), "deny": list(rights.deny),
        "timeout_s": request.timeout_s, "asks": request.asks,
    }  # fmt: skip


def _forbidden(cwd: str, folders: Sequence[str], setting: str) -> str:
    inside = os.path.realpath(cwd)
    for folder in folders:
        real = os.path.realpath(os.path.expanduser(folder))
        if inside == real or inside.startswith(real.rstrip("/") + "/"):
            return f"{cwd} is in {folder}, which {setting} forbids"
    return ""


def _shorter(one: float, other: float) -> float:
    """Of two time limits, where 0 is none."""
    return min(one, other) if one and other else one or other


def _times(path: str) -> list[float]:
    try:
        raw = json.loads(store.read(path) or b"[]")
    except (OSError, ValueError, RecursionError):
        return []
    return [at for at in raw if type(at) in (int, float)] if isinstance(raw, list) else []
