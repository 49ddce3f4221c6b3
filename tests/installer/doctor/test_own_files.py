"""The checks of yourturn's own files."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from contract import paths, store
from installer.doctor.state_folder import Trouble
from installer.place import Place
from installer.state import Odd

if TYPE_CHECKING:
    from support.installing import Person

from support.diagnosing import NOW, WELL, Sick, check_told, examine, verdict

SICK: dict[str, Sick] = {
    "no state folder": ("state folder", "FAIL", {"home_exists": False}, "/s does not exist", "install"),
    "an open state folder": ("state folder", "FAIL", {"odd": Odd(open=("/s/facts",))}, "/s/facts", "chmod -R go= /s"),
    "a state folder of another user": (
        "state folder",
        "FAIL",
        {"odd": Odd(foreign=("/s", "/s/facts"))},
        "/s belongs to another user",
        "as that user",
    ),
    "files of root in it": (
        "state folder",
        "FAIL",
        {"odd": Odd(foreign=("/s/a", "/s/b"))},
        "it contains 2 files of another user, such as /s/a",
        "sudo chown -R $(id -u) /s",
    ),
    "a link in it": (
        "state folder",
        "FAIL",
        {"odd": Odd(links=("/s/x",))},
        "it contains 1 link, such as /s/x",
        "Remove",
    ),
    "facts that were set aside": (
        "facts",
        "warn",
        {"set_aside": ("a.json.bad", "b.json.bad")},
        "2 files could not be read",
        ".bad from /s/facts",
    ),
    "a watcher that fell over": ("crash report", "warn", {"crashed": NOW - 120}, "2 m ago", "/s/crash.txt"),
    "trouble in the hook": (
        "hook log",
        "warn",
        {"hook_trouble": "2026 ValueError: x\x1b[31m"},
        "2026 ValueError: x [31m",
        "/s/hook.log",
    ),
    "settings that install would refuse, and no state folder": (
        "state folder",
        "FAIL",
        {"home_exists": False, "settings_trouble": "x"},
        "does not exist",
        "Fix /c/settings.json, then",
    ),
    "a state folder that is closed": (
        "state folder",
        "FAIL",
        {"home_trouble": Trouble("/s cannot be read", "Run `chmod u+rwx /s`.")},
        "cannot be read",
        "chmod",
    ),
    "status files that are garbage": (
        "status files",
        "warn",
        {"sessions": {f"/s/status/{n}.json": n == 0 for n in range(5)}},
        "4 of 5 cannot be read: 1.json, 2.json, 3.json and others",
        "/s/status",
    ),
    "a config that is garbage": ("config", "warn", {"choices_trouble": "line\x1b 3"}, "line 3", "Fix it"),
}


@pytest.mark.parametrize("sick", SICK.values(), ids=SICK)
def test_what_does_not_hold_is_told_with_its_remedy(sick: Sick) -> None:
    check_told(sick)


@pytest.mark.parametrize(
    "name", ["last event", "watcher", "status files", "hook log", "config", "facts", "crash report"]
)
def test_what_a_closed_folder_hides_is_not_judged(name: str) -> None:
    place = Place("/c/settings.json", "/s", "/s/config.toml")
    seen = replace(WELL, place=place, home_trouble=Trouble("/s cannot be read", "Open it."), choices_trouble="hidden")
    assert verdict(name, seen)[:2] == ("skip", "unknown: the state folder cannot be read")


def test_an_open_file_in_the_state_folder_is_seen(person: Person) -> None:
    store.replace(paths.hook_log(str(person.state)), b"2026-01-01 00:00:00 OSError: full\n")
    os.chmod(paths.hook_log(str(person.state)), 0o644)
    code, checks = examine(person)
    assert code == 1
    assert checks["state folder"] == ("fail", f"other users can read or write 1 file, such as {person.state}/hook.log")
    assert checks["hook log"] == ("warn", "2026-01-01 00:00:00 OSError: full")


def test_status_files_that_nobody_can_decode_are_named(person: Person) -> None:
    home = str(person.state)
    store.private_folder(paths.status_dir(home))
    store.replace(paths.status(home, "broken"), b'{"v": 1, ')
    (person.state / "status" / "link.json").symlink_to("broken.json")
    assert examine(person)[1]["status files"] == ("warn", "2 of 2 cannot be read: broken.json, link.json")


@pytest.mark.parametrize("content", [b"front = [", b"front = '\xff'", b"x = " + b"[" * 5000])
def test_a_config_that_cannot_be_parsed_is_named(content: bytes, person: Person) -> None:
    path = person.state / "config.toml"
    assert examine(person)[1]["config"] == ("ok", f"none ({path} does not exist)")
    path.write_text("front = 'tray'\n")
    assert examine(person)[1]["config"] == ("ok", str(path))
    path.write_bytes(content)
    code, checks = examine(person)
    assert (code, checks["config"][0], str(path) in checks["config"][1]) == (0, "warn", True)
