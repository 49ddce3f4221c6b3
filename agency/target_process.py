"""The process of a target: proven to be the one that was meant, or why that is not certain."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from agency.clock import since_boot
from agency.outcome import already_gone, refused
from contract import machine, typed
from contract.clean import clean
from processes.identity import Identity
from processes.place import Place, place_of
from processes.programs import invocation

if TYPE_CHECKING:
    from agency.target import Target
    from contract.facts import Client
    from processes.process import Proc
    from processes.table import Probe


class Here(NamedTuple):
    """This machine, as far as it tells whether a pid means anything here."""

    place: tuple[str, str, str]
    booted_at: float  # on the wall clock
    is_watched: bool  # whether a watcher keeps the statuses up to date


def here(*, is_watched: bool) -> Here:
    return Here(machine.here(), time.time() - since_boot(), is_watched)


def process_of(target: Target, probe: Probe, at: Here) -> Proc:
    """Raises NotDone if it is gone, or if it is not certain which process it is."""
    client = target.fact.client if target.fact else None
    if client is None:
        return _vouched_for(target, probe, at)
    _check_place(target, client, at)
    if not client.start:
        return _vouched_for(target, probe, at, client.pid)
    found = probe.identity(client.pid, client.start)
    if found is Identity.GONE:
        raise already_gone(f"{target.words}: its process {client.pid} has ended.")
    proc = probe.process(client.pid)
    if found is Identity.UNKNOWN or proc is None:
        raise refused(f"process {client.pid} of {target.words} may not be looked at, so it may be another one by now.")
    _check_host(target, proc)
    return proc


def _check_host(target: Target, proc: Proc) -> None:
    called = None if proc.forked else invocation(proc.argv, proc.name)
    if called and called.hosts:
        raise refused(f"process {proc.pid} of {target.words} has other sessions too. End it in its own terminal.")


def _check_place(target: Target, client: Client, at: Here) -> None:
    last = target.fact.last if target.fact else None
    found = place_of(client, at.place, last.at.wall if last and last.at else 0.0, at.booted_at)
    if found is Place.BEFORE:
        raise already_gone(f"{target.words} ran before this machine was started anew.")
    if found is Place.ELSEWHERE:
        where = f"on {clean(client.host, 64)}, or in a container" if client.host != at.place[0] else "in a container"
        raise refused(f"{target.words} runs {where}: its process {client.pid} is another one here. End it there.")


def _vouched_for(target: Target, probe: Probe, at: Here, wanted: int = 0) -> Proc:
    """No hook has noted when it started: then a watcher must see it now, and it must be an agent's program."""
    pid = target.status.pid if target.status else None
    if not pid or (wanted and pid != wanted):
        raise refused(f"which process is {target.words} is unknown.")
    if not at.is_watched:
        raise refused(
            f"when process {pid} of {target.words} started is unknown, and no watcher runs: {typed.command('up')}"
        )
    proc = probe.process(pid)
    if proc is None:
        if probe.identity(pid, None) is Identity.GONE:
            raise already_gone(f"{target.words}: its process {pid} has ended.")
        raise refused(f"process {pid} of {target.words} may not be looked at, so it may be another one by now.")
    called = None if proc.forked else invocation(proc.argv, proc.name)
    if called is None or called.serves:
        raise refused(f"process {pid} of {target.words} is no coding agent that we know, so it may be a stranger.")
    _check_host(target, proc)
    return proc
