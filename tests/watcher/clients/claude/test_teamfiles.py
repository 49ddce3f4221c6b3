"""The client's own list of teams."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from watcher.clients.base import Member
from watcher.clients.claude.teamfiles import TeamFiles, decode

LEAD = "bb2996d2-a6d9-48f6-8404-b34cb1941b75"
TEAM: dict[str, Any] = {
    "name": "session-bb2996d2",
    "leadAgentId": "team-lead@session-bb2996d2",
    "leadSessionId": LEAD,
    "members": [
        {"agentId": "team-lead@session-bb2996d2", "name": "team-lead", "tmuxPaneId": "leader"},
        {
            "agentId": "researcher@session-bb2996d2", "name": "researcher", "tmuxPaneId": "%1", "isActive": True,
            "prompt": "swordfish",
        },
        {"agentId": "mia@session-bb2996d2", "name": "mia", "tmuxPaneId": "in-process", "backendType": "in-process"},
    ],
}  # fmt: skip


def write(folder: Path, team: Any, name: str = "one") -> Path:
    (folder / name).mkdir(parents=True, exist_ok=True)
    path = folder / name / "config.json"
    path.write_text(team if isinstance(team, str) else json.dumps(team))
    return path


def test_members_are_told_without_their_lead_and_without_their_prompts() -> None:
    found = decode(json.dumps(TEAM).encode())
    assert found == (
        Member("researcher", LEAD, "session-bb2996d2", "%1", active=True),
        Member("mia", LEAD, "session-bb2996d2", "", active=False),
    )
    assert "swordfish" not in repr(found)


@pytest.mark.parametrize("junk", ["", "{", "[]", "7", '{"members": 7}', '{"members": [7, null, {}]}'])
def test_garbage_is_no_team(junk: str, tmp_path: Path) -> None:
    write(tmp_path, junk)
    assert all(member.name == "" for member in TeamFiles(str(tmp_path)).members())
    assert TeamFiles(str(tmp_path)).open_since() is None


def test_a_team_with_an_active_member_in_a_pane_is_open_until_it_changes(tmp_path: Path) -> None:
    path = write(tmp_path, TEAM)
    files = TeamFiles(str(tmp_path))
    assert files.open_since() == path.stat().st_mtime_ns / 1e9
    write(tmp_path, {**TEAM, "members": [{**m, "isActive": False} for m in TEAM["members"]]})
    assert files.open_since() is None
    write(tmp_path, TEAM)
    path.unlink()
    assert files.open_since() is None


def test_no_folder_is_no_team_and_a_fifo_hangs_nothing(tmp_path: Path) -> None:
    assert TeamFiles(str(tmp_path / "nowhere")).members() == ()
    (tmp_path / "odd").mkdir()
    os.mkfifo(tmp_path / "odd" / "config.json")
    assert TeamFiles(str(tmp_path)).members() == ()
