"""Gemini CLI's transcripts, followed: what ended a turn, and which calls of sub-agents are over."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from watcher.clients.gemini.transcripts import Following
from watcher.clock import BOOT, Clock
from watcher.files.allowance import Allowance, Share
from watcher.rules.turn import Turn

if TYPE_CHECKING:
    from pathlib import Path

SESSION, KID, OTHER = "05d4346e-7f79", "03268d77-cbd6", "3f1e6074-b4bd"
RESPONSE = [{"functionResponse": {"id": "1", "name": "run_shell_command", "response": {}}}]
CANCELLED = {"type": "info", "content": "Request cancelled."}
HANDED = {"type": "user", "content": RESPONSE}
SUMMARY = {"$set": {"summary": "done"}}


class Chats:
    """A folder of transcripts that a client writes, and one who follows; times are in seconds from the beginning."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.clock = folder, Clock()
        self.begun = time.clock_gettime(BOOT)
        self.main = folder / "session-2026-11-16T12-00-05d4346e.jsonl"
        self.following = Following(SESSION, str(self.main))

    def write(self, at: float, record: dict[str, Any], path: Path | None = None) -> None:
        path = path or self.main
        path.parent.mkdir(exist_ok=True)
        wall = self.clock.wall(self.begun + at)
        stamp = datetime.fromtimestamp(wall, UTC).isoformat().replace("+00:00", "Z")
        dated = {key: stamp if value == "now" else value for key, value in record.items()}
        line = dated if "$set" in record or "startTime" in record else {"id": "x", "timestamp": stamp, **dated}
        with path.open("a") as file:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
        os.utime(path, (wall, wall))

    def kid(self, at: float, record: dict[str, Any] | None = None, name: str = KID) -> None:
        begins = {"sessionId": name, "startTime": "now", "kind": "subagent"}
        self.write(at, record or begins, self.folder / SESSION / f"{name}.jsonl")

    def look(self, at: float) -> Turn:
        self.following.look(self.begun + at, self.clock, None)
        return self.following.turns.get("main", Turn())

    def has_handed(self, began: float, now: float) -> bool:
        return self.look(now).has_handed(self.begun + began)


@pytest.fixture
def chats(tmp_path: Path) -> Chats:
    return Chats(tmp_path)


def test_of_a_turn_that_goes_on_it_tells_nothing(chats: Chats) -> None:
    chats.write(1, {"type": "user", "content": [{"text": "x"}]})
    assert chats.look(2) == Turn()
    assert chats.following.turns == {}


def test_each_end_counts_though_no_prompt_is_between(chats: Chats) -> None:
    chats.write(1, CANCELLED)
    assert chats.look(2).how == "interrupt"
    chats.write(3, {"type": "error", "content": "[API Error: x]"})
    turn = chats.look(4)
    assert turn.how == "error"
    assert turn.ended_at == pytest.approx(chats.begun + 3, abs=0.01)
    chats.write(5, CANCELLED)
    assert chats.look(6).ended_at == pytest.approx(chats.begun + 5, abs=0.01)


def test_an_old_end_is_found_at_first_sight(chats: Chats) -> None:
    chats.write(1, CANCELLED)
    for at in range(2, 50):
        chats.write(at, {"type": "gemini", "content": "x" * 10_000})
    assert chats.look(50).ended_at == pytest.approx(chats.begun + 1, abs=0.01)


def test_it_goes_on_in_the_file_that_the_client_names(chats: Chats) -> None:
    """A resumed session begins a file and writes on to the one before."""
    chats.look(1)
    before = chats.folder / "session-2026-11-16T11-00-05d4346e.jsonl"
    chats.write(2, CANCELLED, before)
    assert chats.look(3) == Turn()
    chats.following.told(str(before))
    assert chats.look(4).how == "interrupt"


def test_a_file_that_is_replaced_is_read_afresh(chats: Chats) -> None:
    chats.write(1, {"type": "gemini", "content": "x"})
    chats.look(2)
    chats.main.unlink()
    chats.write(3, CANCELLED)
    assert chats.look(4).how == "interrupt"
    chats.main.unlink()
    assert chats.look(5).how == "interrupt", "what was told stands"


def test_the_model_has_what_was_called_before(chats: Chats) -> None:
    chats.write(5, HANDED)
    assert chats.has_handed(4, now=6)
    assert not chats.has_handed(5.5, now=6)


def test_an_interruption_does_not_take_back_what_was_handed(chats: Chats) -> None:
    chats.write(5, HANDED)
    chats.look(5.5)
    chats.write(6, CANCELLED)
    assert chats.has_handed(4, now=7)


def test_a_rejected_call_of_a_sub_agent_is_over_when_it_goes_on(chats: Chats) -> None:
    chats.kid(10)
    assert not chats.has_handed(12, now=13)
    chats.kid(15, HANDED)
    assert chats.has_handed(12, now=16)
    assert not chats.has_handed(15.5, now=16)


def test_a_call_of_the_main_agent_beside_it_is_not(chats: Chats) -> None:
    chats.kid(10)
    chats.kid(15, HANDED)
    assert not chats.has_handed(9, now=16)


def test_of_two_sub_agents_nobody_knows_which_one_asks(chats: Chats) -> None:
    chats.kid(10)
    chats.kid(10, name=OTHER)
    chats.kid(15, HANDED)
    assert not chats.has_handed(12, now=16)
    chats.kid(17, HANDED, OTHER)
    assert chats.has_handed(12, now=18)
    assert not chats.has_handed(16, now=18)


def test_one_that_has_completed_its_task_holds_up_nobody(chats: Chats) -> None:
    chats.kid(10)
    chats.kid(12, HANDED)
    chats.kid(13, SUMMARY)
    assert chats.has_handed(12.5, now=14)
    chats.kid(15, name=OTHER)
    assert chats.has_handed(12.5, now=16), "what was over stays so"
    chats.kid(18, HANDED, OTHER)
    assert chats.has_handed(17, now=19)


def test_one_of_an_earlier_turn_is_not_looked_at(chats: Chats) -> None:
    chats.kid(10)
    chats.write(15, CANCELLED)
    chats.look(16)
    chats.kid(20, name=OTHER)
    chats.kid(25, HANDED, OTHER)
    assert chats.has_handed(22, now=26)


def test_one_whose_beginning_is_not_known_tells_nothing(chats: Chats) -> None:
    chats.kid(10, HANDED)
    chats.kid(10, name=OTHER)
    chats.kid(15, HANDED, OTHER)
    assert not chats.has_handed(12, now=16)


@pytest.mark.parametrize("session", ["..", "../x", "a/b", "", "s\0", "x" * 300])
def test_no_session_id_leads_out_of_the_folder(tmp_path: Path, session: str) -> None:
    chats = Chats(tmp_path)
    chats.following = Following(session, str(chats.main))
    assert chats.following.folders == {str(tmp_path)}
    assert chats.look(1) == Turn()


def test_a_link_is_no_transcript_of_a_sub_agent(chats: Chats) -> None:
    elsewhere = chats.folder / "elsewhere.jsonl"
    chats.write(10, {"sessionId": KID, "startTime": "now", "kind": "subagent"}, elsewhere)
    chats.write(15, HANDED, elsewhere)
    (chats.folder / SESSION).mkdir()
    (chats.folder / SESSION / f"{KID}.jsonl").symlink_to(elsewhere)
    assert not chats.has_handed(12, now=16)


def test_it_is_unchanged_until_something_is_written(chats: Chats) -> None:
    chats.write(1, CANCELLED)
    chats.look(2)
    assert chats.following.is_unchanged(3, None)
    assert chats.following.mark(None) is not None
    chats.kid(4)
    chats.look(5)
    assert chats.following.mark(None) is None, "one stat does not tell of two files"
    assert chats.following.is_unchanged(6, None)
    chats.kid(7, HANDED)
    assert not chats.following.is_unchanged(8, None)


def test_without_a_share_it_waits_for_its_first_sight(chats: Chats) -> None:
    chats.write(1, CANCELLED)
    allowance = Allowance()
    allowance.begin()
    allowance.spend("another", 1 << 30)
    chats.following = Following(SESSION, str(chats.main), Share(allowance, "me"))
    assert (chats.look(2), chats.following.is_unseen, allowance.waiting) == (Turn(), True, ["me"])
    allowance.begin()
    assert chats.look(3).how == "interrupt"
    assert (chats.following.is_unseen, allowance.waiting) == (False, [])
