"""What the tests of the menubar get."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.showing import watcher


@pytest.fixture(autouse=True)
def _clean_desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    from support import menubars  # noqa: PLC0415 - there is no rumps where these tests are skipped

    menubars.clean(monkeypatch)
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    with watcher(tmp_path / "state"):
        yield tmp_path / "state"
