"""What tray and menubar share: it follows the statuses and does what was chosen."""

import math
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from queue import Queue
from typing import Self

import pytest

from contract.status import NEEDS_APPROVAL, WAITING, WORKING, SessionStatus
from statusbar.menu.controller import Controller
from statusbar.menu.model import Choice, Menu, MenuAction, every
from statusbar.model.rows import Action
from statusbar.model.snapshot import Statuses
from statusbar.notifications.notify import Notifier
from support.patience import PATIENCE_S
from support.showing import put, session, watcher


def until(menus: "Queue[Menu]", words: str) -> Menu:
    while True:
        found = menus.get(timeout=PATIENCE_S)
        if any(words in item.title for item in every(found.items)):
            return found


def test_the_follower_hands_over_each_new_menu_and_an_answer(tmp_path: Path) -> None:
    menus: Queue[Menu] = Queue()
    put(tmp_path, session("a", WORKING, since=time.time()), session("old", WAITING, since=time.time() - 3 * 86400))
    with (
        watcher(tmp_path),
        Controller(str(tmp_path), menus.put, do=lambda *_: "It is not there.") as controller,
    ):
        assert until(menus, "a-name").face == WORKING
        put(tmp_path, session("a", NEEDS_APPROVAL, since=time.time()))
        assert until(menus, "▲").face == NEEDS_APPROVAL
        controller.choose(Choice(Action.OPEN_PROJECT, "a"))
        until(menus, "It is not there.")
        controller.choose(Choice(Action.GO, "nobody"))
        until(menus, "This session has ended.")
        controller.choose(Choice(Action.UNFOLD))
        until(menus, "old-name")
        controller.choose(Choice(MenuAction.FOLD))
        assert "old-name" not in str(until(menus, "1 stale session"))


def test_who_is_taken_from_one_blocked_session_to_the_next_passes_over_those_out_of_reach(tmp_path: Path) -> None:
    menus: Queue[Menu] = Queue()
    went: Queue[str] = Queue()

    def go(_action: Action, to: SessionStatus, _agent: str) -> str:
        went.put(to.session_id)
        return "Could not go." if to.session_id == "b" else ""

    since = time.time() - 60
    put(tmp_path, *(session(id_, NEEDS_APPROVAL, since=since + k) for k, id_ in enumerate("abc")), session("d"))
    with watcher(tmp_path), Controller(str(tmp_path), menus.put, do=go) as controller:
        until(menus, "c-name")
        for stops in ("a", "bc", "a"):
            controller.choose(Choice(MenuAction.NEXT))
            assert [went.get(timeout=PATIENCE_S) for _ in stops] == list(stops)
            assert controller._going
            controller._going.join(PATIENCE_S)
        for id_ in "ac":
            (tmp_path / "status" / f"{id_}.json").unlink()
        until(menus, "1 needs you")
        controller.choose(Choice(MenuAction.NEXT))
        until(menus, "Could not go.")
    assert went.get_nowait() == "b"


def test_who_clicks_again_while_a_terminal_comes_up_is_not_led_on(tmp_path: Path) -> None:
    menus: Queue[Menu] = Queue()
    went: Queue[str] = Queue()
    there = threading.Event()

    def go(_action: Action, to: SessionStatus, _agent: str) -> str:
        went.put(to.session_id)
        there.wait(PATIENCE_S)
        return "Could not go."

    put(tmp_path, session("a", NEEDS_APPROVAL))
    with watcher(tmp_path), Controller(str(tmp_path), menus.put, do=go) as controller:
        until(menus, "a-name")
        for _ in range(3):
            controller.choose(Choice(MenuAction.NEXT))
        there.set()
        until(menus, "Could not go.")
    assert [*went.queue] == ["a"]


class Rounds(Notifier):
    """Tells when the controller has looked and, if there was a reason, handed over."""

    def __init__(self) -> None:
        self.passed: Queue[bool] = Queue()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def look(self, statuses: Statuses, now: float) -> None:
        self.passed.put(True)

    def read(self, ready: Iterable[int]) -> None:
        pass

    def descriptors(self) -> list[int]:
        return []

    def rest(self, now: float) -> float:
        return math.inf


def test_the_follower_does_not_hand_over_the_same_menu_again(tmp_path: Path) -> None:
    handed: list[Menu] = []
    rounds = Rounds()
    put(tmp_path, session("a", since=time.time()))
    with Controller(str(tmp_path), handed.append, notifier=lambda _: rounds) as controller:
        rounds.passed.get(timeout=PATIENCE_S)
        for _ in range(3):
            controller.choose(Choice(MenuAction.FOLD))
            rounds.passed.get(timeout=PATIENCE_S)
        assert len(handed) == 1
        controller.say("Said.")
        while len(handed) == 1:
            rounds.passed.get(timeout=PATIENCE_S)
        assert ["Said." in str(one) for one in handed] == [False, True]


def test_a_deed_that_breaks_is_reported_and_answered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    menus: Queue[Menu] = Queue()

    def broken(*_: object) -> str:
        raise ValueError("broken on purpose")

    put(tmp_path, session("a"))
    with Controller(str(tmp_path), menus.put, do=broken) as controller:
        until(menus, "a-name")
        controller.choose(Choice(Action.GO, "a"))
        until(menus, "Internal error: ValueError")
    assert "broken on purpose" in capsys.readouterr().err


def test_a_follower_that_must_give_up_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    failed: Queue[bool] = Queue()

    def show(_: Menu) -> None:
        raise ValueError("cannot be drawn")

    with Controller(str(tmp_path), show, lambda: failed.put(True)) as controller:
        assert failed.get(timeout=PATIENCE_S)
        controller._thread.join(PATIENCE_S)
        assert not controller.is_alive()
    assert "cannot be drawn" in capsys.readouterr().err


class Herald:
    """In the place of a notifier: writes down what it was shown."""

    def __init__(self, *, breaks: bool = False) -> None:
        self.breaks = breaks
        self.seen: Queue[str] = Queue()

    def __enter__(self) -> None:
        self.seen.put("begins")

    def __exit__(self, *_: object) -> None:
        self.seen.put("ends")

    def look(self, found: Statuses, _now: float) -> None:
        if self.breaks:
            raise ValueError("no voice")
        self.seen.put(",".join(f"{one.session_id} {one.status}" for one in found.sessions))

    def descriptors(self) -> list[int]:
        return []

    def rest(self, now: float) -> float:
        return math.inf

    def read(self, _ready: object) -> None:
        pass


def test_the_follower_lets_the_notifier_see_every_change(tmp_path: Path) -> None:
    herald = Herald()
    put(tmp_path, session("a"))
    with Controller(str(tmp_path), lambda _: None, notifier=lambda _: herald):  # type: ignore[arg-type,return-value]
        assert herald.seen.get(timeout=PATIENCE_S) == "begins"
        assert herald.seen.get(timeout=PATIENCE_S) == "a working"
        put(tmp_path, session("a", NEEDS_APPROVAL))
        while herald.seen.get(timeout=PATIENCE_S) != "a needs_approval":
            pass
    assert [*herald.seen.queue][-1] == "ends"


def test_a_notifier_that_breaks_does_not_take_the_bar_along(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    menus: Queue[Menu] = Queue()
    put(tmp_path, session("a"))
    with Controller(str(tmp_path), menus.put, notifier=lambda _: Herald(breaks=True)) as controller:  # type: ignore[arg-type,return-value]
        until(menus, "Notifications have stopped: ValueError")
        assert controller.is_alive()
    assert "no voice" in capsys.readouterr().err
