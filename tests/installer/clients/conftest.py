"""What the tests of the other clients' files get."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.installing import Person
from support.other_clients import OTHERS, User

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(params=OTHERS)
def user(request: pytest.FixtureRequest, tmp_path: Path) -> User:
    return User(Person(tmp_path), request.param)
