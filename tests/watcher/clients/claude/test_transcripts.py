"""Where the transcript of a session is found, and how long those of its sub-agents are followed."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from support.transcript_lines import NOON, prompt
from watcher.clients.claude.transcripts import Following, find_transcript
from watcher.clients.followed import WOKEN_S
from watcher.clock import Clock

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def projects(tmp_path: Path) -> Path:
    for name in ("-home-me-proj", "-home-me-proj--claude-worktrees-a", "[odd]*"):
        (tmp_path / "projects" / name).mkdir(parents=True)
    return tmp_path / "projects"


def test_a_transcript_that_moved_into_a_worktrees_folder_is_found_again(projects: Path) -> None:
    moved = projects / "-home-me-proj--claude-worktrees-a" / "s1.jsonl"
    moved.write_bytes(b"one\n")
    assert find_transcript(str(projects.parent), "s1") == str(moved)


def test_of_two_transcripts_the_one_written_last_is_found(projects: Path) -> None:
    old, new = projects / "-home-me-proj" / "s1.jsonl", projects / "[odd]*" / "s1.jsonl"
    for file, at in ((new, 2000), (old, 1000)):
        file.write_bytes(b"one\n")
        os.utime(file, (at, at))
    assert find_transcript(str(projects.parent), "s1") == str(new)


def test_no_session_id_leads_out_of_the_projects(projects: Path) -> None:
    (projects.parent / "secret.jsonl").write_bytes(b"x\n")
    for name in ("../../secret", "..", "", "*", "s\0", "-home-me-proj/s1", "s" * 300):
        assert find_transcript(str(projects.parent), name) is None


def test_a_folder_or_a_missing_file_is_no_transcript(projects: Path, tmp_path: Path) -> None:
    assert find_transcript(str(projects.parent), "s1") is None
    (projects / "-home-me-proj" / "s1.jsonl").mkdir()
    assert find_transcript(str(projects.parent), "s1") is None
    shutil.rmtree(projects)
    assert find_transcript(str(tmp_path), "s1") is None
    assert find_transcript("nul\0byte", "s1") is None


def test_who_has_just_ended_is_followed_for_its_last_words_and_so_is_who_started_it(projects: Path) -> None:
    """It was silent for long while its command ran; without hooks its last words, and the news of it, are to come."""
    path, clock = projects / "-home-me-proj" / "s1.jsonl", Clock()
    clock.offset = NOON
    below = path.with_suffix("") / "subagents"
    below.mkdir(parents=True)

    def note(agent: str, **more: object) -> None:
        (below / f"agent-{agent}.meta.json").write_text(json.dumps({"agentType": "x", **more}))

    for agent in ("a1", "a2"):
        (below / f"agent-{agent}.jsonl").write_bytes(prompt(at=11.0, isSidechain=True) + b"\n")
    note("a1", finished=True)
    note("a2", parentAgentId="a1")
    following = Following("s1", str(projects.parent), str(path))
    following.look(20.0, clock, None)
    following.look(60.0, clock, None)
    assert set(following.turns) == {"a1", "a2"}
    note("a2", parentAgentId="a1", finished=True)
    following.look(60.1, clock, None)
    assert set(following.turns) == {"a1", "a2"}
    following.look(60.1 + WOKEN_S, clock, None)
    assert set(following.turns) == set()
