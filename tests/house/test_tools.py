"""Installed with uv and with pipx, as people do it: in one line, and gone in one line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from contract.version import VERSION
from support.wheels import Person

if TYPE_CHECKING:
    from pathlib import Path

INSTALL = {"uv": ("uv", "tool", "install", "--python", sys.executable), "pipx": ("pipx", "install")}
UNINSTALL = {"uv": ("uv", "tool", "uninstall"), "pipx": ("pipx", "uninstall")}
ADDS = {"uv": "uv tool install --with dbus-fast yourturn", "pipx": "pipx inject yourturn dbus-fast"}
ADDING = (
    "import sys; sys.path.insert(0, sys.argv[1]); from contract import installation as i; print(i.adding('dbus-fast'))"
)


@pytest.mark.parametrize("tool", ["uv", "pipx"])
def test_one_line_installs_it_with_all_that_a_desktop_needs_and_one_line_leaves_nothing(
    tool: str, tmp_path: Path, toolbox: Path, wheel: Path
) -> None:
    person = Person(tmp_path, toolbox)
    person.types(*INSTALL[tool], str(wheel))
    assert person.types("yourturn", "--version") == f"yourturn {VERSION}\n"
    assert "\n  yourturn install " in person.types("yourturn"), "on PATH, its name is enough"
    (package,) = tmp_path.rglob("site-packages/yourturn/yourturn.py")
    python = (tmp_path / ".local/bin/yourturn").resolve().with_name("python")
    person.types(str(python), "-c", "import dbus_fast")
    assert person.types(str(python), "-c", ADDING, str(package.parent)).strip() == ADDS[tool]
    assert (tmp_path / ".local/share/man/man1/yourturn.1").exists() == (tool == "pipx"), "uv has no place for it"
    person.types(*UNINSTALL[tool], "yourturn")
    assert person.has() == set()
