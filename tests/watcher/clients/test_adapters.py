"""Each client's adapter answers all that `watcher.clients.base` asks, as the type checker sees in its own file, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from watcher.clients import CLIENTS, adapters
from watcher.clients.base import Adapter, Folder, Transcripts
from watcher.clients.hooks_only import UNKNOWN

if TYPE_CHECKING:
    from pathlib import Path

ALL = tuple(adapters().values())


def asked(protocol: type) -> set[str]:
    return {name for name in (*vars(protocol), *protocol.__annotations__) if not name.startswith("_")}


def test_every_client_is_here() -> None:
    assert {adapter.name for adapter in ALL} == set(CLIENTS) == set(adapters())


@pytest.mark.parametrize("adapter", [*ALL, UNKNOWN], ids=lambda one: one.name)
def test_an_adapter_answers_all_that_is_asked(adapter: Adapter, tmp_path: Path) -> None:
    from processes.table import Probe  # noqa: PLC0415 - as the watcher has one
    from watcher.clock import Clock  # noqa: PLC0415

    assert asked(Adapter) > {"commands", "asks_first", "origin"}, "looked at nothing"
    made = {
        Adapter: adapter,
        Folder: adapter.open(str(tmp_path), Probe(), Clock()),
        Transcripts: adapter.follow("s", str(tmp_path), str(tmp_path / "s.jsonl"), None),
    }
    for protocol, one in made.items():
        assert [name for name in sorted(asked(protocol)) if not hasattr(one, name)] == []
