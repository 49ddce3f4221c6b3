"""Whether Claude Code runs hooks at all: its settings, or those of the whole machine, may disable them."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

MANAGED = {
    "darwin": "/Library/Application Support/ClaudeCode/managed-settings.json",
    "linux": "/etc/claude-code/managed-settings.json",
}.get(sys.platform, "")


class Reason(NamedTuple):
    what: str
    remedy: str


def reason(own: Mapping[str, Any], managed: Mapping[str, Any], path: str) -> Reason | None:
    """The setting that disables hooks; None if they are enabled. `path` is the person's own settings file."""
    if own.get("disableAllHooks"):
        return Reason("disableAllHooks is set", f"Remove it from {path}.")
    for name in ("disableAllHooks", "allowManagedHooksOnly"):
        if managed.get(name):
            return Reason(f"{name} is set for this machine", "Ask the administrator of this machine.")
    return None


def managed(path: str = MANAGED) -> Mapping[str, Any]:
    """The settings for the whole machine; {} if there are none."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            value = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
