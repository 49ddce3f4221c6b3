"""Settings files that are refused or that change in between: left alone, with nothing lost."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from installer import console, install, place, record
from installer.hooks import program, settings_file
from installer.place import Wish
from installer.refusal import Refusal
from support.installing import PYTHON, Person
from support.settings_files import MODEL, install_twice

REFUSED = {
    "a comment": (b'{\n  // my model\n  "model": "opus"\n}\n', ":2:3: ", "comments"),
    "a syntax error": (b'{\n  "model": "opus"\n  "env": {}\n}\n', ":3:3: ", "line 3"),
    "an array": (
        b"[]\n",
        ":1:1: the settings are a list, but Claude Code expects an object",
        "In line 1, make it an object ({} if",
    ),
    "hooks of an unexpected type": (b'{"hooks": "none"}', ":1:11: ", "line 1"),
    "hooks that are a list": (
        b'{"hooks": []}',
        ':1:11: "hooks" is a list, but Claude Code expects an object',
        "make it an object ({} if",
    ),
    "an event that is an object": (b'{"hooks": {"Stop": {}}}', ":1:20: ", "make it an array ([] if"),
    "two hooks keys": (b'{"hooks": {},\n"hooks": {}}', ":2:1: ", "line 2"),
    "latin-1": (b'{\n"model": "gr\xf6\xdfer"}', ":2: not UTF-8", "UTF-8"),
    "UTF-16": ('{"model": 1}'.encode("utf-16"), ":1: not UTF-8", "UTF-8"),
}


@pytest.mark.parametrize(("content", "place", "remedy"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_cannot_be_read_is_refused_with_its_place_and_left_alone(
    content: bytes, place: str, remedy: str, person: Person
) -> None:
    person.has(content)
    done = person.runs("install", "--yes")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{person.settings}{place}" in done.stderr
    assert remedy in done.stderr
    assert person.settings.read_bytes() == content
    assert os.listdir(person.config) == ["settings.json"]
    assert not person.state.exists()


def test_uninstalling_refuses_a_file_that_was_broken_since(person: Person) -> None:
    person.has(MODEL)
    install_twice(person)
    broken = person.settings.read_bytes() + b"}"
    person.has(broken)
    done = person.runs("uninstall", "--yes")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{person.settings}:" in done.stderr
    assert person.settings.read_bytes() == broken
    assert (person.state / "install.json").exists()


def test_what_is_not_a_regular_file_is_refused(person: Person) -> None:
    person.settings.mkdir(parents=True)
    done = person.runs("install", "--yes")
    assert (done.returncode, "is a directory" in done.stderr) == (1, True)
    person.settings.rmdir()
    os.mkfifo(person.settings)
    done = person.runs("install", "--yes")
    assert (done.returncode, "not a regular file" in done.stderr) == (1, True)
    person.settings.unlink()
    person.settings.symlink_to("settings.json")
    done = person.runs("install", "--yes")
    assert (done.returncode, "symbolic link" in done.stderr) == (1, True)


def test_a_file_on_the_way_to_the_settings_is_named(person: Person) -> None:
    person.config.touch()
    done = person.runs("install", "--yes")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{person.config} is a file where a folder is needed." in done.stderr
    assert "owns" not in done.stderr


@pytest.mark.parametrize("read_only", ["file", "folder", "file behind a link"])
def test_what_is_read_only_is_refused_and_left_alone(read_only: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        person = Person(Path(folder)).has(MODEL)
        if read_only == "file behind a link":
            person.settings.rename(person.root / "store.json")
            person.settings.symlink_to("../store.json")
        locked = person.config if read_only == "folder" else person.settings.resolve()
        locked.chmod(0o555 if read_only == "folder" else 0o444)
        # Modes mean nothing to root, so a superuser's run of this test becomes another user's.
        nobody = {"AS_UID": "65534"} if os.getuid() == 0 else {}
        for path in [person.root, *person.root.rglob("*")] if nobody else []:
            os.chown(path, 65534, 65534)
        done = person.runs("install", "--yes", **nobody)
        assert done.returncode == 1
        assert ("Permission denied" if read_only == "folder" else "is read-only") in done.stderr
        assert str(person.settings) in done.stderr
        assert person.settings.read_bytes() == MODEL
        assert person.backups == []
        locked.chmod(0o755)


def test_the_record_comes_back_when_the_settings_cannot_be_written(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device", str(person.settings))

    person.has(MODEL)
    monkeypatch.setattr(settings_file, "replace", full_disk)
    here = place.find(person.environ)
    with pytest.raises(Refusal, match="No space left on device"):
        install.install(here, program.this(PYTHON), console.standard({}), Wish(now=0.0, yes=True))
    assert record.load(here.home) == record.Record()
    assert person.backups == []
    assert person.settings.read_bytes() == MODEL


def test_a_change_that_came_in_between_is_not_overwritten(person: Person) -> None:
    person.has(MODEL)
    seen = settings_file.read(str(person.settings))
    person.has(b'{"model": "haiku"}')
    with pytest.raises(Refusal, match="changed by another program"):
        settings_file.replace(str(person.settings), b"{}", seen)
    assert person.settings.read_bytes() == b'{"model": "haiku"}'
    assert os.listdir(person.config) == ["settings.json"]
