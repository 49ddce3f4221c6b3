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
from support.pythons import need_python

if TYPE_CHECKING:
    from pathlib import Path

FILES = (".claude-plugin/plugin.json", ".claude-plugin/marketplace.json", "hooks/hooks.json")


@pytest.mark.parametrize("name", FILES)
def test_the_committed_files_are_the_generated_ones(name: str) -> None:
    assert (PROJECT / name).read_text() == plugin.generated()[name], "run: python -m installer.hooks.plugin"


def test_all_files_of_the_plugin_are_generated() -> None:
    kept = [*PROJECT.glob(".claude-plugin/*"), *PROJECT.glob("hooks/*")]
    assert {str(path.relative_to(PROJECT)) for path in kept} == set(plugin.generated()) == set(FILES)


def test_the_marketplace_offers_the_plugin_of_this_folder() -> None:
    offered = plugin.marketplace()["plugins"]
    assert [(one["name"], one["source"]) for one in offered] == [(plugin.manifest()["name"], "./")]


def test_the_files_are_written_where_the_client_looks(tmp_path: Path) -> None:
    plugin.write(str(tmp_path))
    assert json.loads((tmp_path / ".claude-plugin/plugin.json").read_text())["version"] == VERSION
    found = entries.found_in(json.loads((tmp_path / "hooks/hooks.json").read_text()))
    assert {one.event for one in found} == set(EVENTS)


def test_only_events_that_the_user_sees_may_print() -> None:
    found = entries.found_in(plugin.hook_file())
    printing = {one.event for one in found if ">/dev/null 2>&1;" not in one.hook["command"]}
    assert printing == set(plugin.HEARD)
    assert not [one.event for one in found if one.event in plugin.HEARD and one.hook.get("async")]


def run(line: str, folder: Path, path: str = "/usr/bin:/bin", **env: str) -> str:
    """What a line of the plugin prints; whatever it meets, it ends well."""
    given = {"PATH": path, "CLAUDE_PLUGIN_ROOT": str(folder), "YOURTURN_NO_WATCHER": "1", **env}
    argv = ["/bin/sh", "-c", line]
    done = subprocess.run(argv, input=json.dumps(event("Stop")), env=given, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture
def bin_(tmp_path: Path) -> Path:
    """A folder for PATH, with nothing in it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("name", ["Stop", *plugin.HEARD])
@pytest.mark.parametrize("folder", ["plain", "with space", "it's"])
def test_the_line_finds_its_project_by_the_plugins_root(folder: str, name: str, bin_: Path, tmp_path: Path) -> None:
    (tmp_path / folder).symlink_to(PROJECT)
    (bin_ / "python3").symlink_to(PYTHON)
    state = tmp_path / "state"
    said = run(plugin.command(name), tmp_path / folder, str(bin_), HOME=str(tmp_path), YOURTURN_HOME=str(state))
    assert said == ""
    assert len(list((state / "facts").glob("*.json"))) == 1


LINES = {
    "a hook": plugin.command("Stop"),
    "a hook that may print": plugin.command("SessionStart"),
    "the check": plugin.check(),
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_the_copy_that_uninstalling_a_plugin_leaves_behind_is_silent(line: str, tmp_path: Path) -> None:
    assert run(line, tmp_path / "gone") == ""
    assert run(line, tmp_path / "gone", path="/nowhere") == ""


FAILING = {"none": "", "a shim that has no version": "#!/bin/sh\necho no version is set >&2\nexit 2\n"}


@pytest.mark.parametrize("python", FAILING.values(), ids=FAILING)
def test_without_a_python3_that_works_the_user_is_told_and_no_event_is_disturbed(python: str, bin_: Path) -> None:
    if python:
        (bin_ / "python3").write_text(python)
        (bin_ / "python3").chmod(0o755)
    assert [run(plugin.command(name), PROJECT, str(bin_)) for name in ("Stop", "SessionStart")] == ["", ""]
    told = json.loads(run(plugin.check(), PROJECT, str(bin_)))
    assert told == {"systemMessage": "yourturn records nothing: its hooks need python3 on PATH, version 3.9 or newer."}


@pytest.mark.parametrize(("version", "is_told"), [("3.8", True), ("3.9", False)])
def test_a_python3_that_is_too_old_is_told(version: str, is_told: bool, bin_: Path) -> None:
    (bin_ / "python3").symlink_to(need_python(version))
    assert bool(run(plugin.check(), PROJECT, str(bin_))) is is_told
