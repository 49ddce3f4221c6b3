"""What the tests of notifications share."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.needs import need
from support.noticing import Person
from support.project import PROJECT

ALONE = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
  </policy>
</busconfig>
"""


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


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Of a bus that starts no server by itself, whatever is installed here."""
    from bench.panel import bus  # noqa: PLC0415 - needs dbus-fast, which not everybody has

    need("dbus-daemon")
    (tmp_path / "bus.conf").write_text(ALONE)
    with bus(config=str(tmp_path / "bus.conf")) as found:
        yield found


@pytest.fixture
def person(tmp_path: Path, address: str) -> Iterator[Person]:
    made = Person(tmp_path, address)
    with made.notifier:
        yield made
