"""What the tests of followed files get."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.tailing import System, never
from watcher.clients.claude.transcript import gist
from watcher.files.tail import Tail

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


@pytest.fixture
def tail(path: Path) -> Tail:
    return Tail(str(path), never, gist)


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> System:
    stand_in = System()
    for module in ("watcher.files.tail", "contract.transcript_file"):
        monkeypatch.setattr(f"{module}.os", stand_in)
    return stand_in
