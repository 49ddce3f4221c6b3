"""The rollouts of one session, followed: the main agent's, and those of its sub-agents by their names."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from watcher.clients.codex.rollouts import Rollouts, find_rollout
from watcher.clock import Clock

if TYPE_CHECKING:
    from pathlib import Path

MAIN, KID = "01a1e3a0-2c9a-7c53-9e94-595ba48e7c92", "01a1e3a0-30d6-7b91-a9a4-113e4f22b2fa"


def rollout(home: Path, thread: str, day: str = "2026/11/16") -> Path:
    folder = home / "sessions" / day
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"rollout-2026-11-16T09-11-28-{thread}.jsonl"


def write(path: Path, kind: str, **more: Any) -> None:
    stamp = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    line = {"timestamp": stamp, "ordinal": 1, "type": "event_msg", "payload": {"type": kind, **more}}
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")


def looked(followed: Rollouts, live: set[str] | None) -> None:
    clock = Clock()
    followed.look(clock.tick(), clock, live)


def test_a_turn_is_followed_to_its_end(tmp_path: Path) -> None:
    path = rollout(tmp_path, MAIN)
    write(path, "task_started")
    followed = Rollouts(str(tmp_path), str(path))
    looked(followed, {"main"})
    assert followed.main.turn.open
    assert followed.is_unchanged(0.0, {"main"})
    write(path, "task_complete", error={"codex_error_info": "internal_server_error"})
    assert not followed.is_unchanged(0.0, {"main"})
    looked(followed, {"main"})
    assert (followed.main.turn.how, followed.main.turn.error) == ("error", "server error")
    assert followed.files == {str(path)}


@pytest.mark.parametrize("day", ["2026/11/16", "2026/11/17", "2025/01/01"])
def test_a_sub_agent_that_failed_is_over_by_its_own_rollout(tmp_path: Path, day: str) -> None:
    main, kid = rollout(tmp_path, MAIN), rollout(tmp_path, KID, day)
    write(main, "task_started")
    write(kid, "task_started")
    followed = Rollouts(str(tmp_path), str(main))
    looked(followed, {"main", KID})
    assert followed.turns[KID].open
    assert not followed.metas[KID].over
    write(kid, "task_complete", error={})
    looked(followed, {"main", KID})
    assert followed.metas[KID].over
    assert followed.files == {str(main), str(kid)}


def test_a_sub_agent_that_nobody_knows_to_live_is_not_followed(tmp_path: Path) -> None:
    write(rollout(tmp_path, KID), "task_started")
    followed = Rollouts(str(tmp_path), str(rollout(tmp_path, MAIN)))
    looked(followed, None)
    assert (followed.turns, followed.metas) == ({}, {})


@pytest.mark.parametrize("name", ["", "main", "..", "../../x", "x" * 36, f"{KID}/..", KID.upper(), f"{KID}\n"])
def test_no_other_name_is_looked_for(tmp_path: Path, name: str) -> None:
    write(rollout(tmp_path, KID), "task_started")
    assert find_rollout(str(tmp_path / "sessions"), name) == ""


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    path = rollout(tmp_path, MAIN)
    os.mkfifo(path)
    followed = Rollouts(str(tmp_path), str(path))
    looked(followed, {"main"})
    assert followed.turns == {}
