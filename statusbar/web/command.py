"""`yourturn web`: serves the board as a page until it is told to end."""

from __future__ import annotations

import errno
import importlib.util
import json
import os
import sys
import time
from typing import TYPE_CHECKING

from contract import installation, paths
from statusbar.cli import output
from statusbar.model.board import board
from statusbar.model.glimpses import Glimpses
from statusbar.model.live import Live
from statusbar.system.secret_file import Unfit
from statusbar.web import address, record, token_file
from statusbar.web.access import Access, new_token
from statusbar.web.latest_board import LatestBoard
from statusbar.web.request import TOKEN
from statusbar.web.routes import Routes

if TYPE_CHECKING:
    import argparse

    from statusbar.web.address import Address
    from statusbar.web.server import Server

LIBRARY = "uvicorn"
MISSING = "yourturn: the page needs uvicorn, which is not installed. To add it: {}"
PAUSE_S = 0.03  # between two boards: whoever changes faster is drawn less often
REDRAW_S = 60.0  # sessions become stale without a change
VALID = "Whoever has this link can look, and only look, until this command ends (Ctrl-C)."
EXPOSED = """WARNING: {} is not this machine alone. Whoever can reach it and has the link sees what your agents do,
and so does whoever listens on the way: the connection is not encrypted."""


def run(args: argparse.Namespace) -> int:
    if importlib.util.find_spec(LIBRARY) is None:
        return _refused(MISSING.format(installation.adding(LIBRARY)))
    try:
        token = token_file.token(args.token_file) if args.token_file else new_token()
        return _serve(args, token)
    except Unfit as error:
        return _refused(f"yourturn: {error}.")


def _serve(args: argparse.Namespace, token: str) -> int:
    from statusbar.web import server  # noqa: PLC0415 - it may not be installed

    try:
        listening = server.listening(args.listen)
    except OSError as error:
        return _refused(_cannot(args.listen, error))
    where = args.listen._replace(port=listening.getsockname()[1])
    access, latest = Access(token, where.port, time.monotonic), LatestBoard()
    serving = server.Server(listening, Routes(access, where, address.own_names()), latest)
    with Live(paths.home(), transcripts=Glimpses(os.environ)) as live:
        try:
            _look(live, latest, where)
            serving.start()
            _announce(args, where, token)
            _open(args, where, access)
            return _follow(live, serving, latest, where)
        except SystemExit:  # told to end, as a service is: that is no failure
            return 0
        finally:
            serving.end()


def _follow(live: Live, serving: Server, latest: LatestBoard, where: Address) -> int:
    while serving.is_alive:
        live.wait()
        _look(live, latest, where)
        time.sleep(PAUSE_S)
    return _refused("yourturn: the server of the page has ended.")


def _look(live: Live, latest: LatestBoard, where: Address) -> None:
    """What is the same as before is not told again."""
    if not live.look():
        return
    whole = board(live.statuses, live.now, live.glimpses)
    live.drawn(live.now + REDRAW_S)
    text = record.as_text(record.record(whole, "" if where.is_loopback else str(where)))
    if text != latest.newest.text:
        latest.publish(text)


def link(where: Address, token: str) -> str:
    host = address.outward() if where.is_everywhere else where.host
    return f"http://{address.bracketed(host)}:{where.port}/?{TOKEN}={token}"


def _announce(args: argparse.Namespace, where: Address, token: str) -> None:
    """The link comes after the warning: whoever waits for it has seen that."""
    out, told = output.printer(sys.stdout, os.environ), link(where, token)
    if not where.is_loopback:
        print(EXPOSED.format(where), file=sys.stderr, flush=True)
    if args.json:
        out.write(json.dumps({"v": 1, "url": told, "token": token, "address": str(where)}) + "\n")
        return
    out.write(f"{told}\n")
    print(VALID, file=sys.stderr, flush=True)


def _open(args: argparse.Namespace, where: Address, access: Access) -> None:
    if not args.open:
        return
    import webbrowser  # noqa: PLC0415 - slow to import, and seldom needed

    if not webbrowser.open(link(where, access.ticket())):
        print("yourturn: no browser could be opened here; open the link yourself.", file=sys.stderr, flush=True)


def _cannot(where: Address, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"yourturn: {where} is in use already, perhaps by another `web`. Another port: --listen {_next(where)}"
    return f"yourturn: {where} cannot be listened on: {error.strerror or error}."


def _next(where: Address) -> Address:
    return where._replace(port=where.port + 1 if where.port < address.HIGHEST_PORT else address.PORT)


def _refused(words: str) -> int:
    print(words, file=sys.stderr)
    return 1
