"""What tests of this room get."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.batches import Batch
from support.spawning import Bureau
from support.staged_clients import Stage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with Stage(tmp_path) as stage:
        yield stage


@pytest.fixture
def bureau(tmp_path: Path) -> Iterator[Bureau]:
    with Bureau(tmp_path) as bureau:
        yield bureau


@pytest.fixture
def batch(tmp_path: Path) -> Iterator[Batch]:
    with Batch(tmp_path) as batch:
        yield batch
