"""The hook with other versions of Python: macOS has 3.9, and a plugin runs with whatever python3 is on PATH."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from installer.hooks.program import OLDEST_PYTHON
from support.builders import call, event, facts_in, hook_env
from support.hook_runs import is_silent, log_lines
from support.project import PROJECT, TESTS
from support.pythons import need_python

if TYPE_CHECKING:
    from pathlib import Path

OLDEST = ".".join(map(str, OLDEST_PYTHON))
VERSIONS = (OLDEST, "3.10", "3.13")
TOO_OLD = ("3.7", "3.8")
ROOMS = ("recorder", "contract")
# All events of a recording, each a second after the one before it, and what they leave on disk.
REPLAY = """
import sys; sys.path.insert(0, sys.argv[1])
from contract.facts import Stamp
from recorder.receive import receive
for number, line in enumerate(open(sys.argv[2], "rb")):
    receive(sys.argv[3], {"YOURTURN_NO_WATCHER": "1", "CLAUDE_PID": "1"}, line, Stamp((1e9 + number, 1.0 + number)))
"""
DIGEST = re.compile(r',?"digest":"[0-9a-f]{16}"')  # Python 3.11 has another hash than those before it
every = pytest.mark.parametrize("version", VERSIONS)


def python(version: str, *args: str) -> str:
    argv = [need_python(version), "-S", "-E", "-B", *args]
    return subprocess.run(argv, capture_output=True, text=True, check=True, cwd=PROJECT).stdout


def payloads(folder: Path) -> Path:
    """The events of all recordings."""
    recorded = sorted(TESTS.glob("replay/*/hooks.jsonl"))
    assert recorded
    lines = [json.loads(line)["payload"] for path in recorded for line in path.read_text().splitlines()]
    made = folder / "payloads"
    made.write_text("\n".join(map(json.dumps, lines)))
    return made


def replayed(interpreter: str, events: Path, state: Path) -> dict[str, str]:
    argv = [interpreter, "-S", "-E", "-B", "-c", REPLAY, str(PROJECT), str(events), str(state)]
    done = subprocess.run(argv, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return {path.name: DIGEST.sub("", path.read_text()) for path in (state / "facts").glob("*.json")}


@every
def test_all_recordings_leave_the_same_facts(version: str, tmp_path: Path) -> None:
    events = payloads(tmp_path)
    ours = replayed(sys.executable, events, tmp_path / "ours")
    assert len(ours) > 15
    assert replayed(need_python(version), events, tmp_path / "theirs") == ours


@every
def test_every_module_of_the_hook_can_be_imported(version: str) -> None:
    files = [path.relative_to(PROJECT) for room in ROOMS for path in PROJECT.glob(f"{room}/**/*.py")]
    names = [".".join(path.with_suffix("").parts) for path in files if path.name != "__init__.py"]
    assert len(names) > 25
    python(version, "-c", f"import importlib\nfor name in {names}: importlib.import_module(name)")


@every
def test_a_hook_records_and_so_does_the_next_one_from_the_bundle(version: str, tmp_path: Path) -> None:
    argv = [need_python(version), "-S", "-E", str(PROJECT / "hook.py"), "claude"]
    for payload in (event("SessionStart", source="startup"), call("PreToolUse", "a"), call("PreToolUse", "b")):
        given = json.dumps(payload).encode()
        assert is_silent(subprocess.run(argv, input=given, capture_output=True, env=hook_env(tmp_path), check=False))
    assert list(facts_in(tmp_path)["main"].calls) == ["a", "b"]
    assert log_lines(tmp_path) == []


@every
def test_what_goes_wrong_is_logged(version: str, tmp_path: Path) -> None:
    argv = [need_python(version), "-S", "-E", str(PROJECT / "hook.py"), "claude"]
    assert is_silent(subprocess.run(argv, input=b"[]", capture_output=True, env=hook_env(tmp_path), check=False))
    assert "ValueError: the event is not an object" in log_lines(tmp_path)[0]


@pytest.mark.parametrize("version", TOO_OLD)
def test_a_python_that_is_too_old_records_nothing_and_disturbs_nobody(version: str, tmp_path: Path) -> None:
    argv = [need_python(version), "-S", "-E", str(PROJECT / "hook.py"), "claude"]
    given = json.dumps(event("Stop")).encode()
    done = subprocess.run(argv, input=given, capture_output=True, env=hook_env(tmp_path), check=False)
    assert (done.returncode, done.stdout) == (0, b"")
    assert not (tmp_path / "state").exists()
