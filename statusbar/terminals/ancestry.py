"""Which programs a process runs below, and on which tty: from one look at the process table."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import NamedTuple

ASK = ["ps", "-axo", "pid=,ppid=,tty=,comm="]
FARTHEST = 20
PATIENCE_S = 5.0
# What a terminal program is called in TERM_PROGRAM, for those whose environment cannot be read.
TERM_PROGRAMS = {"iTerm2": "iTerm.app", "Terminal": "Apple_Terminal", "ghostty": "ghostty", "Ghostty": "ghostty"}


class Process(NamedTuple):
    parent: int
    tty: str
    program: str


Table = dict[int, Process]


def table() -> Table:
    """Empty if it cannot be had."""
    try:
        said = subprocess.run(ASK, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    return parse(said.stdout.decode("utf-8", "replace"))


def parse(said: str) -> Table:
    """The program comes last, because it may be a path with blanks."""
    found: Table = {}
    for line in said.splitlines():
        parts = line.split(maxsplit=3)
        if len(parts) == 4 and parts[0].isdigit() and parts[1].isdigit():  # noqa: PLR2004 - as asked for
            found[int(parts[0])] = Process(int(parts[1]), parts[2], parts[3].rpartition("/")[2])
    return found


def above(processes: Table, pid: int) -> tuple[str, ...]:
    """The programs that a process runs below, the nearest first."""
    found: list[str] = []
    for _ in range(FARTHEST):
        one = processes.get(pid)
        if one is None or pid <= 1:
            break
        found.append(one.program)
        pid = one.parent
    return tuple(found[1:])


def tty(processes: Table, pid: int) -> str:
    """As a path; '' for a process without one."""
    one = processes.get(pid)
    return f"/dev/{one.tty}" if one and one.tty.strip("?-") else ""


def environment(pid: int, names: tuple[str, ...]) -> dict[str, str]:
    """Of another process of ours, and only what was asked for; {} where that cannot be had."""
    if sys.platform != "linux":
        return {}
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            pairs = [os.fsdecode(pair).partition("=") for pair in file.read().split(b"\0")]
    except OSError:
        return {}
    return {name: value for name, _, value in pairs if name in names and value.isprintable()}


def term_program(programs: tuple[str, ...]) -> str:
    return next((TERM_PROGRAMS[one] for one in programs if one in TERM_PROGRAMS), "")
