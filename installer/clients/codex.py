"""Codex: hooks in its hooks.json. It runs them only after the user has reviewed them, which we never do for them.

It asks again whenever a hook has changed, so the command line must stay the same as long as the paths in it do.
"""

from __future__ import annotations

import os
import re
import tomllib
from typing import TYPE_CHECKING, Any

from contract.clients.codex import EVENTS
from installer.clients.caveat import Caveat
from installer.hooks import settings, settings_file
from installer.hooks.editor import of_hooks
from installer.hooks.entries import is_ours
from installer.hooks.shape import Shape
from installer.refusal import Refusal

if TYPE_CHECKING:
    from installer.hooks.editor import Editor
    from installer.hooks.entries import Entry
    from installer.hooks.program import Program

TITLE = "Codex"
PROGRAMS = ("codex",)
AFTER = "Active from the next session of Codex on."
SHAPE = Shape("codex", TITLE)
TIMEOUT_S = 10
SHORT_S = 3  # Codex gives these no more
SHORT = ("Interrupt", "SessionEnd")
SWITCHES = ("hooks", "codex_hooks")  # the older name still counts
REVIEW = 'Start `codex`: it says "Hooks need review". Look at them and trust them; if it does not ask, type `/hooks`.'


def editor(program: Program) -> Editor:
    return of_hooks(SHAPE, program, EVENTS, _entry)


def _entry(event: str, line: str) -> Entry:
    return {"type": "command", "command": line, "timeout": SHORT_S if event in SHORT else TIMEOUT_S}


def caveats(path: str, text: str) -> list[Caveat]:
    config = os.path.join(os.path.dirname(path), "config.toml")
    said = _config(config)
    features = _object(said.get("features"))
    switches = [name for name in SWITCHES if features.get(name) is False]
    if switches:
        return [Caveat(f"{TITLE} runs no hooks: features.{switches[0]} is false", f"Remove it from {config}.")]
    states = [_state(said, path, place) for place in _places(text)]
    off = [state for state in states if state.get("enabled") is False]
    if off:
        return [Caveat(f"{len(off)} of the hooks are disabled in {config}", "In Codex: `/hooks`.")]
    unread = [state for state in states if not state.get("trusted_hash")]
    if unread:
        what = f"Codex runs hooks only after you have reviewed them; {len(unread)} of {len(states)} are not yet"
        return [Caveat(what, REVIEW, is_step=True)]
    return []


def note(_path: str) -> str:
    return ""


def _places(text: str) -> list[str]:
    """Where each hook of ours is, as its config.toml says it: the event, and the places in its lists."""
    events = _object(settings.parse(text, SHAPE).get("hooks"))
    return [
        f"{_snake(event)}:{n}:{m}"
        for event, groups in events.items()
        for n, group in enumerate(_list(groups))
        for m, hook in enumerate(_list(_object(group).get("hooks")))
        if is_ours(hook, SHAPE)
    ]


def _state(said: dict[str, Any], path: str, place: str) -> dict[str, Any]:
    """What its config.toml says of one hook. A folder that CODEX_HOME names stands there without its links."""
    states = _object(_object(said.get("hooks")).get("state"))
    folder, name = os.path.split(path)
    paths = (path, os.path.join(os.path.realpath(folder), name))
    return next((state for one in paths if (state := _object(states.get(f"{one}:{place}")))), {})


def _snake(event: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()


def _config(path: str) -> dict[str, Any]:
    """{} if it cannot be read: then nothing is known of a review."""
    try:
        return tomllib.loads(settings_file.read(path).text)
    except (OSError, ValueError, RecursionError, Refusal):
        return {}


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
