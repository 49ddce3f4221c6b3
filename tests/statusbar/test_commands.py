"""What all commands of the status bar share."""

import subprocess

from support.project import PROJECT
from support.showing import STATUSBAR


def test_the_words_load_nothing_they_do_not_need() -> None:
    code = """
import argparse, sys
from statusbar.cli import commands
parser = argparse.ArgumentParser()
commands.register(parser.add_subparsers())
args = parser.parse_args(["status", "--json"])
assert args.func(args) == 0
print(sorted({"curses", "watchdog", "psutil", "filelock", "asyncio", "subprocess"} & set(sys.modules)))
"""
    argv = [STATUSBAR[0], "-c", code]
    found = subprocess.run(argv, capture_output=True, text=True, cwd=PROJECT, check=True)
    assert found.stdout.splitlines()[-1] == "[]"
