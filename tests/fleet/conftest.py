"""What the tests of other machines get."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.collecting import Here

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Here]:
    """This machine, with a state folder that is empty."""
    with Here(tmp_path / "here") as made:
        yield made
