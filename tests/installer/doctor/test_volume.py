"""What doctor says about the file system."""

from __future__ import annotations

import pytest

from installer.doctor.volume import Volume
from support.diagnosing import Sick, check_told

SICK: dict[str, Sick] = {
    "a disk that is full": (
        "file system",
        "FAIL",
        {"volume": Volume(free=4096)},
        "full: 4 KB are free for /s,",
        "Free some space",
    ),
    "a disk that is read-only": (
        "file system",
        "FAIL",
        {"volume": Volume(is_read_only=True)},
        "/s is mounted read-only",
        "YOURTURN_HOME",
    ),
    "no flock": (
        "file system",
        "FAIL",
        {"volume": Volume(free=1 << 30, has_flock=False, kind="nfs4")},
        "nfs4 does not support flock",
        "local disk",
    ),
    "a network": (
        "file system",
        "warn",
        {"volume": Volume(free=1 << 30, kind="fuse.sshfs")},
        "on a network file system (fuse.sshfs)",
        "local disk",
    ),
}


@pytest.mark.parametrize("sick", SICK.values(), ids=SICK)
def test_what_does_not_hold_is_told_with_its_remedy(sick: Sick) -> None:
    check_told(sick)
