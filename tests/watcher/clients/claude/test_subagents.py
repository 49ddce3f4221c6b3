"""A session's sub-agents as they lie beside its transcript."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from support.transcript_lines import TRANSCRIPTS
from watcher.clients.base import Meta
from watcher.clients.claude.subagents import DEEPEST, META_LIMIT, SubAgent, Subagents, read_meta

if TYPE_CHECKING:
    from pathlib import Path

LONG_AGO, NOW = 1000.0, 5000.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "s1" / "subagents"


@pytest.fixture
def subagents(tmp_path: Path) -> Subagents:
    return Subagents(str(tmp_path / "s1.jsonl"))


def add(folder: Path, agent_id: str, **meta: Any) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"agent-{agent_id}.jsonl").write_bytes(b"{}\n")
    if meta:
        (folder / f"agent-{agent_id}.meta.json").write_text(json.dumps(meta))
    settle(folder)


def settle(folder: Path) -> None:
    """As if the last change lay long ago."""
    os.utime(folder, (LONG_AGO, LONG_AGO))


def ids(found: tuple[SubAgent, ...]) -> list[str]:
    return [agent.agent_id for agent in found]


def test_recorded_sub_agents_are_listed_with_what_is_known_of_them() -> None:
    session = TRANSCRIPTS / "sub_agents_in_the_background"
    one = SubAgent(
        "a5fcb0dc687776b20",
        f"{session}/subagents/agent-a5fcb0dc687776b20.jsonl",
        Meta("general-purpose", "toolu_e0c0b4d403264d65ba63e5b3", over=True),
    )
    found = Subagents(f"{session}.jsonl").look(NOW)
    assert found[0] == one
    assert ids(found) == ["a5fcb0dc687776b20", "aa5fb3115e8bd99c2"]


def test_a_recorded_sub_agent_stopped_by_the_user_is_over() -> None:
    (agent,) = Subagents(str(TRANSCRIPTS / "sub_agents_stopped_by_the_user.jsonl")).look(NOW)
    assert agent.meta.over


def test_a_session_without_sub_agents_has_none_until_one_comes(folder: Path, subagents: Subagents) -> None:
    assert subagents.look(NOW) == ()
    add(folder, "a1")
    assert ids(subagents.look(NOW)) == ["a1"]


def test_the_note_on_a_sub_agent_may_come_before_its_transcript(folder: Path, subagents: Subagents) -> None:
    folder.mkdir(parents=True)
    (folder / "agent-a1.meta.json").write_text(json.dumps({"parentAgentId": "a0"}))
    (agent,) = subagents.look(NOW)
    assert (agent.agent_id, agent.meta.parent, agent.is_written) == ("a1", "a0", False)
    add(folder, "a1")
    (agent,) = subagents.look(NOW)
    assert (agent.path, agent.is_written) == (str(folder / "agent-a1.jsonl"), True)


def test_the_sub_agents_of_a_workflow_lie_deeper(folder: Path, subagents: Subagents) -> None:
    add(folder, "a1")
    add(folder / "workflows" / "run1", "w1", agentType="Explore")
    found = subagents.look(NOW)
    assert ids(found) == ["a1", "w1"]
    assert found[1].path == str(folder / "workflows" / "run1" / "agent-w1.jsonl")
    assert found[1].meta.type == "Explore"


def test_what_lies_too_deep_is_not_looked_for(folder: Path, subagents: Subagents) -> None:
    add(folder.joinpath(*"abc"[:DEEPEST]), "deep")
    add(folder.joinpath(*"abcd"[: DEEPEST + 1]), "deeper")
    assert ids(subagents.look(NOW)) == ["deep"]


def test_only_transcripts_of_agents_are_listed(folder: Path, subagents: Subagents) -> None:
    add(folder, "a1", agentType="Explore")
    for name in ("notes.jsonl", "agent-.jsonl", "agent-a b.jsonl", "agent-a2.jsonl.tmp", "agent-a3.json"):
        (folder / name).write_bytes(b"{}\n")
    (folder / "agent-folder.jsonl").mkdir()
    os.mkfifo(folder / "agent-fifo.jsonl")
    assert ids(subagents.look(NOW)) == ["a1"]


def test_a_link_to_a_folder_is_not_followed(folder: Path, subagents: Subagents, tmp_path: Path) -> None:
    add(tmp_path / "elsewhere", "stranger")
    add(folder, "a1")
    (folder / "link").symlink_to(tmp_path / "elsewhere")
    (folder / "loop").symlink_to(folder)
    assert ids(subagents.look(NOW)) == ["a1"]


def test_unchanged_folders_cost_one_stat_each(
    folder: Path, subagents: Subagents, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(folder / "workflows" / "run1", "w1", agentType="Explore")
    add(folder, "a1", agentType="Explore")
    for one in (folder / "workflows", folder):
        settle(one)
    first = subagents.look(NOW)
    stats: list[str] = []

    class Stats:
        def stat(self, path: str) -> os.stat_result:
            stats.append(path)
            return os.stat(path)

    monkeypatch.setattr("watcher.clients.claude.subagents.os", Stats())
    assert subagents.look(NOW + 1) is first
    assert sorted(stats) == [str(folder), str(folder / "workflows"), str(folder / "workflows" / "run1")]


def test_a_new_sub_agent_in_any_folder_is_seen(folder: Path, subagents: Subagents) -> None:
    add(folder / "workflows" / "run1", "w1")
    add(folder, "a1")
    subagents.look(NOW)
    (folder / "workflows" / "run1" / "agent-w2.jsonl").write_bytes(b"{}\n")
    assert ids(subagents.look(NOW + 1)) == ["a1", "w1", "w2"]


def test_a_change_in_the_same_tick_of_the_clock_as_the_last_look_is_not_missed(
    folder: Path, subagents: Subagents
) -> None:
    add(folder, "a1")
    assert ids(subagents.look(LONG_AGO + 1)) == ["a1"]
    add(folder, "a2")
    assert ids(subagents.look(LONG_AGO + 1)) == ["a1", "a2"]


def test_a_sub_agent_that_finishes_is_over_and_one_that_is_woken_is_not(folder: Path, subagents: Subagents) -> None:
    add(folder, "a1", agentType="Explore")
    seen = [subagents.look(NOW)[0].meta.over]
    for state in ({"finished": True}, {"stoppedByUser": True}, {}):
        replaced = folder / "new"
        replaced.write_text(json.dumps({"agentType": "Explore", **state}))
        replaced.replace(folder / "agent-a1.meta.json")
        seen.append(subagents.look(NOW)[0].meta.over)
    assert seen == [False, True, True, False]


def test_a_meta_file_that_comes_after_the_transcript_is_read(folder: Path, subagents: Subagents) -> None:
    add(folder, "a1")
    assert subagents.look(NOW)[0].meta == Meta()
    (folder / "agent-a1.meta.json").write_text('{"agentType": "Explore"}')
    assert subagents.look(NOW + 1)[0].meta == Meta("Explore")


def test_a_session_that_loses_its_folder_has_no_sub_agents(folder: Path, subagents: Subagents) -> None:
    add(folder, "a1")
    subagents.look(NOW)
    folder.rename(folder.with_name("gone"))
    assert subagents.look(NOW + 1) == ()


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b"5",
        b"[" * 100_000,
        b'{"agentType": 5, "description": ["x"], "toolUseId": {}, "spawnDepth": "1", "finished": 1}',
        b'{"spawnDepth": true, "agentType": null}',
        b'{"agentType": "' + b"x" * META_LIMIT + b'"}',
    ],
)
def test_a_meta_file_of_garbage_tells_nothing(tmp_path: Path, raw: bytes) -> None:
    file = tmp_path / "agent-a1.meta.json"
    file.write_bytes(raw)
    assert read_meta(str(file)) == Meta()


def test_what_a_meta_file_tells_is_short_and_without_control_characters(tmp_path: Path) -> None:
    file = tmp_path / "agent-a1.meta.json"
    file.write_text(
        json.dumps({"agentType": "x\x1b[31m\u202ey" * 99, "parentAgentId": "one\ntwo\ud800", "toolUseId": "t" * 999})
    )
    meta = read_meta(str(file))
    assert meta.parent == "one two"
    assert all(text.isprintable() for text in (meta.type, meta.call_id, meta.parent))
    assert [len(text) for text in (meta.type, meta.call_id)] == [80, 128]


def test_a_note_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "4711.key").write_text('{"agentType": "secret"}')
    (tmp_path / "agent-a.meta.json").symlink_to(tmp_path / "4711.key")
    assert read_meta(str(tmp_path / "agent-a.meta.json")) == Meta()


def test_a_fifo_in_the_place_of_a_meta_file_never_blocks(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "meta")
    assert read_meta(str(tmp_path / "meta")) == Meta()
    assert read_meta(str(tmp_path / "missing")) == Meta()
    assert read_meta(str(tmp_path)) == Meta()
