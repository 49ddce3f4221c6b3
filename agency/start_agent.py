"""Starting one agent, from the request to the running program, and noting its end.

The order matters: the gate first; then the process, which waits; then its registration and the audit, under the lock
that all who start agents take; and only then does its program run. Whatever fails on the way leaves nothing behind.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from agency import audit, clients, gate, hooks, registration, result
from agency import two_step_start as program
from agency.audit import Entry, Subject
from agency.outcome import REFUSED, Busy, NotDone, could_not
from agency.registration import Spawned
from agency.request import DISPATCHER
from agency.two_step_start import INHERITED, Held, Program
from contract import launch, paths, store
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agency.request import Request
    from agency.result import Result
    from agency.two_step_start import Streams
    from processes.caller import Caller
    from statusbar.settings.settings import Settings

Details = tuple[tuple[str, object], ...]
SPAWN, DISPATCH, END, HOOK = "spawn", "dispatch", "end", "hook"


class Context(NamedTuple):
    """Where agents are started, and for whom."""

    home: str
    env: Mapping[str, str]
    settings: Settings
    who: Caller
    before_it_runs: Callable[[Spawned], None] | None = None  # what it raises keeps the agent from running
    waits_for_room: bool = False  # asks again when there may be room: until then nobody has refused anything

    def note(self, verb: str, target: Subject, outcome: str, reason: str = "", more: Details = ()) -> None:
        """OSError if it cannot be written."""
        audit.note(self.home, Entry(time.time(), verb, self.who, target, outcome, reason, more))

    def note_if_possible(self, verb: str, target: Subject, outcome: str, reason: str = "") -> None:
        """What has happened already is told as well as it can be; but a state folder that was removed stays so."""
        if not os.path.isdir(self.home):
            return
        try:
            self.note(verb, target, outcome, reason)
        except OSError as error:
            print(f"yourturn: not in the audit: {error}", file=sys.stderr)


def allowed(request: Request, context: Context) -> Request:
    """As the gate lets it pass: perhaps with less rights or less time. NotDone if it does not."""
    try:
        return _with_policy(gate.may_start(request, context.settings, context.env), context.home)
    except NotDone as refusal:
        _note_refusal(request, context, refusal)
        raise


def _with_policy(request: Request, home: str) -> Request:
    """Named by its content, so that there is one for each set of limits, however many agents have had it."""
    text = clients.policy(request.client, request.rights).encode()
    if not text:
        return request
    path = paths.policy(home, hashlib.sha256(text).hexdigest()[:16])
    try:
        store.private_folder(paths.policies_dir(home))
        store.replace(path, text)
    except OSError as error:
        raise could_not(f"{path}: {error.strerror}") from None
    return replace(request, policy=path)


def start(request: Request, context: Context, streams: Streams = INHERITED, *, apart: bool = True) -> Spawned:
    """Of a request that was allowed. NotDone if there is no room for it, or its program cannot be run."""
    try:
        agent = _registered(request, context, streams, apart=apart)
    except NotDone as refusal:
        _note_refusal(request, context, refusal)
        raise
    if trouble := hooks.tell(context.env, hooks.AFTER_SPAWN, _told(agent), context.settings.hook_s):
        context.note_if_possible(HOOK, _subject(agent), "failed", trouble)
    return agent


def _note_refusal(request: Request, context: Context, refusal: NotDone) -> None:
    """Not of one who waits until there is room."""
    if refusal.outcome.code == REFUSED and not (context.waits_for_room and isinstance(refusal, Busy)):
        context.note_if_possible(SPAWN, Subject(request.session, request.name), "refused", str(refusal))


def ended(agent: Spawned, how: Result, code: int, context: Context) -> str:
    """Told to the watcher first: it waits for that before it shows the agent as gone. Who killed it, if anybody."""
    killed_by = _note_end(agent, how, code, context)
    told = {**_told(agent), "ok": how.ok, "reason": how.reason, "exit": code, "killed_by": killed_by}
    if trouble := hooks.tell(context.env, hooks.AFTER_EXIT, told, context.settings.hook_s):
        context.note_if_possible(HOOK, _subject(agent), "failed", trouble)
    return killed_by


def join(request: Request, context: Context) -> Spawned:
    """Register this process itself. It starts nothing, so nobody's hook is asked."""
    return _register(request, context, Held(*registration.this_process(os.getpid()), -1, -1))


def leave(agent: Spawned, how: Result, code: int, context: Context) -> None:
    """This process is about to end."""
    _note_end(agent, how, code, context)


def _note_end(agent: Spawned, how: Result, code: int, context: Context) -> str:
    """It has ended, whether that can be written or not: on a full disk the others still have to be waited for."""
    killed_by = ""
    try:
        killed_by = registration.note_end(context.home, agent, result.exit_word(code) if how.ok or code else how.reason)
        registration.unregister(context.home, agent)
    except OSError as error:
        print(f"yourturn: the end of {agent.name} cannot be noted: {error}", file=sys.stderr)
    outcome = "killed" if killed_by else "completed" if how.ok else "failed"
    context.note_if_possible(END, _subject(agent), outcome, how.reason)
    return killed_by


def _registered(request: Request, context: Context, streams: Streams, *, apart: bool) -> Spawned:
    held = program.hold(Program(request.argv, _environment(request), request.cwd, streams, apart))
    try:
        agent = _register(request, context, held)
        _tell_before_it_runs(agent, context)
    except BaseException:
        program.cancel(held)
        raise
    try:
        program.release(held)
    except OSError as error:
        registration.withdraw(context.home, agent)
        context.note_if_possible(SPAWN, _subject(agent), "failed", error.strerror or "")
        raise could_not(f"{request.argv[0]}: {error.strerror}") from None
    _ensure_watcher(context)
    return agent


def _ensure_watcher(context: Context) -> None:
    """By a process of its own: a child of ours would be ended with us and what we have started."""
    if not launch.is_allowed(context.env) or store.is_locked(paths.watcher_lock(context.home)):
        return
    starter = os.fork()
    if starter:
        os.waitpid(starter, 0)
        return
    with suppress(BaseException):  # the agent runs already, and must not be forgotten because of a full disk
        launch.ensure_watcher(context.home, context.env)
    os._exit(0)


def _tell_before_it_runs(agent: Spawned, context: Context) -> None:
    try:
        if context.before_it_runs:
            context.before_it_runs(agent)
    except BaseException as error:
        with suppress(OSError):
            registration.withdraw(context.home, agent)
        context.note_if_possible(SPAWN, _subject(agent), "failed", str(error))
        raise


def _register(request: Request, context: Context, held: Held) -> Spawned:
    now = time.time()
    with registration.lock(context.home):
        depth = gate.has_room(request, registration.sweep(context.home), context.settings)
        if request.kind != DISPATCHER:
            gate.count_spawn(context.home, now, context.settings)
        keeper, keeper_start = registration.this_process(os.getpid())
        agent = Spawned(
            name=request.name, session=request.session, kind=request.kind, parent=request.parent, depth=depth,
            program=os.path.basename(request.argv[0]), cwd=request.cwd, pid=held.pid, start=held.start,
            keeper=keeper, keeper_start=keeper_start, at=now,
            allow=None if request.rights.allow is None else list(request.rights.allow), deny=list(request.rights.deny),
        )  # fmt: skip
        verb = DISPATCH if request.kind == DISPATCHER else SPAWN
        context.note(verb, _subject(agent), "started", more=_limits(request))
        registration.register(context.home, agent, request)
    return agent


def _environment(request: Request) -> dict[str, str]:
    """AGENT_MODE tells programs that no person is there; the ids let what the agent starts name its parent."""
    rights = request.rights
    limits = {} if rights.allow is None else {"YOURTURN_ALLOW": ",".join(rights.allow)}
    limits |= {"YOURTURN_DENY": ",".join(rights.deny)} if rights.deny else {}
    ours = {"AGENT_MODE": "1", "YOURTURN_AGENT": request.session, "YOURTURN_PARENT": request.parent}
    stream, client = clients.stream(request.client) if request.asks else None, clients.named(request.client)
    enforced = client.environment(rights, request.env) if client else {}
    alone = client.UNATTENDED if client and request.prompt is not None else {}
    return {**request.env, **ours, **limits, **enforced, **alone, **(stream.ENVIRONMENT if stream else {})}


def _limits(request: Request) -> Details:
    """For the audit: what it may do, and what of that is enforced."""
    rights = request.rights
    if not rights.are_restricted:
        return ()
    allow = None if rights.allow is None else [tidy(tool, 80) for tool in rights.allow]
    deny, enforced = [tidy(tool, 80) for tool in rights.deny], clients.enforced(request.client)
    return (("client", request.client), ("allow", allow), ("deny", deny), ("enforced", enforced))


def _subject(agent: Spawned) -> Subject:
    return Subject(agent.session, agent.name, agent.pid, agent.start)


def _told(agent: Spawned) -> dict[str, object]:
    return {"v": 1, **agent._asdict()}
