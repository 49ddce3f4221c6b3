"""What a hint names works as it is typed."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from contract import launch, typed
from house.test_arrows import fragments, sources
from support.project import PROJECT
from yourturn import GROUPS

if TYPE_CHECKING:
    from collections.abc import Callable

VENV, PYTHON = "/src/.venv/bin/yourturn", "/src/.venv/bin/python"
ROOMS = ("contract", "recorder", "processes", "watcher", "statusbar", "agency", "installer", "hook", "yourturn")
COMMANDS = "|".join(word for words in GROUPS.values() for word in words)
HINT = re.compile(rf"\byourturn (?:--help|(?:{COMMANDS})\b)")
# Who ended an agent, the names of lines for other programs, the title of the demo, and how the parser names itself.
NO_HINTS = {
    "results.py": {"yourturn kill"},
    "line_hosts.py": {"yourturn line"},
    "screen.py": {"yourturn demo"},
    "commands.py": {"yourturn spawn"},
}


def there(*paths: str) -> Callable[[str], bool]:
    return lambda path: path in paths


def test_the_program_is_called_as_it_was_typed() -> None:
    relative = ".venv/bin/yourturn"
    assert typed.called(relative, PYTHON, there(relative, VENV)) == relative
    assert typed.said(relative, PYTHON, is_named=False, anywhere=False) == relative
    assert typed.said(relative, PYTHON, is_named=False, anywhere=True) == os.path.abspath(relative)


@pytest.mark.parametrize("argv0", [launch.FRONT_DOOR, "-c", "", "/usr/bin/pytest", "yourturn", ".venv/bin/yourturn"])
def test_started_in_another_way_or_in_another_folder_the_one_beside_the_interpreter_is_named(argv0: str) -> None:
    assert typed.called(argv0, PYTHON, there(VENV)) == VENV


def test_without_a_program_the_script_is_named() -> None:
    assert typed.called("", "/usr/bin/python3", there()) == ""
    assert typed.said("", "/my python", is_named=False, anywhere=False) == f"'/my python' {launch.FRONT_DOOR}"


def test_a_path_that_a_shell_would_take_apart_is_quoted() -> None:
    assert typed.said("/a b/yourturn", PYTHON, is_named=False, anywhere=False) == "'/a b/yourturn'"


def test_the_first_on_path_is_what_a_shell_runs() -> None:
    assert typed.first("/a:/b:/c", there("/b/yourturn", "/c/yourturn")) == "/b/yourturn"
    assert typed.first(":/b", there("./yourturn", "/b/yourturn")) == "./yourturn"
    assert typed.first("/a", there()) == ""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder as `make run` leaves it: the program lies in .venv, and not on PATH."""
    (tmp_path / ".venv").symlink_to(sys.prefix)
    return tmp_path


def told(folder: Path, program: str, *words: str, search: str = "/usr/bin:/bin") -> str:
    env = {"PATH": search, "HOME": str(folder), "YOURTURN_HOME": str(folder / "state"), "YOURTURN_NO_WATCHER": "1"}
    found = subprocess.run([program, *words], cwd=folder, env=env, capture_output=True, text=True, check=False)
    return found.stdout + found.stderr


@pytest.mark.parametrize(
    ("words", "hinted"),
    [
        ((), {"demo", "install", "up", "--help"}),
        (("status",), {"up"}),
        (("stauts",), {"--help"}),
        (("status", "--full"), {"status"}),
        (("top",), {"status"}),
        (("tree",), {"up"}),
        (("log",), {"up", "doctor"}),
        (("doctor",), {"install"}),
        (("login",), {"login"}),
        (("demo", "--front", "terminal"), {"demo"}),
        (("spawn",), {"spawn"}),
        (("spawn", "--agent", "nobody"), {"agents"}),
        (("menubar",), {"tray", "top"}),
        (("install", "--yes", "--no-service"), {"doctor"}),
        (("completion", "--help"), {"completion"}),
        (("line", "--help"), {"line"}),
        (("--help",), {"COMMAND"}),
    ],
)
def test_after_make_run_every_hint_works_as_it_is_typed(
    words: tuple[str, ...], hinted: set[str], checkout: Path
) -> None:
    found = re.findall(r"([\w./-]*/bin/yourturn) ([\w-]+)", told(checkout, ".venv/bin/yourturn", *words))
    assert {word for _, word in found} == hinted
    ours = Path(sys.prefix, "bin/yourturn")
    assert {(checkout / program).resolve() for program, _ in found} == {ours.resolve()}


def test_on_path_its_name_is_enough_and_another_copy_of_it_is_not_meant(checkout: Path) -> None:
    ours, other = checkout / "ours", checkout / "other"
    for folder in (ours, other):
        folder.mkdir()
    (ours / "yourturn").symlink_to(f"{sys.prefix}/bin/yourturn")
    (other / "yourturn").write_text("#!/bin/sh\n")
    (other / "yourturn").chmod(0o755)
    step = "\n  {} install "
    assert step.format("yourturn") in told(checkout, "ours/yourturn", search=str(ours))
    assert step.format("ours/yourturn") in told(checkout, "ours/yourturn", search=f"{other}:{ours}")


def test_no_text_names_a_command_but_through_this_file() -> None:
    looked_at = 0
    for path in (path for room in ROOMS for path in sources(room)):
        texts = fragments(path)
        looked_at += len(texts)
        named = {found for text in texts for found in HINT.findall(text)}
        assert named <= NO_HINTS.get(path.name, set()), path.relative_to(PROJECT)
    assert looked_at > 1000


def test_what_is_typed_can_be_taken_apart_again() -> None:
    assert shlex.split(typed.command("status --json"))[-2:] == ["status", "--json"]
