"""What the tests of other machines get."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.brokers import OPEN, Broker
from support.collecting import Here
from support.fleets import Box, Desk, watched

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Here]:
    """This machine, with a state folder that is empty."""
    with Here(tmp_path / "here") as made:
        yield made


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """One that lets everybody in."""
    with Broker(tmp_path / "broker", OPEN) as made:
        yield made


@pytest.fixture
def box(tmp_path: Path, broker: Broker) -> Iterator[Box]:
    """A machine that can share with it."""
    made = Box(tmp_path / "box", broker)
    with watched(made):
        yield made


@pytest.fixture
def desk(tmp_path: Path, broker: Broker) -> Desk:
    """A machine that can show what is shared with it."""
    return Desk(tmp_path / "desk", broker)
