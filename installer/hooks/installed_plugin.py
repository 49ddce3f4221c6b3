"""The plugin as Claude Code has it installed: from its own list, and from the settings that turn plugins on."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from contract import typed
from contract.clean import clean
from installer.hooks import settings
from installer.hooks.plugin import NAME

if TYPE_CHECKING:
    from collections.abc import Mapping

LIST, MARKETPLACES = "plugins/installed_plugins.json", "plugins/known_marketplaces.json"
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
        return f"Run `{typed.command('uninstall --keep-state')}`, or `claude plugin uninstall {self.id}`."


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
    listed = _object(_read(os.path.join(config, LIST)).get("plugins"))
    markets = _read(os.path.join(config, MARKETPLACES))
    return [
        Plugin(name, _folder(name, row, markets), _text(row.get("version")), _text(row.get("projectPath")))
        for name, rows in listed.items()
        if _is_ours(name)
        for row in map(_object, rows if isinstance(rows, list) else [rows])
    ]


def _folder(name: str, row: dict[str, Any], markets: dict[str, Any]) -> str:
    """Of a marketplace that is a folder, the client runs the plugin right there, and not its copy of it."""
    source = _object(_object(markets.get(name.partition("@")[2])).get("source"))
    return _text(source.get("path") if source.get("source") == "directory" else row.get("installPath"))


def _is_on_in(plugin: Plugin) -> bool:
    said = (_switches(_read(os.path.join(plugin.project, path))).get(plugin.id) for path in PROJECT_SETTINGS)
    return next((on for on in said if on is not None), False)


def _switches(own: Mapping[str, Any]) -> dict[str, bool]:
    return {name: bool(on) for name, on in _object(own.get("enabledPlugins")).items() if _is_ours(name)}


def _is_ours(name: str) -> bool:
    """From whichever marketplace."""
    return name.partition("@")[0] == NAME and clean(name, LONGEST) == name


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _read(path: str) -> dict[str, Any]:
    """{} if it cannot be read."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            return _object(json.load(file))
    except (OSError, ValueError, RecursionError):
        return {}
