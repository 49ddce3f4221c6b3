"""A transcript that is made up tells what it was made of, in every client's way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from conversations import clients
from conversations.glimpse import Glimpse
from conversations.reader import read

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = Glimpse("A title", "It is done.", "Which one?", "some-model", 4711, None, "main", "hotfix")


@pytest.mark.parametrize("client", [name for name in clients.CLIENTS if clients.writer(name)])
@pytest.mark.parametrize("glimpse", [WHOLE, WHOLE.without_words, Glimpse(model="some-model")])
def test_what_was_written_is_read(client: str, glimpse: Glimpse, tmp_path: Path) -> None:
    written = clients.writer(client)
    assert written is not None
    path = tmp_path / "made-up.jsonl"
    path.write_bytes(written(glimpse))
    assert read(client, str(path)) == glimpse
