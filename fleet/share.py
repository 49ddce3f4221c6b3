"""`yourturn share`: tells a broker of this machine's agents, says what is told, and ends that."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any

from contract import broker_connections, collector_launch, hosts, paths, typed
from fleet import broker_address, collector_wait, share_settings
from fleet.broker_extra import lacking
from fleet.hosts_add import LOUD, whole
from fleet.share_settings import Sharing
from fleet.sources import Wrong
from fleet.take_back import take_back
from statusbar.cli import json_text, output
from statusbar.text.ages import clock
from statusbar.text.width import tidy

if TYPE_CHECKING:
    import argparse

    from contract.broker_connections import ConnectionState

OFF = "off"
COULD_NOT, WRONG_USAGE = 1, 2
NOTHING = "This machine shares nothing. To share the states of its agents: {}"
WHAT = {
    "states": "states and project names, no details and no folders",
    "details": "states, names and details, no folders",
    "folders": "states, names, details, folders and evidence",
}


def run(args: argparse.Namespace) -> int:
    path = hosts.shared(hosts.chosen(os.environ))
    try:
        if args.url is None:
            return _show(args, share_settings.load(path))
        return _end(args, path) if args.url == OFF else _begin(args, path)
    except Wrong as error:
        print(f"yourturn: {error}", file=sys.stderr)
        return COULD_NOT


def _show(args: argparse.Namespace, sharing: Sharing | None) -> int:
    connection = broker_connections.read(paths.home(), "") if sharing else None
    if args.json:
        _print(_record(sharing, connection))
    elif sharing is None:
        print(NOTHING.format(typed.command("share mqtts://HOST")), file=sys.stderr)
    else:
        print("\n".join(_lines(sharing, connection, time.time())))
    return 0


def _begin(args: argparse.Namespace, path: str) -> int:
    sharing = Sharing(
        args.url, args.owner or share_settings.this_owner(), args.host or share_settings.this_host(), args.details,
        whole(args.credentials), whole(args.ca), args.insecure,
    )  # fmt: skip
    if wrong := share_settings.check(sharing):
        print(f"yourturn: {wrong}", file=sys.stderr)
        return WRONG_USAGE
    if lacks := lacking():
        print(f"yourturn: {lacks}", file=sys.stderr)
        return COULD_NOT
    if not _is_fine(sharing, anyway=args.anyway):
        return COULD_NOT
    share_settings.save(path, sharing)
    collector_launch.at_once(paths.home(), os.environ, time.time())
    if args.json:
        _print(_record(sharing, None))
    else:
        print("\n".join(_lines(sharing, None, time.time())))
    return 0


def _is_fine(sharing: Sharing, *, anyway: bool) -> bool:
    from fleet import broker_call  # noqa: PLC0415 - needs a package that not everybody has

    if broker_address.of(sharing.broker).is_open:
        print(f"yourturn: {LOUD.format(sharing.broker)}", file=sys.stderr)
    answer = broker_call.write(sharing)
    if not answer.is_there:
        print(f"yourturn: {sharing.broker}: {answer.why}", file=sys.stderr)
        print("Nothing is shared." if not anyway else "It is tried again and again.", file=sys.stderr)
    return answer.is_there or anyway


def _end(args: argparse.Namespace, path: str) -> int:
    sharing = share_settings.load(path)
    share_settings.remove(path)
    if sharing:
        _wait_for_the_collector()
        broker_connections.remove(paths.home(), "")
        take_back(sharing)
    if args.json:
        _print(_record(None, None))
    else:
        print("Nothing is shared any more." if sharing else "Nothing was shared.")
    return 0


def _wait_for_the_collector() -> None:
    """It takes back what it has shared. What it leaves, as it cannot say what it could not do, is taken back by us."""
    home = paths.home()
    collector_wait.until(home, lambda: not os.path.exists(paths.sharing(home)))


def _lines(sharing: Sharing, connection: ConnectionState | None, now: float) -> list[str]:
    told = [f"Shared with {sharing.broker} as {sharing.owner}/{sharing.host}: {WHAT[sharing.details]}."]
    if broker_address.of(sharing.broker).is_open:
        told.append(LOUD.format(sharing.broker))
    if connection is None:
        return told
    since, state = clock(connection.since, now), "The broker answers" if connection.reached else "Nothing is told"
    why = f": {tidy(connection.why, 200)}" if connection.why else ""
    sessions = "1 session" if connection.sessions == 1 else f"{connection.sessions} sessions"
    return [*told, f"{state}{f' since {since}' if since else ''}{f', {sessions}' if connection.reached else ''}{why}."]


def _record(sharing: Sharing | None, connection: ConnectionState | None) -> dict[str, Any]:
    now = {"reached": connection.reached, "why": connection.why} if connection else {}
    told = {**sharing._asdict(), **now} if sharing else None
    return {"v": json_text.VERSION, "shared": told}


def _print(record: dict[str, Any]) -> None:
    out = output.printer(sys.stdout, os.environ)
    out.write(json_text.as_text(record, indent=2 if out.is_terminal else None) + "\n")
