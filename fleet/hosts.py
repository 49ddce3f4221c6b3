"""`yourturn hosts`: lists the other machines, adds one that answers, removes one."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any

from contract import collecting, hosts, launch, paths, store, typed
from contract.hosts import Host
from contract.pulse import Watcher
from fleet import first_call, mirror, sources
from fleet.sources import Source, Wrong
from statusbar.cli import output, report
from statusbar.system import revival
from statusbar.text.ages import clock
from statusbar.text.symbols import TROUBLE
from statusbar.text.width import pad, tidy, width

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence
    from types import ModuleType

COULD_NOT, WRONG_USAGE, REFUSED = 1, 2, 3
PATIENCE_S, PAUSE_S = 10.0, 0.05  # for the collector to end a line
NONE = "No other machines. To add one: {}"
NOT_ASKED = "No collector is running: nobody knows how they are. If this message stays: {}"
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
    wanted, statuses = sources.load(hosts.chosen(env)), revival.read(home, env, evidence=False)
    known, speaking = {host.name: host for host in statuses.hosts}, statuses.speaking(now)
    if args.json:
        listed = [_record(source, known.get(name), name in speaking) for name, source in wanted.items()]
        out.write(report.as_text({"v": report.VERSION, "hosts": listed}, indent=2 if out.is_terminal else None) + "\n")
        return 0
    if not wanted:
        print(NONE.format(typed.command("hosts add box 'ssh box'")), file=sys.stderr)
        return 0
    shown = {**{name: None for name, source in wanted.items() if source.command}, **known}
    is_asked = statuses.collector.watcher(now) is Watcher.ALIVE
    cells = [_cells(name, known.get(name) if is_asked else None, now) for name in shown]
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


def _record(source: Source, host: Host | None, is_known: bool) -> dict[str, Any]:
    found = (host or Host(source.name))._asdict()
    return {**found, "source": source.command or source.broker, "known": is_known}


def _add(args: argparse.Namespace, env: Mapping[str, str]) -> int:
    source = Source(args.name, args.command, args.program)
    if wrong := sources.check(source) or first_call.wrong(source):
        print(f"yourturn: {wrong}", file=sys.stderr)
        return WRONG_USAGE
    if args.name in sources.load(hosts.chosen(env)):
        remedy = typed.command(f"hosts remove {args.name}")
        print(f"yourturn: there is a machine '{args.name}' already. To remove it: {remedy}", file=sys.stderr)
        return REFUSED
    if args.install:
        brought = _carry().install(source)
        if not brought.is_done:
            return COULD_NOT
        source = source._replace(program=source.program or brought.program)
    answer = first_call.call(source)
    if not answer.is_there and not args.anyway:
        print(f"yourturn: {args.name} does not answer: {answer.why}", file=sys.stderr)
        print("It was not added; --anyway adds it all the same.", file=sys.stderr)
        return COULD_NOT
    sources.add(hosts.chosen(env), source)
    _look_at_once(env)
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
    _forget(args.name)
    # After the line has ended: else its other end, which goes on to show states, would start a watcher there again.
    if args.uninstall and not _carry().uninstall(known[args.name]).is_done:
        sources.restore(hosts.chosen(env), before)
        _look_at_once(env)
        return COULD_NOT
    _say(args, True, f"Removed {args.name}.")
    return 0


def _forget(name: str) -> None:
    """The collector does it, if one runs."""
    home, deadline = paths.home(), time.monotonic() + PATIENCE_S
    while store.is_locked(paths.collector_lock(home)) and time.monotonic() < deadline:
        if not os.path.exists(paths.host_dir(home, name)):
            return
        time.sleep(PAUSE_S)
    mirror.remove(home, name)


def _carry() -> ModuleType:
    from fleet import carry  # noqa: PLC0415 - only an installation needs it

    return carry


def _look_at_once(env: Mapping[str, str]) -> None:
    if launch.is_allowed(env):
        store.private_folder(paths.home())
        collecting.ensure(paths.home(), env, time.time())


def _say(args: argparse.Namespace, is_there: bool, words: str) -> None:
    out = output.printer(sys.stdout, os.environ)
    if args.json:
        out.write(report.as_text({"v": report.VERSION, "name": args.name, "answers": is_there}) + "\n")
    else:
        out.write(f"{words}\n")
