"""What doctor says about inotify."""

from __future__ import annotations

import pytest

from contract.status import Heartbeat
from contract.version import VERSION
from support.diagnosing import NOW, Sick, check_told


class Polling(Heartbeat):
    """A heartbeat that says why its watcher polls."""

    polling = "no instance of inotify left"


SICK: dict[str, Sick] = {
    "inotify used up for the watcher": (
        "file events",
        "warn",
        {"beat": Polling(7, "1", VERSION, NOW - 1)},
        "late: no instance of inotify left",
        "max_user_instances",
    ),
    "inotify used up before there is one": (
        "file events",
        "warn",
        {"file_events": "all 128 inotify instances of your user are in use"},
        "all 128",
        "max_user_instances",
    ),
}


@pytest.mark.parametrize("sick", SICK.values(), ids=SICK)
def test_what_does_not_hold_is_told_with_its_remedy(sick: Sick) -> None:
    check_told(sick)
