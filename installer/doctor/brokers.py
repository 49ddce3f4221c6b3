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
    known: tuple[ConnectionState, ...] = ()
    silent: tuple[Host, ...] = ()  # machines that a broker tells of, and that are out of reach
    sharing: ConnectionState | None = None  # None if nothing is shared


def look(home: str, chosen: str) -> Brokers:
    """`chosen`: the file that names machines."""
    names = store.names(paths.brokers_dir(home)) if os.path.exists(chosen) else []
    known = tuple(broker for name in names if (broker := broker_connections.read(home, name.removesuffix(".json"))))
    urls = tuple(f"{broker.url} (" for broker in known)
    found = (hosts.read(f"{paths.hosts_dir(home)}/{name}") for name in (hosts.names(home) if urls else ()))
    silent = tuple(host for host in found if host and host.source.startswith(urls) and not host.speaks)
    is_shared = os.path.exists(hosts.shared(chosen))
    return Brokers(known, silent, (broker_connections.read(home, "") or ConnectionState("")) if is_shared else None)


def judge(seen: Brokers, now: float) -> list[Check]:
    sharing = [_sharing(seen.sharing, now)] if seen.sharing else []
    return [*(_broker(broker, seen, now) for broker in seen.known), *sharing]


def _broker(broker: ConnectionState, seen: Brokers, now: float) -> Check:
    name = f"broker {clean(broker.name, NAME)}"
    if not broker.reached or broker.why:
        return Check(name, WARN, _trouble(broker, now), "It is tried again and again. If it is wrong, add it anew.")
    if broker.left_out:
        remedy = "Somebody there says what is not shown: see who may write, in the broker's access list."
        return Check(name, WARN, f"left out: {clean(broker.left_out, LONG)}", remedy)
    silent = [host for host in seen.silent if host.source.startswith(f"{broker.url} (")]
    more = f"; out of reach or unknown: {_listed(silent)}" if silent else ""
    return Check(name, OK, f"{broker.hosts} machines, {broker.sessions} sessions ({clean(broker.url, LONG)}){more}")


def _sharing(broker: ConnectionState, now: float) -> Check:
    if not broker.reached or broker.why:
        words = _trouble(broker, now) if broker.since else "nothing is known of it yet"
        return Check("share", WARN, words, f"Run `{typed.command('share')}`.")
    return Check("share", OK, f"{broker.sessions} sessions are shared with {clean(broker.url, LONG)}")


def _trouble(broker: ConnectionState, now: float) -> str:
    words = f"{clean(broker.url, LONG)}: {clean(broker.why, LONG) or 'it does not answer'}"
    return words if broker.reached else f"{words}, for {age(now - broker.since)}"


def _listed(silent: list[Host]) -> str:
    return ", ".join([clean(host.name, NAME) for host in silent[:NAMED]] + ["…"] * (len(silent) > NAMED))
