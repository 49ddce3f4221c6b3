"""The guard that keeps tests out of the real home."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from contract import paths
from support.guard import REAL_HOME, ReachedHomeError


@pytest.mark.parametrize("path", [".claude/settings.json", ".local/state/yourturn/facts/x.json", ".claude.json"])
def test_a_test_that_opens_a_file_of_the_real_home_fails(path: str) -> None:
    with pytest.raises(ReachedHomeError):
        Path(REAL_HOME, path).read_bytes()


def test_a_test_that_lists_or_makes_folders_there_fails() -> None:
    with pytest.raises(ReachedHomeError):
        os.listdir(f"{REAL_HOME}/.claude")
    with pytest.raises(ReachedHomeError):
        Path(REAL_HOME, ".local/state/yourturn").mkdir()


def test_our_own_paths_and_those_of_child_processes_lie_in_the_borrowed_home(borrowed_home: Path) -> None:
    assert paths.home().startswith(str(borrowed_home))
    said = subprocess.run(
        [sys.executable, "-c", "import os; print(os.environ['HOME'])"], capture_output=True, check=True
    )
    assert said.stdout.decode().strip() == str(borrowed_home)


def test_nothing_of_a_client_around_us_reaches_a_test() -> None:
    assert not [name for name in os.environ if name.startswith(("CLAUDE", "ANTHROPIC"))]
