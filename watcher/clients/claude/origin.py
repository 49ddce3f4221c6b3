"""Where a client comes from: which program it is, who started it, and whether it is a teammate in a pane."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from contract.clean import clean
from processes.programs import invocation
from watcher.clients.base import Origin

if TYPE_CHECKING:
    from processes.table import Probe

FARTHEST = 24


def origin(pid: int, probe: Probe) -> Origin:
    proc = probe.process(pid)
    if proc is None:
        return Origin()
    called = invocation(proc.argv, proc.name)
    options = _options(called.arguments) if called else {}
    return Origin(
        program=called.program if called else "",
        helper=_below_an_agent(proc.ppid, probe) or probe.tty(pid) is None,
        member=options.get("--agent-name", "") or options.get("--agent-id", "").partition("@")[0],
        team=options.get("--team-name", "") or options.get("--agent-id", "").partition("@")[2],
        lead=options.get("--parent-session-id", ""),
    )


def _below_an_agent(pid: int, probe: Probe) -> bool:
    for _ in range(FARTHEST):
        proc = probe.process(pid) if pid > 1 else None
        if proc is None:
            return False
        called = invocation(proc.argv, proc.name)
        if called and not called.hosts:
            return True
        pid = proc.ppid
    return False


def _options(arguments: tuple[str, ...]) -> dict[str, str]:
    """`--name value` and `--name=value`; what follows a bare `--` is no option."""
    found: dict[str, str] = {}
    for word, after in zip_longest(arguments, arguments[1:], fillvalue=""):
        if word == "--":
            break
        name, sep, value = word.partition("=")
        if name.startswith("--"):
            found[name] = clean(value if sep else after, 128)
    return found
