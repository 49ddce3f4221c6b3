"""A plugin's hooks start a watcher with a program that they find, or say what is missing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from contract import lack, paths, store
from installer.hooks import plugin as files
from recorder.start import DAY_S
from support.builders import call, event
from support.hook_runs import log_lines
from support.patience import until
from support.plugins import Plugin
from support.project import PROJECT
from support.pythons import need_python

if TYPE_CHECKING:
    from pathlib import Path

    from contract.status import Heartbeat
    from support.watching import Scene

START, PROMPT = event("SessionStart", source="startup"), event("UserPromptSubmit", prompt="x")
FRONT_DOOR = str(PROJECT / "yourturn.py")


@pytest.fixture
def plugin(tmp_path: Path) -> Plugin:
    return Plugin(tmp_path)


def started(plugin: Plugin, scene: Scene) -> Heartbeat:
    """The watcher that the first event of a session has started."""
    client = scene.client()
    assert plugin.hears(START, CLAUDE_PID=str(client.pid)) == ""
    scene.becomes("waiting")
    beat: Heartbeat = until(scene.beat)
    assert os.getsid(beat.pid) == beat.pid, "it is in a session of its own"
    until(lambda: not store.is_locked(paths.starting_lock(scene.state)))
    return beat


def test_where_no_watcher_can_be_started_the_user_is_told_once_a_day_and_what_to_do(plugin: Plugin) -> None:
    assert plugin.hears(START) == ""
    known = plugin.lack()
    assert plugin.hears(call("PreToolUse", "t")) == ""
    told = json.loads(plugin.hears(PROMPT))
    assert told == {"systemMessage": f"yourturn: {known.words} {known.remedy}"}
    assert f"uv tool install '{plugin.folder}'" in known.remedy
    assert [plugin.hears(PROMPT), plugin.hears(START)] == ["", ""]
    assert [line[20:] for line in log_lines(plugin.root)] == [f"{known.words} {known.remedy}"]
    known = plugin.lack()
    known.told -= DAY_S
    lack.write(str(plugin.state), known)
    assert json.loads(plugin.hears(PROMPT)) == told


def test_where_no_user_reads_it_nothing_is_told_and_the_next_one_who_does_is(plugin: Plugin) -> None:
    plugin.hears(START)
    plugin.lack()
    assert plugin.hears(PROMPT, CLAUDE_CODE_ENTRYPOINT="sdk-cli") == ""
    assert plugin.hears(PROMPT) != ""


def test_a_search_that_found_nothing_is_not_repeated_at_every_event(plugin: Plugin) -> None:
    plugin.hears(START)
    before = plugin.lack()
    plugin.has_command("yourturn", "false")
    plugin.hears(PROMPT)
    assert not store.is_locked(paths.starting_lock(str(plugin.state)))
    assert plugin.lack().at == before.at


@pytest.mark.parametrize("where", ["on PATH", "below the home"])
def test_a_plugin_starts_the_watcher_of_an_installed_yourturn(where: str, plugin: Plugin, scene: Scene) -> None:
    command = plugin.has_command("yourturn", f"{sys.executable} {FRONT_DOOR}")
    if where == "below the home":
        (plugin.root / ".local/bin").mkdir(parents=True)
        command.rename(plugin.root / ".local/bin/yourturn")
    assert started(plugin, scene).program == (sys.executable, FRONT_DOOR)
    assert lack.read(scene.state) is None


def test_what_was_lacking_is_found_later(plugin: Plugin, scene: Scene) -> None:
    plugin.hears(START)
    known = plugin.lack()
    known.at -= 3600
    lack.write(scene.state, known)
    plugin.has_command("yourturn", f"{sys.executable} {FRONT_DOOR}")
    started(plugin, scene)
    until(lambda: lack.read(scene.state) is None)


def test_a_python_of_macos_records_and_another_one_watches(tmp_path: Path, scene: Scene) -> None:
    plugin = Plugin(tmp_path, need_python("3.9"))
    plugin.has_command("yourturn", f"{sys.executable} {FRONT_DOOR}")
    started(plugin, scene)
    assert log_lines(tmp_path) == []


def test_with_nothing_but_the_python_of_macos_its_version_is_named(tmp_path: Path) -> None:
    plugin = Plugin(tmp_path, need_python("3.9"))
    plugin.hears(START)
    assert "needs Python 3.11 or newer, and python3 is 3.9." in plugin.lack().words


def test_another_program_of_our_name_is_not_made_to_watch(plugin: Plugin) -> None:
    plugin.has_command("yourturn", f"/bin/sh -c 'echo $1 >> {plugin.root}/asked; echo turns 1.0' yourturn")
    plugin.hears(START)
    plugin.lack()
    assert (plugin.root / "asked").read_text().split() == ["--version"]


def test_hooks_of_a_plugin_that_race_start_one_watcher(plugin: Plugin, scene: Scene) -> None:
    plugin.has_command("yourturn", f"{sys.executable} {FRONT_DOOR}")
    env = plugin.environ | {"CLAUDE_PID": str(scene.client().pid)}
    line = ["/bin/sh", "-c", files.command("PreToolUse")]
    racing = [subprocess.Popen(line, stdin=subprocess.PIPE, env=env) for _ in range(12)]
    for number, hook in enumerate(racing):
        hook.communicate(json.dumps(call("PreToolUse", f"t{number}")).encode())
    scene.becomes("working")
    assert scene.log().count("watching: pid") == 1


def test_a_plugin_starts_again_the_watcher_that_ran_last(plugin: Plugin, scene: Scene) -> None:
    plugin.has_command("yourturn", f"{sys.executable} {FRONT_DOOR}")
    first = started(plugin, scene)
    (plugin.bin / "yourturn").unlink()
    os.kill(first.pid, signal.SIGTERM)
    until(lambda: not store.is_locked(paths.watcher_lock(scene.state)))
    plugin.hears(PROMPT, CLAUDE_PID=str(scene.client().pid))
    until(lambda: (beat := scene.beat()) and beat.pid != first.pid)
