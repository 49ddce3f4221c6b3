"""What is remembered of an installation, also by older versions."""

from __future__ import annotations

import json

import pytest

from installer import record
from installer.record import Installed, Record


def test_a_record_comes_back_as_it_was() -> None:
    known = Record({"/h/.codex/hooks.json": Installed("d", "codex", absent=True, made=("/h/.codex",), backups=("/b",))})
    assert record.decode(record.encode(known)) == known


def test_an_older_record_is_of_claude_code_and_knows_one_folder() -> None:
    old = {"v": 1, "files": {"/h/.claude/settings.json": {"wrote": "d", "absent": True, "made_folder": True}}}
    wanted = Installed("d", "claude", absent=True, made=("/h/.claude",))
    assert record.decode(json.dumps(old).encode()) == Record({"/h/.claude/settings.json": wanted})


@pytest.mark.parametrize("raw", [{"made": 1}, {"backups": None}, []])
def test_a_garbled_record_is_none(raw: object) -> None:
    files = {"/f": {"wrote": "d", **raw} if isinstance(raw, dict) else raw}
    assert record.decode(json.dumps({"v": 1, "files": files}).encode()) == Record()
