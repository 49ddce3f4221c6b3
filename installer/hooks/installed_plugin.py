"""The plugin as Claude Code has it installed: from its own list, and from the settings that turn plugins on."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from contract.clean import clean
from installer.hooks import settings
from installer.hooks.plugin import NAME

if TYPE_CHECKING:
    from collections.abc import Mapping

LIST = "plugins/installed_plugins.json"
PROJECT_SETTINGS = (".claude/settings.local.json", ".claude/settings.json")  # the first that says something decides
LONGEST = 80


class Plugin(NamedTuple):
    """One installation that is turned on."""

    id: str
    """Its name and that of its marketplace, as `claude plugin` takes it."""
    folder: str = ""
    """Where its files are; '' if the client's list does not say."""
    version: str = ""
    project: str = ""
    """The only folder that it is installed for; '' if it is for all."""

    @property
    def one_of_two(self) -> str:
        """The remedy where the hooks are in the settings as well."""
        return f"Run `yourturn uninstall --keep-state`, or `claude plugin uninstall {self.id}`."


def beside(path: str, text: str) -> Plugin | None:
    """The plugin that is turned on by these settings, or in a project."""
    return find(settings.parse(text), os.path.dirname(path))


def find(own: Mapping[str, Any], config: str) -> Plugin | None:
    """The one for all folders before one for a single project. `config` is the client's folder."""
    listed = _listed(config)
    everywhere = [_for_all(name, listed) for name, on in _switches(own).items() if on]
    elsewhere = [plugin for plugin in listed if plugin.project and _is_on_in(plugin)]
    return next(iter([*everywhere, *elsewhere]), None)


def _for_all(name: str, listed: list[Plugin]) -> Plugin:
    return next((plugin for plugin in listed if plugin.id == name and not plugin.project), Plugin(name))


def _listed(config: str) -> list[Plugin]:
    """Whatever has an unexpected shape is skipped: the list is the client's own, and may change."""
    plugins = _read(os.path.join(config, LIST)).get("plugins")
    rows = [(name, rows) for name, rows in plugins.items() if _is_ours(name)] if isinstance(plugins, dict) else []
    return [
        Plugin(name, *(_text(row.get(key)) for key in ("installPath", "version", "projectPath")))
        for name, listed in rows
        for row in (listed if isinstance(listed, list) else [listed])
        if isinstance(row, dict)
    ]


def _is_on_in(plugin: Plugin) -> bool:
    said = (_switches(_read(os.path.join(plugin.project, path))).get(plugin.id) for path in PROJECT_SETTINGS)
    return next((on for on in said if on is not None), False)


def _switches(own: Mapping[str, Any]) -> dict[str, bool]:
    chosen = own.get("enabledPlugins")
    return {name: bool(on) for name, on in chosen.items() if _is_ours(name)} if isinstance(chosen, dict) else {}


def _is_ours(name: str) -> bool:
    """From whichever marketplace."""
    return name.partition("@")[0] == NAME and clean(name, LONGEST) == name


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _read(path: str) -> dict[str, Any]:
    """{} if it cannot be read."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            value = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
