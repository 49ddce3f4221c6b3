"""`yourturn stats`, in real processes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from support.command import YOURTURN, yourturn
from support.days import NOON, day_home, entry, put_log
from support.showing import terminal


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return day_home(tmp_path / "state")


def test_the_numbers_are_told_in_sentences_and_a_table(home: Path) -> None:
    put_log(home, entry(41, "session", "t", to="needs_approval", running=0, name="api", cwd="/p/api", hidden=False))
    put_log(home, entry(43, "session", "t", to="gone", running=0))
    done = yourturn(home, "stats", "--since", "2020-09-13", TZ="UTC")
    assert done.returncode == 0
    assert (
        done.stdout
        == """\
Since Sun 13 Sep 11:59, when the log begins

Time to answer   median 12 min, 90 % within 12 min (1 answer)
Blocks left out  1 that ended with the session
Longest block    12 min, Sun 13 Sep 12:10 (shop, checkout)
Agents at once   1, Sun 13 Sep 12:00
Agents worked    28 min, all added up

PROJECT  SESSIONS  WORKED  WAITED  BLOCKED  BLOCKS  UNKNOWN
shop            1  28 min       -   12 min       1        -
api             1       -       -    2 min       1        -
"""
    )


def test_a_terminal_of_80_columns_has_room_for_the_table(tmp_path: Path) -> None:
    home = tmp_path / "state"
    put_log(home, entry(0, "watching", "", by="start", since=0.0, rested=False))
    about: dict[str, Any] = {"name": "n", "cwd": f"/p/{'long-' * 7}", "hidden": False}
    put_log(home, *(entry(day * 1440.0, "session", to=("working", "waiting")[day % 2], **about) for day in range(9)))
    with terminal(home, tmp_path) as screen:
        screen.start(*YOURTURN, "stats", "--since", "2020-09-13", TZ="UTC")
        shown = screen.until("left with 0").splitlines()
    (row,) = [line for line in shown if line.startswith("long-long")]
    assert "…" in row
    assert re.search(r"\d+ h( \d\d min)?$", row), "the last column is there, on the same line"


def test_scripts_get_them_in_seconds(home: Path) -> None:
    found = json.loads(yourturn(home, "stats", "--since", "2020-09-13", "--json", TZ="UTC").stdout)
    assert found["answer_seconds"] == {"median": 720, "p90": 720}
    assert found["blocks"] == {"answered": 1, "session_ended": 0, "unseen": 0, "open": 0}
    assert found["longest_block"] == {"seconds": 720, "project": "shop", "name": "checkout", "at": NOON + 600}
    assert found["agents_at_once"] == {"agents": 1, "at": NOON}
    assert found["agents_worked_seconds"] == 28 * 60
    (shop,) = found["projects"]
    assert shop["seconds"] == {"working": 28 * 60, "waiting": 0, "needs_approval": 720, "unknown": 0}


def test_by_default_it_is_about_the_last_seven_days(home: Path) -> None:
    found = json.loads(yourturn(home, "stats", "--json", TZ="UTC").stdout)
    assert found["blocks"]["answered"] == 0
    assert found["end"] - found["begin"] == pytest.approx(7 * 86400)


def test_a_time_that_is_none_is_wrong_usage(home: Path) -> None:
    done = yourturn(home, "stats", "--since", "lately")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'lately' is no time; write 12h, 7d, 2w, today, yesterday or 2026-11-17" in done.stderr


def test_without_a_log_it_says_where_to_look(tmp_path: Path) -> None:
    done = yourturn(tmp_path / "state", "stats")
    assert (done.returncode, done.stdout) == (0, "")
    assert "yourturn doctor" in done.stderr
