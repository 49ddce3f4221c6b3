"""The client's settings, with our hooks in them."""

from __future__ import annotations

import json
import os
import shlex
from typing import Any


def hear_twice(settings: str, state: str) -> None:
    """Each watcher has a state folder of its own, so each event goes to a second hook for the second one."""
    found = load(settings)
    for groups in found["hooks"].values():
        (ours,) = groups
        command = f"export YOURTURN_HOME={shlex.quote(state)}; {ours['hooks'][0]['command'].partition(' # ')[0]}"
        groups.append({"hooks": [{**ours["hooks"][0], "command": command}]})
    rewrite(settings, found)


def beside(settings: str, event: str, command: str) -> None:
    """A person's own hook, which runs at the same time as ours."""
    found = load(settings)
    entry = {"hooks": [{"type": "command", "command": command, "timeout": 60}]}
    groups = found.setdefault("hooks", {}).setdefault(event, [])
    groups.append(entry)
    rewrite(settings, found)


def load(path: str) -> dict[str, Any]:
    with open(path, encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
        return found


def rewrite(path: str, value: dict[str, Any]) -> None:
    """At once: a running client reads its settings again when they change."""
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        json.dump(value, file)
    os.replace(f"{path}.new", path)
