"""What the hooks start is named so that the name stays true after an upgrade."""

from __future__ import annotations

from typing import TYPE_CHECKING

from installer.hooks import program

if TYPE_CHECKING:
    from pathlib import Path


def keg(prefix: Path, version: str) -> Path:
    folder = prefix / "Cellar" / "yourturn" / version / "libexec"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").touch()
    (folder / "hook.py").touch()
    return folder


def test_in_homebrew_the_link_is_named_that_each_upgrade_renews(tmp_path: Path) -> None:
    folder = keg(tmp_path, "1.0")
    link = tmp_path / "opt" / "yourturn"
    link.parent.mkdir()
    link.symlink_to(folder.parent)
    found = program.this(str(folder / "bin" / "python"), str(folder))
    assert found == (str(link / "libexec/bin/python"), str(link / "libexec/hook.py"))


def test_a_link_to_another_version_is_not_meant(tmp_path: Path) -> None:
    folder, other = keg(tmp_path, "1.0"), keg(tmp_path, "2.0")
    link = tmp_path / "opt" / "yourturn"
    link.parent.mkdir()
    python = str(folder / "bin" / "python")
    assert program.lasting(python) == python, "there is no link"
    link.symlink_to(other.parent)
    assert program.lasting(python) == python


def test_elsewhere_every_path_stays_as_it_is() -> None:
    for path in ("/home/me/src/.venv/bin/python", "/opt/homebrew/bin/python3", "/Cellar", ""):
        assert program.lasting(path) == path
