"""Notices about agents on other machines: once, however often the line to their machine breaks."""

import time
from pathlib import Path
from typing import Any

import pytest

from contract import status, store
from contract.status import NEEDS_APPROVAL, WORKING
from fleet import incoming
from fleet.mirror import Mirror
from statusbar.model import reader
from statusbar.notifications.rules import Memory, Notice, due
from statusbar.settings.settings import Settings
from support.showing import agent, session

NOW = time.time()


class Desk:
    """A front end that notifies, and one other machine."""

    def __init__(self, home: Path) -> None:
        self.home, self.memory = str(home), Memory()
        self.now = NOW
        store.private_folder(f"{home}/hosts")
        self.restart()
        self.look()

    def restart(self) -> None:
        """As a new collector does."""
        self.mirror = Mirror(self.home, "box", "ssh box", self.now)

    def hears(self, *sessions: Any, ahead_s: float = 0.0, late_s: float = 0.0) -> list[Notice]:
        """A line of the machine, whose clock is so far ahead; it came so late."""
        self.now += 1
        raw = {"known": True, "version": "1", "now": self.now + ahead_s - late_s}
        ahead = incoming.ahead(raw["now"], self.now, self.mirror.ahead_s)
        records = [status.plain(one) for one in sessions]
        self.mirror.says(incoming.report({**raw, "sessions": records}, ahead, self.now), ahead, self.now)
        return self.look()

    def breaks(self) -> list[Notice]:
        self.now += 1
        self.mirror.goes_out_of_reach("no route to host", self.now)
        return self.look()

    def look(self) -> list[Notice]:
        found = reader.read(self.home, hosts=True).sessions
        self.memory, news = due(self.memory, found, Settings(), self.now, lambda _: False)
        return news


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def asking(ahead_s: float = 0.0, since: float = NOW) -> Any:
    asks = agent("main", NEEDS_APPROVAL, detail="Bash: ls", since=since + ahead_s)
    return session("s1", NEEDS_APPROVAL, cwd="/p/api", since=since + ahead_s, agents=(asks,))


def working() -> Any:
    return session("s1", WORKING, cwd="/p/api", since=NOW - 60, agents=(agent(since=NOW - 60),))


def test_a_request_there_is_told_once_with_its_machine(desk: Desk) -> None:
    assert desk.hears(working()) == []
    (notice,) = desk.hears(asking())
    assert notice.title.startswith("box:api")
    assert desk.hears(asking()) == []


def test_a_line_that_breaks_tells_nothing_and_takes_nothing_back(desk: Desk) -> None:
    desk.hears(working())
    (notice,) = desk.hears(asking())
    assert desk.breaks() == []
    assert desk.memory.is_open(notice), "nobody knows that it was answered"
    assert desk.hears(asking()) == []
    assert desk.memory.is_open(notice)
    assert desk.hears(working()) == []
    assert not desk.memory.is_open(notice), "now it was"


@pytest.mark.parametrize("ahead_s", [0.0, 600.0, -600.0])
def test_neither_a_late_line_nor_a_new_collector_makes_it_another_request(desk: Desk, ahead_s: float) -> None:
    desk.hears(working(), ahead_s=ahead_s)
    assert len(desk.hears(asking(ahead_s), ahead_s=ahead_s)) == 1
    for late_s in (0.0, 3.0, 8.0, 0.2):
        assert desk.hears(asking(ahead_s), ahead_s=ahead_s, late_s=late_s) == []
    desk.restart()
    assert desk.look() == []
    assert desk.hears(asking(ahead_s), ahead_s=ahead_s, late_s=1.0) == []


def test_the_next_request_is_told_though_the_line_broke_in_between(desk: Desk) -> None:
    desk.hears(working())
    desk.hears(asking())
    desk.breaks()
    assert len(desk.hears(asking(since=NOW + 3))) == 1
