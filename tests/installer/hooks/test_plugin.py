"""The plugin offers the same hooks as the installer, from the same table."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from contract.clients.claude import EVENTS
from contract.version import VERSION
from installer.hooks import entries, plugin
from support.builders import event
from support.installing import PYTHON
from support.project import PROJECT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", [".claude-plugin/plugin.json", "hooks/hooks.json"])
def test_the_committed_files_are_the_generated_ones(name: str) -> None:
    made = plugin.generated()
    assert set(made) == {".claude-plugin/plugin.json", "hooks/hooks.json"}
    assert (PROJECT / name).read_text() == made[name], "run: python -m installer.hooks.plugin"


def test_the_files_are_written_where_the_client_looks(tmp_path: Path) -> None:
    plugin.write(str(tmp_path))
    assert json.loads((tmp_path / ".claude-plugin/plugin.json").read_text())["version"] == VERSION
    found = entries.found_in(json.loads((tmp_path / "hooks/hooks.json").read_text()))
    assert {one.event for one in found} == set(EVENTS)


@pytest.mark.parametrize("folder", ["plain", "with space", "it's"])
def test_the_line_finds_its_project_by_the_plugins_root(folder: str, tmp_path: Path) -> None:
    root = tmp_path / folder
    root.symlink_to(PROJECT)
    state = tmp_path / "state"
    env = {
        "PATH": "/usr/bin:/bin",
        "YOURTURN_HOME": str(state),
        "HOME": str(tmp_path),
        "YOURTURN_NO_WATCHER": "1",
    }
    python = tmp_path / "bin"
    python.mkdir()
    (python / "python3").symlink_to(PYTHON)
    env |= {"CLAUDE_PLUGIN_ROOT": str(root), "PATH": f"{python}:/usr/bin:/bin"}
    payload = json.dumps(event("Stop"))
    done = subprocess.run(
        ["sh", "-c", plugin.COMMAND], input=payload, env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert len(list((state / "facts").glob("*.json"))) == 1


def test_the_copy_that_uninstalling_a_plugin_leaves_behind_is_silent(tmp_path: Path) -> None:
    env = {"PATH": "/usr/bin:/bin", "CLAUDE_PLUGIN_ROOT": str(tmp_path / "gone")}
    done = subprocess.run(
        ["sh", "-c", plugin.COMMAND], input="{}", env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("chosen", "enabled"),
    [
        ({"yourturn@here": True}, True),
        ({"yourturn@here": False}, False),
        ({"yourturn2@here": True}, False),
        ([], False),
        (None, False),
    ],
)
def test_an_enabled_plugin_is_seen_in_the_settings(chosen: object, enabled: bool) -> None:
    assert plugin.is_enabled({"enabledPlugins": chosen}) is enabled
