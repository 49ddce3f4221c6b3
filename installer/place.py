"""Where one person's client and one person's yourturn keep their things."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract import bar, paths
from contract.clients import claude
from installer.hooks.program import PROJECT

if TYPE_CHECKING:
    from collections.abc import Mapping


class Place(NamedTuple):
    settings: str
    """Of the client."""
    home: str
    """Of our state."""
    choices: str = ""
    """Our own settings."""
    person: str = "/"
    """Whose home all this is in, if it is."""
    project: str = ""
    """Where our programs lie."""


class Wish(NamedTuple):
    """What the person asked for, and when."""

    now: float
    yes: bool = False
    dry_run: bool = False
    keep_state: bool = False
    service: bool | None = None
    """Whether the watcher is to be a service; None if the person did not say."""


def find(environ: Mapping[str, str]) -> Place:
    settings = claude.config_dir(environ) + "/settings.json"
    return Place(settings, paths.home(environ), bar.settings(environ), paths.user_home(environ), PROJECT)
