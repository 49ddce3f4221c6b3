"""A file that somebody asked for."""

import os
from pathlib import Path

import pytest

from statusbar.system.written_file import write


def test_a_new_file_has_the_mode_of_any_other(tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    write(str(tmp_path / "new"), b"x")
    assert (tmp_path / "new").read_bytes() == b"x"
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_what_was_there_is_replaced_and_keeps_its_mode_and_its_links(tmp_path: Path) -> None:
    old, link = tmp_path / "old", tmp_path / "link"
    old.write_bytes(b"something longer")
    old.chmod(0o640)
    link.symlink_to(old)
    write(str(link), b"x")
    assert (old.read_bytes(), old.stat().st_mode & 0o777, link.is_symlink()) == (b"x", 0o640, True)


def test_a_failure_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "old"
    old.write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "rename", full)
    with pytest.raises(OSError, match="No space"):
        write(str(old), b"new")
    assert (old.read_bytes(), os.listdir(tmp_path)) == (b"old", ["old"])


def test_a_folder_cannot_be_written_to(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        write(str(tmp_path), b"x")


def test_a_device_is_written_to_and_not_replaced() -> None:
    write("/dev/null", b"x")
    assert not Path("/dev/null").is_file()
