"""The watcher as an agent of launchd, against a fake launchctl: no Mac was at hand."""

from __future__ import annotations

import os
import plistlib
import pwd
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from installer.place import Wish
from installer.services import launchd, manager
from support.managers import FakeManager, talk

if TYPE_CHECKING:
    from support.installing import Person


@pytest.fixture
def mac(person: Person, monkeypatch: pytest.MonkeyPatch) -> tuple[FakeManager, dict[str, str]]:
    """The environment of somebody at the screen of a Mac, and its launchctl."""
    fake = FakeManager.launchd(person.root / "fake")
    monkeypatch.setattr(pwd, "getpwuid", lambda _uid: SimpleNamespace(pw_dir=str(person.root)))
    return fake, person.environ | {"PATH": fake.path}


AGENT = f"gui/{os.getuid()}/{launchd.LABEL}"


def test_launchd_loads_the_agent_once(mac: tuple[FakeManager, dict[str, str]], person: Person) -> None:
    fake, environ = mac
    yes = Wish(now=0.0, yes=True)
    code, said = talk(manager.look(environ, "darwin"), environ, yes)
    path = launchd.path(environ)
    assert (code, f"now runs as a launchd service ({path})" in said) == (0, True)
    assert fake.told() == [f"bootout {AGENT}", f"enable {AGENT}", f"bootstrap gui/{os.getuid()} {path}"]
    assert plistlib.loads(Path(path).read_bytes())["StandardErrorPath"] == f"{person.state}/watcher.err"
    assert (person.state / "watcher.err").stat().st_mode & 0o777 == 0o600
    code, said = talk(manager.look(environ, "darwin"), environ, yes)
    assert (code, "already" in said, fake.told()) == (0, True, [])


def test_launchd_may_need_a_while_before_it_loads_again(mac: tuple[FakeManager, dict[str, str]]) -> None:
    fake, environ = mac
    fake.answers(settling="1\n2\n")
    assert talk(manager.look(environ, "darwin"), environ, Wish(now=0.0, yes=True))[0] == 0
    assert [line.split()[0] for line in fake.told()] == ["bootout", "enable", "bootstrap", "bootstrap", "bootstrap"]


def test_launchd_that_never_loads_it_is_quoted(
    mac: tuple[FakeManager, dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake, environ = mac
    monkeypatch.setattr(launchd, "SETTLING_S", 0.3)
    fake.answers(fails_bootstrap="Bootstrap failed: 5: Input/output error\n")
    code, said = talk(manager.look(environ, "darwin"), environ, Wish(now=0.0, yes=True))
    assert (code, "failed: Bootstrap failed: 5: Input/output error." in said) == (1, True)
    assert "hooks are installed anyway" in said


def test_launchd_lets_go_of_the_agent(mac: tuple[FakeManager, dict[str, str]]) -> None:
    fake, environ = mac
    talk(manager.look(environ, "darwin"), environ, Wish(now=0.0, yes=True))
    fake.told()
    manager.remove(manager.look(environ, "darwin"))
    path = Path(launchd.path(environ))
    assert (fake.told(), path.exists(), path.parent.exists()) == ([f"bootout {AGENT}"], False, True)


def test_an_agent_that_is_not_loaded_is_removed_too(mac: tuple[FakeManager, dict[str, str]]) -> None:
    fake, environ = mac
    talk(manager.look(environ, "darwin"), environ, Wish(now=0.0, yes=True))
    (fake.folder / "now").unlink()
    manager.remove(manager.look(environ, "darwin"))
    assert not Path(launchd.path(environ)).exists()


def test_launchd_serves_only_who_is_logged_in_at_the_screen(mac: tuple[FakeManager, dict[str, str]]) -> None:
    fake, environ = mac
    assert manager.look(environ, "darwin").missing is None
    fake.answers(fails_print="Could not find domain for user gui: 501")
    assert "not logged in at the screen" in (manager.look(environ, "darwin").missing or "")


def test_launchd_serves_only_ones_own_home(mac: tuple[FakeManager, dict[str, str]]) -> None:
    _, environ = mac
    assert "not /elsewhere" in (manager.look(environ | {"HOME": "/elsewhere"}, "darwin").missing or "")
