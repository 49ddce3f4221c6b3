"""Notifications by a real notification server, dunst, on a screen that nobody sees."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.needs import need
from support.noticing import ASKS, WORKS, Person
from support.patience import until
from support.showing import environ
from tools.pictures.screen import Screen

pytest.importorskip("dbus_fast", reason="NOTIFICATIONS WERE NOT TESTED ON A BUS: pip install dbus-fast")

PROGRAMS = ("dbus-daemon", "Xvfb", "dunst", "dunstctl", "import")
# Nothing of whoever runs this; colours to find it by.
LOOK = """
[global]
    frame_color = "#ff00aa"
    enable_recursive_icon_lookup = false
"""


class Dunst:
    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def ctl(self, *words: str) -> str:
        argv = ["dunstctl", *words]
        done = subprocess.run(argv, env=self.screen.env, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def counts(self) -> tuple[int, int]:
        """How many it shows, and how many it holds back."""
        return int(self.ctl("count", "displayed")), int(self.ctl("count", "waiting"))

    def until(self, displayed: int, waiting: int = 0) -> None:
        until(lambda: self.counts() == (displayed, waiting), lambda: f"{displayed}, {waiting}: {self.counts()}")


@pytest.fixture
def dunst(tmp_path: Path, address: str) -> Iterator[Dunst]:
    """The only one: a bus that starts servers by itself would start another when it is asked for the first time."""
    need(*PROGRAMS)
    desk = tmp_path / "desk"
    desk.mkdir()
    (desk / "dunstrc").write_text(LOOK)
    env = environ(tmp_path / "state", HOME=str(desk), XDG_RUNTIME_DIR=str(desk))
    with Screen(desk, env, (900, 330)) as screen:
        screen.env["DBUS_SESSION_BUS_ADDRESS"] = address
        server = screen.start("dunst", "-conf", str(desk / "dunstrc"))
        made = Dunst(screen)
        until(lambda: _answers(made), "dunst")
        yield made
        server.terminate()
        server.wait()


def _answers(dunst: Dunst) -> bool:
    try:
        return dunst.counts() == (0, 0)
    except subprocess.CalledProcessError:
        return False


def test_a_real_server_shows_it_and_a_click_goes_to_the_terminal(dunst: Dunst, tmp_path: Path) -> None:
    person = Person(tmp_path / "state", dunst.screen.env["DBUS_SESSION_BUS_ADDRESS"])
    with person.notifier:
        person.look(ASKS._replace(agents=(ASKS.agents[0]._replace(detail="Bash: <b>& “x”"),)))
        dunst.until(displayed=1)
        dunst.screen.find((0xFF, 0x00, 0xAA))
        dunst.ctl("action")
        person.hear(person.went)
        assert person.went == ["a"]
        dunst.until(displayed=0)
    assert "Bash: &lt;b&gt;&amp; “x”" in dunst.ctl("history")


def test_what_is_answered_is_withdrawn_also_while_the_person_is_not_to_be_disturbed(
    dunst: Dunst, tmp_path: Path
) -> None:
    person = Person(tmp_path / "state", dunst.screen.env["DBUS_SESSION_BUS_ADDRESS"])
    with person.notifier:
        person.look(ASKS)
        dunst.until(displayed=1)
        person.look(WORKS)
        dunst.until(displayed=0)
        dunst.ctl("set-paused", "true")
        person.look(ASKS._replace(session_id="b", cwd="/p/b"))
        dunst.until(displayed=0, waiting=1)
        person.look(WORKS)
        dunst.until(displayed=0, waiting=0)
    assert person.told == []
