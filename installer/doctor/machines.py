"""The checks of other machines: the file that names them, who brings their statuses, and each of them."""

from __future__ import annotations

import os
import tomllib
from typing import TYPE_CHECKING, NamedTuple

from contract import hosts, paths, store, typed
from contract.clean import clean
from contract.pulse import Pulse, Watcher
from contract.version import VERSION
from installer.doctor.check import FAIL, OK, WARN, Check, age

if TYPE_CHECKING:
    from contract.hosts import Host

NAME, LONG = 40, 200


class Machines(NamedTuple):
    path: str  # the file that names them
    trouble: str = ""  # what is wrong with it
    named: tuple[str, ...] = ()  # those that a command reaches, by their names there
    brokers: tuple[str, ...] = ()  # that tell of others, by their names there
    hosts: tuple[Host, ...] = ()  # what is known of each
    collector: Pulse = Pulse()


def look(home: str, path: str) -> Machines | None:
    if not os.path.lexists(path):
        return None
    folders = [f"{paths.hosts_dir(home)}/{name}" for name in hosts.names(home)]
    known = tuple(host for folder in folders if (host := hosts.read(folder)))
    trouble, named, brokers = _named(path)
    return Machines(path, trouble, named, brokers, known, hosts.collector(home))


def judge(machines: Machines | None, home: str, now: float) -> list[Check]:
    if machines is None:
        return []
    if machines.trouble:
        words = f"{machines.path}: {clean(machines.trouble, LONG)}"
        remedy = "Fix it, or move it away. Until then no machine is added or removed."
        return [Check("machines", FAIL, words, remedy)]
    if machines.collector.watcher(now) is not Watcher.ALIVE:
        return [_without_collector(machines, home, now)]
    known = {host.name: host for host in machines.hosts}
    unheard = [Check(_name(name), WARN, "it has not been asked yet") for name in machines.named if name not in known]
    # Those that a broker tells of may be a thousand: see `brokers`.
    named = [host for host in machines.hosts if host.name in machines.named]
    return [_machines(machines), *(_machine(host, now) for host in named), *unheard]


def _without_collector(machines: Machines, home: str, now: float) -> Check:
    words = {
        Watcher.STARTING: "the collector is starting",
        Watcher.STUCK: "the collector is running, but does not respond",
    }.get(machines.collector.watcher(now), "no collector is running")
    listed = clean(", ".join((*machines.named, *machines.brokers)), LONG)
    remedy = f"`{typed.command('status')}` starts one. If that does not help, read {paths.collector_log(home)}."
    return Check("machines", WARN, f"{words}, so the states of {listed} are unknown", remedy)


def _machines(machines: Machines) -> Check:
    beat = machines.collector.heartbeat
    if beat and beat.version != VERSION:
        words = f"the collector is of version {clean(beat.version, 20)}; this is {VERSION}"
        return Check(
            "machines", WARN, words, f"Run `kill {beat.pid}`; the next front end starts the one of this version."
        )
    number = len(machines.named) + len(machines.brokers)
    return Check("machines", OK, f"{number} in {machines.path}, brought by process {beat.pid if beat else '?'}")


def _machine(host: Host, now: float) -> Check:
    name, why = _name(host.name), clean(host.why, LONG)
    if not host.reached:
        since = f" for {age(now - host.since)}" if host.since else ""
        remedy = f"Try it: {clean(host.source, LONG)} {typed.NAME} status" if host.source else None
        return Check(name, WARN, f"out of reach{since}: {why}", remedy)
    if not host.known:
        return Check(name, WARN, f"it does not know how its agents are: {why}", "Run doctor there.")
    if why:
        return Check(name, WARN, why, "Look at what runs there: so much cannot be shown.")
    if host.version != VERSION:
        words = f"runs yourturn {clean(host.version, 20) or 'of an older version'}; this is {VERSION}"
        return Check(name, WARN, words, "It is read as far as it goes. Update the older one.")
    return Check(name, OK, f"reached by: {clean(host.source, LONG)}")


def _name(name: str) -> str:
    return f"host {clean(name, NAME)}"


def _named(path: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """What is wrong with the file, and the names in it. Links are followed: people keep such files elsewhere."""
    try:
        raw = tomllib.loads((store.read(os.path.realpath(path)) or b"").decode())
    except OSError as error:
        return error.strerror or str(error), (), ()
    except (ValueError, RecursionError) as error:
        return str(error), (), ()
    wrong = [name for name, table in raw.items() if not _is_source(table)]
    brokers = tuple(name for name, table in raw.items() if _is_source(table) and "broker" in table)
    named = tuple(name for name in raw if name not in brokers)
    return f"[{wrong[0]}] names neither a command nor a broker" if wrong else "", named, brokers


def _is_source(table: object) -> bool:
    return isinstance(table, dict) and any(isinstance(table.get(key), str) for key in ("command", "broker"))
