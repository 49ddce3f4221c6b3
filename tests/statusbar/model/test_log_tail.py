"""The last lines of the watcher's log, for a person."""

import json
import os
from pathlib import Path

import pytest

from statusbar.model import log_tail
from support.showing import (
    NOW,
)


def test_no_log_is_said_in_words(tmp_path: Path) -> None:
    assert log_tail.tail(str(tmp_path / "none")) == [log_tail.NONE]
    (tmp_path / "empty").touch()
    assert log_tail.tail(str(tmp_path / "empty")) == [log_tail.NONE]
    os.mkfifo(tmp_path / "pipe")
    assert log_tail.tail(str(tmp_path / "pipe")) == [log_tail.NONE]


def test_the_end_of_a_long_log_is_shown_without_half_a_line(tmp_path: Path) -> None:
    lines = [json.dumps({"v": 1, "at": NOW, "agent": f"a{k}", "state": "joined", "note": ""}) for k in range(5000)]
    (tmp_path / "log").write_text("\n".join(lines) + "\n")
    found = log_tail.tail(str(tmp_path / "log"))
    assert 100 < len(found) < 2000
    assert all("  agent a" in line for line in found)
    assert found[-1].endswith("  agent a4999, state joined")


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\x1b[31m",
        b"[" * 9999,
        b'{"at": "x\\u001b"}',
        b'{"at": NaN}',
        b'{"at": 1e300, "kind": "started"}',
        b'{"at": 1e300}',
        b"7",
    ],
)
def test_no_line_of_a_log_can_break_the_screen(line: bytes, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(line + b"\n")
    (found,) = log_tail.tail(str(tmp_path / "log"))
    assert found.isprintable()
    assert len(found) <= 330


def test_how_a_session_stands_is_for_programs_and_left_out(tmp_path: Path) -> None:
    lines = [
        {"v": 1, "at": NOW, "kind": "session", "session": "s", "agent": "", "by": "turn-open", "to": "working"},
        {"v": 1, "at": NOW, "kind": "watching", "session": "", "agent": "", "by": "start", "since": 0.0},
    ]
    (tmp_path / "log").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (only,) = log_tail.tail(str(tmp_path / "log"))
    assert only.endswith("watcher  watches  [start]")
