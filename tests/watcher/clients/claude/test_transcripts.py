"""Where the transcript of a session is found."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from watcher.clients.claude.transcripts import find_transcript

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
