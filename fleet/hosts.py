"""`yourturn hosts`: lists the other machines, adds one that answers, removes one."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any

from contract import broker_connections, collector_launch, hosts, paths, typed
from contract.broker_connections import ConnectionState
from contract.hosts import Host
from contract.pulse import Watcher
from fleet import collector_wait, hosts_add, mirror, sources
from fleet.broker_extra import lacking
from fleet.sources import Wrong
from statusbar.cli import json_text, output
from statusbar.system import watcher_start
from statusbar.text.ages import clock
from statusbar.text.symbols import TROUBLE
from statusbar.text.width import pad, tidy, width

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence
    from types import ModuleType

    from fleet.sources import Source

COULD_NOT, WRONG_USAGE, REFUSED = 1, 2, 3
NONE = "No other machines. To add one: {}"
NOT_ASKED = "No collector is running, so their states are unknown. If this message stays: {}"
LONG = 160


def run(args: argparse.Namespace) -> int:
    verbs = {"list": _list, "add": _add, "remove": _remove}
    try:
        return verbs[args.verb](args, os.environ)
    except Wrong as error:
        print(f"yourturn: {error}", file=sys.stderr)
        return COULD_NOT


def _list(args: argparse.Namespace, env: Mapping[str, str]) -> int:
    home, now, out = paths.home(), time.time(), output.printer(sys.stdout, os.environ)
    wanted, statuses = sources.load(hosts.chosen(env)), watcher_start.read(home, env, evidence=False)
    known, speaking = {host.name: host for host in statuses.hosts}, statuses.speaking(now)
    brokers = [name for name, source in wanted.items() if source.broker]
    connections = [broker_connections.read(home, name) or ConnectionState(name) for name in brokers]
    shown = {**{name: None for name, source in wanted.items() if source.command}, **known}
    if args.json:
        listed = [_record(wanted.get(name), host or Host(name), name in speaking) for name, host in shown.items()]
        told = {"v": json_text.VERSION, "hosts": listed, "brokers": [state._asdict() for state in connections]}
        out.write(json_text.as_text(told, indent=2 if out.is_terminal else None) + "\n")
        return 0
    if not wanted:
        print(NONE.format(typed.command("hosts add box 'ssh box'")), file=sys.stderr)
        return 0
    is_asked = statuses.collector.watcher(now) is Watcher.ALIVE
    cells = [_cells(name, known.get(name) if is_asked else None, now) for name in shown]
    cells += [_broker_cells(state, now, is_asked=is_asked) for state in connections]
    out.write("".join(f"{line}\n" for line in table(cells)))
    if not is_asked:
        print(f"{TROUBLE.symbol} {NOT_ASKED.format(typed.command('doctor'))}", file=sys.stderr)
    return 0


def table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    rooms = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(pad(text, room) for text, room in zip(row, rooms, strict=True)).rstrip() for row in rows]


def _cells(name: str, host: Host | None, now: float) -> tuple[str, ...]:
    if host is None:
        return tidy(name, 40), "unknown", ""
    since = clock(host.since, now)
    state = "out of reach" if not host.reached else "reached" if host.known else "reached, its states are unknown"
    return tidy(name, 40), f"{state} since {since}" if since else state, tidy(host.why or host.source, LONG)


def _broker_cells(connection: ConnectionState, now: float, *, is_asked: bool) -> tuple[str, ...]:
    name = f"{tidy(connection.name, 40)} (broker)"
    if not is_asked:
        return name, "unknown", ""
    state = "answers" if connection.reached else "does not answer"
    since, number = clock(connection.since, now), connection.hosts
    machines = "1 machine" if number == 1 else f"{number} machines"
    left_out = f"left out: {connection.left_out}" if connection.left_out else ""
    words = ", ".join(filter(None, (machines, connection.why, left_out)))
    return name, f"{state} since {since}" if since else state, tidy(words, LONG)


def _record(source: Source | None, host: Host, is_known: bool) -> dict[str, Any]:
    return {**host._asdict(), "source": host.source or (source.way if source else ""), "known": is_known}


def _add(args: argparse.Namespace, env: Mapping[str, str]) -> int:
    source = hosts_add.source(args)
    if wrong := hosts_add.misuse(args, source):
        print(f"yourturn: {wrong}", file=sys.stderr)
        return WRONG_USAGE
    if source.broker and (lacks := lacking()):
        print(f"yourturn: {lacks}", file=sys.stderr)
        return COULD_NOT
    args.name = source.name
    if args.name in sources.load(hosts.chosen(env)):
        remedy = typed.command(f"hosts remove {args.name}")
        print(f"yourturn: there is a machine '{args.name}' already. To remove it: {remedy}", file=sys.stderr)
        return REFUSED
    if args.install:
        brought = _remote_install().install(source)
        if not brought.is_done:
            return COULD_NOT
        source = source._replace(program=source.program or brought.program)
    answer = hosts_add.call(source)
    if not answer.is_there and not args.anyway:
        print(f"yourturn: {args.name} does not answer: {answer.why}", file=sys.stderr)
        print("It was not added; --anyway adds it all the same.", file=sys.stderr)
        return COULD_NOT
    sources.add(hosts.chosen(env), source)
    collector_launch.at_once(paths.home(), env, time.time())
    _say(args, answer.is_there, f"Added {args.name}: {answer.words}")
    return 0


def _remove(args: argparse.Namespace, env: Mapping[str, str]) -> int:
    known = sources.load(hosts.chosen(env))
    if args.name not in known:
        there = f" There are: {', '.join(known)}" if known else ""
        print(f"yourturn: there is no machine '{tidy(args.name, 40)}'.{there}", file=sys.stderr)
        return WRONG_USAGE
    before = sources.text(hosts.chosen(env))
    sources.remove(hosts.chosen(env), args.name)
    _forget(known[args.name])
    # After the connection has ended: its other end shows states until then, and would start a watcher there again.
    if args.uninstall and not _remote_install().uninstall(known[args.name]).is_done:
        sources.restore(hosts.chosen(env), before)
        collector_launch.at_once(paths.home(), env, time.time())
        return COULD_NOT
    _say(args, True, f"Removed {args.name}.")
    return 0


def _forget(source: Source) -> None:
    """The collector does it, if one runs."""
    home = paths.home()
    collector_wait.until(home, lambda: not _folders(home, source))
    for folder in _folders(home, source):
        mirror.remove_folder(home, folder)
    broker_connections.remove(home, source.name)


def _folders(home: str, source: Source) -> list[str]:
    """Those of the machine that a command reaches, or of all that a broker tells of."""
    if source.command:
        folder = paths.host_dir(home, source.name)
        return [folder] if os.path.exists(folder) else []
    found = [f"{paths.hosts_dir(home)}/{name}" for name in hosts.names(home)]
    return [folder for folder in found if (host := hosts.read(folder)) and host.source == source.way]


def _remote_install() -> ModuleType:
    from fleet import remote_install  # noqa: PLC0415 - only an installation needs it

    return remote_install


def _say(args: argparse.Namespace, is_there: bool, words: str) -> None:
    out = output.printer(sys.stdout, os.environ)
    if args.json:
        out.write(json_text.as_text({"v": json_text.VERSION, "name": args.name, "answers": is_there}) + "\n")
    else:
        out.write(f"{words}\n")
