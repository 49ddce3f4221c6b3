"""What the tests of notifications share."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.project import PROJECT


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for programs of the test's own; nothing else of the desktop is on PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "env", "cat", "ps"):
        found = next(Path(one, name) for one in os.environ["PATH"].split(":") if Path(one, name).exists())
        (folder / name).symlink_to(found)
    monkeypatch.setenv("PATH", str(folder))
    yield folder
    assert not list(PROJECT.glob("x"))
