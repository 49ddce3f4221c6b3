"""The plugin as the client has it installed. The files are as 2.1.325 writes them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from installer.hooks.installed_plugin import Plugin, find

if TYPE_CHECKING:
    from pathlib import Path

ID = "yourturn@market"
ON = {"enabledPlugins": {ID: True}}
ROW = {"scope": "user", "installPath": "/c/plugins/cache/market/yourturn/0.1.0", "version": "0.1.0"}


def keep(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))


def lists(config: Path, *rows: Any) -> Path:
    keep(config / "plugins/installed_plugins.json", {"version": 2, "plugins": {ID: list(rows)}})
    return config


@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        ({ID: True}, ID),
        ({ID: False}, None),
        ({"yourturn2@here": True}, None),
        ({"yourturn@\x1b[31m": True}, None),
        ([], None),
        (None, None),
    ],
)
def test_an_enabled_plugin_is_seen_in_the_settings(chosen: object, found: str | None, tmp_path: Path) -> None:
    plugin = find({"enabledPlugins": chosen}, str(tmp_path))
    assert (plugin.id if plugin else None) == found


def test_the_clients_list_says_where_it_is(tmp_path: Path) -> None:
    config = str(lists(tmp_path, ROW))
    assert find(ON, config) == Plugin(ID, ROW["installPath"], "0.1.0")
    assert find({}, config) is None, "it is installed and turned off"


def test_from_a_marketplace_that_is_a_folder_it_runs_right_there(tmp_path: Path) -> None:
    known = {"market": {"source": {"source": "directory", "path": "/src/yourturn"}}}
    keep(tmp_path / "plugins/known_marketplaces.json", known)
    assert find(ON, str(lists(tmp_path, ROW))) == Plugin(ID, "/src/yourturn", "0.1.0")


@pytest.mark.parametrize(
    ("shared", "own", "is_on"), [(True, None, True), (True, False, False), (False, True, True), (None, None, False)]
)
def test_a_project_may_have_it_for_itself(shared: bool | None, own: bool | None, is_on: bool, tmp_path: Path) -> None:
    project = tmp_path / "project"
    for name, on in (("settings.json", shared), ("settings.local.json", own)):
        if on is not None:
            keep(project / ".claude" / name, {"enabledPlugins": {ID: on}})
    config = str(lists(tmp_path, {**ROW, "scope": "project", "projectPath": str(project)}))
    assert find({}, config) == (Plugin(ID, ROW["installPath"], "0.1.0", str(project)) if is_on else None)


def test_one_for_all_folders_comes_before_one_for_a_project(tmp_path: Path) -> None:
    keep(tmp_path / "project/.claude/settings.json", ON)
    config = str(lists(tmp_path, {**ROW, "projectPath": str(tmp_path / "project")}, ROW))
    assert find(ON, config) == Plugin(ID, ROW["installPath"], "0.1.0")


@pytest.mark.parametrize(
    "content", ["{", "[]", "null", '{"plugins": []}', json.dumps({"plugins": {ID: [1, None, {}]}})]
)
def test_a_list_of_another_shape_is_no_list(content: str, tmp_path: Path) -> None:
    keep(tmp_path / "plugins/installed_plugins.json", content)
    keep(tmp_path / "plugins/known_marketplaces.json", content)
    found = find(ON, str(tmp_path))
    assert found
    assert (found.id, found.folder) == (ID, "")
