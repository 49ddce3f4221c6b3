"""Which programs are tried as the watcher, and what is said if none is one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from contract import launch
from recorder import finder

if TYPE_CHECKING:
    from pathlib import Path

OURS = "#!/bin/sh\necho yourturn 1.2\n"


def make(path: Path, text: str = "#!/bin/sh\n") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setattr(launch, "PROJECT", str(tmp_path / "plugin"))
    return {"HOME": str(tmp_path), "PATH": f"{tmp_path}/bin:relative:{tmp_path}/more"}


def test_the_most_likely_one_is_tried_first(tmp_path: Path, env: dict[str, str]) -> None:
    last, script = make(tmp_path / "last/python"), make(tmp_path / "last/yourturn.py")
    checkout = make(tmp_path / "plugin/.venv/bin/python")
    command, elsewhere = make(tmp_path / "bin/yourturn", OURS), make(tmp_path / ".local/bin/yourturn", OURS)
    newer, older = make(tmp_path / "more/python3.14"), make(tmp_path / "bin/python3.11")
    make(tmp_path / "bin/python3.10")
    door = launch.FRONT_DOOR
    assert list(finder.programs(env, (last, script))) == [
        [last, "-E", script],
        [checkout, "-E", door],
        [command],
        [elsewhere],
        [sys.executable, "-E", door],
        [newer, "-E", door],
        [older, "-E", door],
    ]


@pytest.mark.parametrize("last", [(), ("/gone/python", "/gone/yourturn.py"), ("python3", "yourturn.py")])
def test_what_the_last_watcher_ran_with_may_be_gone(last: tuple[str, ...], env: dict[str, str]) -> None:
    assert list(finder.programs(env, last)) == [[sys.executable, "-E", launch.FRONT_DOOR]]


def test_an_old_python_is_not_tried_itself(env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 6))
    assert list(finder.programs(env, ())) == []


def test_what_is_missing_is_said_in_a_sentence() -> None:
    assert finder.wanting([], (3, 9, 6)).endswith("it needs Python 3.11 or newer, and python3 is 3.9.6.")
    assert "/bin/python3 could not run it" in finder.wanting([["/bin/python3", "-E", "x"], ["y"]], (3, 12, 1))
    assert (
        finder.to_install("/a folder") == "To install it: uv tool install '/a folder' (or pipx install, the same way)."
    )
