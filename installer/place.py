"""The paths of one person's Claude Code settings and yourturn files, and what they asked the installer for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract import bar_files, hosts, paths
from contract.clients import claude
from installer.hooks.program import PROJECT

if TYPE_CHECKING:
    from collections.abc import Mapping


class Place(NamedTuple):
    settings: str
    """Claude Code's settings file."""
    home: str
    """The state folder."""
    choices: str = ""
    """yourturn's settings file, config.toml."""
    person: str = "/"
    """The person's home folder."""
    project: str = ""
    """The folder of yourturn's programs."""

    @property
    def hosts(self) -> str:
        """Beside config.toml, the file that names other machines."""
        return self.choices.rpartition("/")[0] + "/hosts.toml"

    @property
    def shared(self) -> str:
        """The file beside it that names the broker which is told of this machine."""
        return hosts.shared(self.hosts)

    @property
    def chosen(self) -> tuple[str, ...]:
        """All files in which the person says what they want."""
        return self.choices, self.hosts, self.shared


class Wish(NamedTuple):
    """What the person asked for, and when."""

    now: float
    yes: bool = False
    dry_run: bool = False
    keep_state: bool = False
    diff: bool = False
    """Whether to show each line of the settings that changes."""
    answers: bool | None = None
    """Whether requests can be answered from outside; None if the person did not say: it stays as it is."""
    service: bool | None = None
    """Whether to run the watcher as a service; None if the person did not say."""


def find(environ: Mapping[str, str]) -> Place:
    settings = claude.settings(environ)
    return Place(settings, paths.home(environ), bar_files.settings(environ), paths.user_home(environ), PROJECT)
