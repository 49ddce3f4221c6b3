"""What the tests of the tray get."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.needs import need
from support.showing import watcher


@pytest.fixture(autouse=True)
def _needed() -> None:
    need("dbus-daemon")


@pytest.fixture
def address() -> Iterator[str]:
    """Of a bus for one test. Tests that ask for it have made sure that there is dbus-fast, which a Mac has not."""
    from bench.panel import bus  # noqa: PLC0415

    with bus() as found:
        yield found


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A state folder with a watcher that is well, and no notifications on the desktop of whoever runs this."""
    with watcher(tmp_path / "state"):
        (tmp_path / "state" / "config.toml").write_text("[notify]\nenabled = false\n")
        yield tmp_path / "state"
