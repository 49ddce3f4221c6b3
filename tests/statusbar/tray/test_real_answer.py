"""A request is answered in the menu of the tray, in a real panel, with the keys of a person."""

from pathlib import Path

import pytest

from contract import paths, store
from contract.status import NEEDS_APPROVAL
from statusbar.text.symbols import COLOURS
from support.asking import Asking, decision
from support.builders import SESSION
from support.needs import need
from support.project import PROJECT
from support.showing import just_now, put, watcher

pytest.importorskip("dbus_fast", reason="THE TRAY WAS NOT TESTED: pip install dbus-fast (Linux only)")

from support.trays import TRAY
from support.xfce import PROGRAMS, Desktop

# It never looks of its own accord: whatever it shows later, an event has told it.
AT_REST = [*TRAY[:2], f"from statusbar.model import live; live.POLL_S = live.SELDOM_S = 1e6; {TRAY[2]}"]


@pytest.mark.parametrize(("downs", "behavior"), [(0, "deny"), (1, "allow")])
def test_what_the_menu_shows_is_answered_there(tmp_path: Path, downs: int, behavior: str) -> None:
    need(*PROGRAMS)
    (tmp_path / "desk").mkdir()
    with Asking(tmp_path) as client, watcher(tmp_path / "state"):
        (tmp_path / "state" / "config.toml").write_text("[notify]\nenabled = false\n")
        put(tmp_path / "state", just_now(SESSION, NEEDS_APPROVAL, pid=None))
        hook = client.hook()
        client.open()
        with Desktop(tmp_path / "desk", tmp_path / "state") as desktop:
            desktop.start(*TRAY, PYTHONPATH=str(PROJECT))
            x, y = desktop.find(COLOURS["red"])
            desktop.opens("mousemove", str(x), str(y), "click", "1")
            for key in ("Down", "Right"):  # to the session, and into its menu: the first that can be chosen is Deny
                desktop.opens("key", key)
            for _ in range(downs):
                desktop.opens("key", "Down")
            desktop.do("key", "Return")
            assert decision(hook)["behavior"] == behavior


def test_a_request_is_in_the_open_menu_of_a_tray_at_rest(tmp_path: Path) -> None:
    need(*PROGRAMS)
    (tmp_path / "desk").mkdir()
    with Asking(tmp_path) as client, watcher(tmp_path / "state"):
        store.private_folder(paths.open_dir(client.home))  # as `install --answers` does
        (tmp_path / "state" / "config.toml").write_text("[notify]\nenabled = false\n")
        put(tmp_path / "state", just_now(SESSION, NEEDS_APPROVAL, pid=None))
        with Desktop(tmp_path / "desk", tmp_path / "state") as desktop:
            desktop.start(*AT_REST, PYTHONPATH=str(PROJECT))
            x, y = desktop.find(COLOURS["red"])
            icon = ("mousemove", str(x), str(y), "click", "1")
            desktop.opens(*icon)
            for key in ("Down", "Right"):
                desktop.opens("key", key)
            hooks = []
            desktop.changes(lambda: hooks.append(client.hook()), "the request, while nobody does anything")
            desktop.opens("key", "Escape")
            desktop.opens(*icon)
            for key in ("Down", "Right"):
                desktop.opens("key", key)
            desktop.do("key", "Return")
            assert decision(hooks[0])["behavior"] == "deny"
