"""Whether the client runs hooks at all: it, or who administers the machine, may have switched them off."""

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


class Off(NamedTuple):
    what: str
    remedy: str


def off(own: Mapping[str, Any], managed: Mapping[str, Any], path: str) -> Off | None:
    """By which setting, if they are; the path is that of the person's own settings."""
    if own.get("disableAllHooks"):
        return Off("disableAllHooks is set", f"Remove it from {path}.")
    for name in ("disableAllHooks", "allowManagedHooksOnly"):
        if managed.get(name):
            return Off(f"{name} is set for this machine", "Ask who administers it.")
    return None


def managed(path: str = MANAGED) -> Mapping[str, Any]:
    """What is set for the whole machine; nothing where nobody administers it."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            value = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
