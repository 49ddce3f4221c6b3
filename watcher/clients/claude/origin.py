"""Where a process of Claude Code comes from: besides its program, whether it is a teammate in a pane."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from contract.clean import clean
from watcher.clients import origin as general

if TYPE_CHECKING:
    from processes.table import Probe
    from watcher.clients.base import Origin


def origin(pid: int, probe: Probe) -> Origin:
    found = general.origin(pid, probe)
    options = _options(found.arguments)
    return found._replace(
        member=options.get("--agent-name", "") or options.get("--agent-id", "").partition("@")[0],
        team=options.get("--team-name", "") or options.get("--agent-id", "").partition("@")[2],
        lead=options.get("--parent-session-id", ""),
    )


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
