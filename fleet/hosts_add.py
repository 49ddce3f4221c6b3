"""What `hosts add` was told: a machine that a command reaches, or a broker, and whether it answers."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fleet import broker_address, first_call, share_settings, sources
from fleet.sources import Source

if TYPE_CHECKING:
    import argparse

    from fleet.first_call import Answer

LOUD = "WARNING: the connection to {} is not encrypted. Whoever listens can read what is shared, and your password."


def source(args: argparse.Namespace) -> Source:
    if not args.broker:
        return Source(args.name, args.command, args.program)
    return Source(
        args.name or share_settings.fit(_host(args.broker)) or "broker", args.command, broker=args.broker,
        owner=args.owner or share_settings.this_owner(), credentials=whole(args.credentials), ca=whole(args.ca),
        total=args.total, insecure=args.insecure,
    )  # fmt: skip


def misuse(args: argparse.Namespace, wanted: Source) -> str:
    """What is wrong with what was typed; '' if nothing is."""
    if args.broker and (args.install or args.program):
        return "--install and --program are for a machine that a command reaches"
    if not args.broker and not args.command:
        return "name a machine and the command that reaches it, or --broker URL"
    if not args.broker and any((args.owner, args.credentials, args.ca, args.total, args.insecure)):
        return "--owner, --total, --credentials, --ca and --insecure are for --broker"
    return sources.check(wanted) or first_call.wrong(wanted)


def call(wanted: Source) -> Answer:
    if not wanted.broker:
        return first_call.call(wanted)
    from fleet import broker_call  # noqa: PLC0415 - needs a package that not everybody has

    if broker_address.of(wanted.broker).is_open:
        print(f"yourturn: {LOUD.format(wanted.broker)}", file=sys.stderr)
    return broker_call.read(wanted)


def whole(path: str) -> str:
    """The collector runs in another folder."""
    return os.path.abspath(os.path.expanduser(path)) if path else ""


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
