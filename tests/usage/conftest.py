"""What the tests of counting get."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.spending import Person

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)
