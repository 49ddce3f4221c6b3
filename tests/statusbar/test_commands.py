"""What all commands of the status bar share."""

import asyncio
import signal
import subprocess

import pytest

from statusbar import commands
from support.patience import FOREVER_S
from support.project import PROJECT
from support.showing import STATUSBAR


def test_the_words_load_nothing_they_do_not_need() -> None:
    code = """
import argparse, sys
from statusbar import commands
parser = argparse.ArgumentParser()
commands.register(parser.add_subparsers())
args = parser.parse_args(["status", "--json"])
assert args.func(args) == 0
print(sorted({"curses", "watchdog", "psutil", "filelock", "asyncio", "subprocess"} & set(sys.modules)))
"""
    argv = [STATUSBAR[0], "-c", code]
    found = subprocess.run(argv, capture_output=True, text=True, cwd=PROJECT, check=True)
    assert found.stdout.splitlines()[-1] == "[]"


def test_being_told_to_end_comes_through_an_event_loop() -> None:
    """A loop keeps what its callbacks raise to itself, but for the end of the program."""

    async def wait() -> None:
        asyncio.get_running_loop().call_soon(commands._leave, signal.SIGTERM, None)
        await asyncio.sleep(FOREVER_S)

    with pytest.raises(commands._Terminated):
        asyncio.run(wait())
