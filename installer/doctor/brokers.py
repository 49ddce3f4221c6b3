"""The checks of brokers: those that tell of other machines, and the one that is told of this machine."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from contract import broker_connections, hosts, paths, store, typed
from contract.broker_connections import ConnectionState
from contract.clean import clean
from installer.doctor.check import OK, WARN, Check, age

if TYPE_CHECKING:
    from contract.hosts import Host

NAME, LONG, NAMED = 40, 160, 3


class Brokers(NamedTuple):
    lines: tuple[ConnectionState, ...] = ()
    silent: tuple[Host, ...] = ()  # machines that a broker tells of, and that are out of reach
    sharing: ConnectionState | None = None  # None if nothing is shared


def look(home: str, chosen: str) -> Brokers:
    """`chosen`: the file that names machines."""
    names = store.names(paths.brokers_dir(home)) if os.path.exists(chosen) else []
    lines = tuple(line for name in names if (line := broker_connections.read(home, name.removesuffix(".json"))))
    urls = tuple(f"{line.url} (" for line in lines)
    found = (hosts.read(f"{paths.hosts_dir(home)}/{name}") for name in (hosts.names(home) if urls else ()))
    silent = tuple(host for host in found if host and host.source.startswith(urls) and not host.speaks)
    is_shared = os.path.exists(hosts.shared(chosen))
    return Brokers(lines, silent, (broker_connections.read(home, "") or ConnectionState("")) if is_shared else None)


def judge(seen: Brokers, now: float) -> list[Check]:
    sharing = [_sharing(seen.sharing, now)] if seen.sharing else []
    return [*(_broker(line, seen, now) for line in seen.lines), *sharing]


def _broker(line: ConnectionState, seen: Brokers, now: float) -> Check:
    name = f"broker {clean(line.name, NAME)}"
    if not line.reached or line.why:
        return Check(name, WARN, _trouble(line, now), "It is tried again and again. If it is wrong, add it anew.")
    if line.left_out:
        remedy = "Somebody there says what is not shown: see who may write, in the broker's access list."
        return Check(name, WARN, f"left out: {clean(line.left_out, LONG)}", remedy)
    silent = [host for host in seen.silent if host.source.startswith(f"{line.url} (")]
    more = f"; out of reach or unknown: {_listed(silent)}" if silent else ""
    return Check(name, OK, f"{line.hosts} machines, {line.sessions} sessions ({clean(line.url, LONG)}){more}")


def _sharing(line: ConnectionState, now: float) -> Check:
    if not line.reached or line.why:
        words = _trouble(line, now) if line.since else "nothing is known of it yet"
        return Check("share", WARN, words, f"Run `{typed.command('share')}`.")
    return Check("share", OK, f"{line.sessions} sessions are shared with {clean(line.url, LONG)}")


def _trouble(line: ConnectionState, now: float) -> str:
    words = f"{clean(line.url, LONG)}: {clean(line.why, LONG) or 'it does not answer'}"
    return words if line.reached else f"{words}, for {age(now - line.since)}"


def _listed(silent: list[Host]) -> str:
    return ", ".join([clean(host.name, NAME) for host in silent[:NAMED]] + ["…"] * (len(silent) > NAMED))
