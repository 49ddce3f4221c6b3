"""What the tests of answers get."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.asking import Asking

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[Asking]:
    with Asking(tmp_path) as made:
        yield made
