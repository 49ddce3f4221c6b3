"""Installing into a settings file, and taking it back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from contract.clients.claude import EVENTS
from installer.hooks import entries

if TYPE_CHECKING:
    from support.installing import Person

MODEL = b'{\n  "model": "opus"\n}\n'


def our_events(person: Person) -> set[str]:
    return {one.event for one in entries.found_in(json.loads(person.settings.read_text("utf-8-sig")))}


def install_twice(person: Person) -> None:
    first = person.runs("install", "--yes")
    assert (first.returncode, first.stderr) == (0, "")
    once = person.settings.read_bytes()
    second = person.runs("install", "--yes")
    assert second.returncode == 0
    assert "nothing was changed" in second.stdout
    assert person.settings.read_bytes() == once
    assert our_events(person) == set(EVENTS)


def uninstall(person: Person) -> None:
    done = person.runs("uninstall", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
