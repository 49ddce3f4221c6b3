"""Doctor, install and uninstall with a state folder that cannot be used or that is odd."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from contract import paths
from installer import state
from installer.state import Odd
from support.installing import Person

if TYPE_CHECKING:
    from collections.abc import Iterator
from support.diagnosing import examine


def test_a_state_folder_that_is_open_or_not_ours_is_seen(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    home = str(person.state)
    assert state.odd(home) == Odd()
    person.state.chmod(0o755)
    assert state.odd(home) == Odd(open=(home,))
    person.state.chmod(0o700)
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert state.odd(home) == Odd(foreign=(home, f"{home}/install.json"))


def test_links_in_the_state_folder_are_found_and_one_to_it_is_fine(person: Person) -> None:
    home = str(person.state)
    os.symlink("/dev/null", paths.watcher_log(home))
    os.symlink(person.root, paths.status_dir(home))
    assert state.odd(home) == Odd(links=(paths.status_dir(home), paths.watcher_log(home)))
    assert examine(person)[1]["state folder"][0] == "fail"
    os.unlink(paths.watcher_log(home))
    os.unlink(paths.status_dir(home))
    person.state.rename(person.root / "elsewhere")
    person.state.symlink_to(person.root / "elsewhere")
    assert state.odd(home) == Odd()
    assert examine(person)[1]["state folder"][0] == "ok"


@pytest.mark.parametrize(
    ("mode", "words"), [(0o000, "cannot be read"), (0o500, "cannot be written"), (0o300, "cannot be read")]
)
def test_a_state_folder_that_is_closed_to_us_is_told_and_not_stumbled_over(mode: int, words: str) -> None:
    with borrowed() as (person, nobody):
        assert person.runs("install", "--yes", **nobody).returncode == 0
        person.state.chmod(mode)
        installed = person.settings.read_bytes()
        done = person.runs("doctor", **nobody)
        assert (done.returncode, done.stderr) == (1, "")
        assert f"FAIL  state folder  {person.state} {words}\n" in done.stdout
        assert f"chmod u+rwx {person.state}" in done.stdout
        for command in ("install", "uninstall"):
            done = person.runs(command, "--yes", **nobody)
            assert (done.returncode, done.stdout) == (1, "")
            assert f"The state folder cannot be used: {person.state} {words}.\n  Run `chmod" in done.stderr
        assert person.settings.read_bytes() == installed
        person.state.chmod(0o700)
        assert person.runs("uninstall", "--yes", **nobody).returncode == 0


@contextmanager
def borrowed() -> Iterator[tuple[Person, dict[str, str]]]:
    """A person to whom modes mean something: a superuser's run of a test becomes another user's."""
    with tempfile.TemporaryDirectory() as root:
        nobody = {"AS_UID": "65534"} if os.getuid() == 0 else {}
        if nobody:
            os.chown(root, 65534, 65534)
        yield Person(Path(root)), nobody


def test_a_closed_folder_for_events_is_found_too() -> None:
    with borrowed() as (person, nobody):
        (person.state / "facts").mkdir(parents=True, mode=0o700)
        for path in (person.state, person.state / "facts"):
            os.chown(path, int(nobody.get("AS_UID", os.getuid())), -1)
        (person.state / "facts").chmod(0o500)
        done = person.runs("doctor", **nobody)
        assert f"FAIL  state folder  {person.state}/facts cannot be written\n" in done.stdout


def test_a_state_folder_that_is_none_is_told(person: Person) -> None:
    (person.root / "file").touch()
    (person.root / "link").symlink_to("nowhere")
    for name, words in (
        ("file", "is a file, not a folder"),
        ("file/below", "cannot exist, because it would be inside a file"),
        ("link", "is a broken link"),
    ):
        home = f"{person.root}/{name}"
        done = person.runs("doctor", YOURTURN_HOME=home)
        assert (done.returncode, done.stderr) == (1, "")
        assert f"FAIL  state folder  {home} {words}\n" in done.stdout
        done = person.runs("install", "--yes", YOURTURN_HOME=home)
        assert (done.returncode, f"{home} {words}." in done.stderr) == (1, True)
