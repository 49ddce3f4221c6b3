"""The commands of this package alone: `python -m statusbar status`."""

from __future__ import annotations

import argparse
import sys

from statusbar import commands
from statusbar.cli import answer_commands
from statusbar.cli import commands as printing_commands
from statusbar.day import commands as day_commands

ALL = (printing_commands, answer_commands, day_commands, commands)


def main() -> int:
    parser = argparse.ArgumentParser(prog="statusbar")
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for some in ALL:
        some.register(subparsers)
    args = parser.parse_args()
    return int(args.func(args))


if __name__ == "__main__":
    sys.exit(main())
