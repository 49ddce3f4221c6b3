"""Processes for a family tree."""

from __future__ import annotations

from processes.lineage import Lineage
from processes.process import Proc

ARGV = {
    "claude": ("claude",),
    "codex": ("codex", "exec", "x"),
    "other codex": ("codex", "exec", "y"),
    "launcher": ("node", "/usr/bin/codex", "exec", "x"),
    "bash": ("/bin/bash", "-c", "claude -p hello"),
    "zsh": ("zsh",),
    "sleep": ("sleep", "60"),
    "daemon": ("claude", "daemon", "run"),
    "pty-host": ("claude bg-pty-host", "--bg-pty-host", "/tmp/s"),
    "spare": ("claude bg-spare", "--bg-spare", "/tmp/s"),
    "mcp": ("claude", "mcp", "serve"),
}


def proc(pid: int, ppid: int, name: str, start: str = "a", **more: bool) -> Proc:
    return Proc(pid, ppid, start, 0.0, name, ARGV[name], **more)


def family(*members: tuple[int, str]) -> Lineage:
    """The processes 1, 2, 3 and so on: of each its parent and its program."""
    return Lineage([proc(pid, ppid, name) for pid, (ppid, name) in enumerate(members, 1)])
