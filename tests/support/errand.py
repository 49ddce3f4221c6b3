"""Runs the words that do something, each in a real process with an environment built from nothing."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from support.project import PROJECT
from support.showing import environ

if TYPE_CHECKING:
    from pathlib import Path

CODE = """
import argparse, sys
from statusbar import errands
parser = argparse.ArgumentParser(prog="yourturn")
errands.register(parser.add_subparsers(required=True))
args = parser.parse_args()
sys.exit(args.func(args))
"""
ERRAND = [sys.executable, "-c", CODE]


def errand(home: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*ERRAND, *words], capture_output=True, text=True, env=environ(home, **env), cwd=PROJECT, check=False
    )
