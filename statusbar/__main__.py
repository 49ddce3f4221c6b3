"""The commands of this package alone: `python -m statusbar status`."""

from __future__ import annotations

import argparse
import sys

from statusbar import commands


def main() -> int:
    parser = argparse.ArgumentParser(prog="statusbar")
    commands.register(parser.add_subparsers(required=True, metavar="COMMAND"))
    args = parser.parse_args()
    return int(args.func(args))


if __name__ == "__main__":
    sys.exit(main())
