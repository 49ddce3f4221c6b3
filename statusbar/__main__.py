"""The words of this room alone: `python -m statusbar status`."""

from __future__ import annotations

import argparse
import sys

from statusbar import commands


def main() -> int:
    parser = argparse.ArgumentParser(prog="statusbar")
    words = parser.add_subparsers(required=True, metavar="COMMAND")
    commands.register(words)
    args = parser.parse_args()
    found: int = args.func(args)
    return found


if __name__ == "__main__":
    sys.exit(main())
