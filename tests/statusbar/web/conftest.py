"""What the tests of the page get."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.serving import Serving, serving
from support.showing import put, watcher


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A state folder with a watcher that is well."""
    put(tmp_path / "state")
    with watcher(tmp_path / "state"):
        yield tmp_path / "state"


@pytest.fixture
def web(home: Path) -> Iterator[Serving]:
    with serving(home) as made:
        yield made
