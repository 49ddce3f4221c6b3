"""Who is asked now: every request that is known, marked as answered where the evidence says so.

What settles a request, from the strongest on: its own agent's later words (told then); what the registry says of the
process at this moment, and has said since (told now); a command that looks like the one asked for (inferred). An
inference never closes the last request while the registry says that a dialog is open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from watcher.rules.commands_seen import by_command
from watcher.rules.dialogs import by_registry
from watcher.rules.requests import requests

if TYPE_CHECKING:
    from watcher.rules.evidence import Evidence
    from watcher.rules.requests import Ask


def all_asks(evidence: Evidence) -> tuple[Ask, ...]:
    return tuple(by_command(by_registry(requests(evidence), evidence), evidence))
