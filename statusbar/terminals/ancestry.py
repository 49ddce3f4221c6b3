"""The parent programs of a process, and its tty: from one look at the process table."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import NamedTuple

ASK = ["ps", "-axo", "pid=,ppid=,tty=,comm="]
FARTHEST = 20
PATIENCE_S = 5.0
# The TERM_PROGRAM of each terminal program, for processes whose environment cannot be read.
TERM_PROGRAMS = {"iTerm2": "iTerm.app", "Terminal": "Apple_Terminal", "ghostty": "ghostty", "Ghostty": "ghostty"}


class Process(NamedTuple):
    parent: int
    tty: str
    program: str


Table = dict[int, Process]


def table() -> Table:
    """Empty if `ps` fails."""
    try:
        done = subprocess.run(ASK, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    return parse(done.stdout.decode("utf-8", "replace"))


def parse(printed: str) -> Table:
    """The program comes last, because it may be a path with blanks."""
    processes: Table = {}
    for line in printed.splitlines():
        parts = line.split(maxsplit=3)
        if len(parts) == 4 and parts[0].isdigit() and parts[1].isdigit():  # noqa: PLR2004 - the columns of ASK
            processes[int(parts[0])] = Process(int(parts[1]), parts[2], parts[3].rpartition("/")[2])
    return processes


def above(processes: Table, pid: int) -> tuple[str, ...]:
    """The programs above a process, the nearest first."""
    programs: list[str] = []
    for _ in range(FARTHEST):
        process = processes.get(pid)
        if process is None or pid <= 1:
            break
        programs.append(process.program)
        pid = process.parent
    return tuple(programs[1:])


def tty(processes: Table, pid: int) -> str:
    """As a path; '' for a process without one."""
    process = processes.get(pid)
    return f"/dev/{process.tty}" if process and process.tty.strip("?-") else ""


def environment(pid: int, names: tuple[str, ...]) -> dict[str, str]:
    """These variables of another process of the same user; {} if they cannot be read."""
    if sys.platform != "linux":
        return {}
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            pairs = [os.fsdecode(pair).partition("=") for pair in file.read().split(b"\0")]
    except OSError:
        return {}
    return {name: value for name, _, value in pairs if name in names and value.isprintable()}


def term_program(programs: tuple[str, ...]) -> str:
    return next((TERM_PROGRAMS[program] for program in programs if program in TERM_PROGRAMS), "")
