"""`yourturn day`, in real processes."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from support.command import YOURTURN, yourturn
from support.days import LINES, day_home, put_log
from support.needs import need
from support.showing import terminal

DATE = "2020-09-13"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return day_home(tmp_path / "state")


def day(home: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return yourturn(home, "day", *words, **{"TZ": "UTC", **env})


def told(home: Path, *words: str, **env: str) -> dict[str, Any]:
    done = day(home, *words, "--json", **env)
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_day_is_drawn_as_bars_with_a_sentence_below(home: Path) -> None:
    done = day(home, DATE, "--width", "60")
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        done.stdout
        == """\
Sunday, 13 September 2020

              12
shop checkout ▄▄▄▄▄▄████████▄▄▄▄▄▄▄▄▄▄▄             ▲ 12 min

█ needs approval  ▆ for a part of the time  ▄ working
▁ waiting  ░ unknown
You were waited for: 12 min in 1 block (shop, 12:10).
The log begins Sun 13 Sep 11:59: nothing is known of the
time before.
"""
    )


def test_it_is_as_wide_as_somebody_asks_for_and_80_columns_in_a_pipe(home: Path) -> None:
    assert max(map(len, day(home, DATE).stdout.splitlines())) == 80
    assert max(map(len, day(home, DATE, "--width", "200").stdout.splitlines())) == 200
    wrong = day(home, DATE, "--width", "7")
    assert (wrong.returncode, "'7' is not a number between 40 and 1000" in wrong.stderr) == (2, True)


def test_scripts_get_the_spans_and_the_blocks(home: Path) -> None:
    found = told(home, DATE)
    (session,) = found["sessions"]
    assert (session["project"], session["name"], session["cwd"]) == ("shop", "checkout", "/home/me/shop")
    begin = session["spans"][0]["begin"]
    spans = [((span["begin"] - begin) / 60, (span["end"] - begin) / 60, span["status"]) for span in session["spans"]]
    assert spans == [(0, 10, "working"), (10, 22, "needs_approval"), (22, 40, "working")]
    assert [(block["end"] - block["begin"], block["ended"]) for block in session["blocks"]] == [(720, "answered")]
    assert found["waited_for"]["longest"] == {"seconds": 720, "project": "shop", "at": begin + 600}
    assert (found["date"], found["end"] - found["begin"], found["known_since"]) == (DATE, 86400, begin - 60)


def test_a_file_of_an_older_version_is_drawn_too(tmp_path: Path) -> None:
    home = tmp_path / "state"
    old = {"v": 1, "kind": "status_changed", "session": "9df7420c-3c33", "agent": "main", "by": "turn-open"}
    begin = LINES[0]["at"]
    put_log(home, {**old, "at": begin, "to": "working"}, name="observations.jsonl.1")
    put_log(home, {**old, "at": begin + 60, "to": "needs_approval"}, {**old, "at": begin + 90, "to": "waiting"})
    found = told(home, DATE)
    (session,) = found["sessions"]
    assert (session["name"], session["project"], session["seconds"]["needs_approval"]) == ("9df7420c", None, 30)
    assert "An older version wrote the log so far" in day(home, DATE).stdout


def test_garbage_in_the_log_is_passed_over(home: Path) -> None:
    put_log(home, "garbage\n", "[1]\n", '{"at": "x", "kind": "session"}\n', '{"v":1,"half')
    assert told(home, DATE)["waited_for"]["blocks"] == 1


def test_a_day_on_which_clocks_were_set_has_all_its_hours(home: Path) -> None:
    found = told(home, "2020-10-25", TZ="Europe/Berlin")
    assert found["end"] - found["begin"] == 25 * 3600


@pytest.mark.parametrize("word", ["tomorrow", "2020-02-30", "2999-01-01", "\x1b[31m"])
def test_a_day_that_is_none_is_wrong_usage(home: Path, word: str) -> None:
    done = day(home, word)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("yourturn: ")
    assert "\x1b" not in done.stderr


def test_a_project_that_nobody_knows_is_wrong_usage_and_those_there_are_are_named(home: Path) -> None:
    done = day(home, DATE, "--project", "shpo")
    assert (done.returncode, done.stderr) == (2, "yourturn: the log has no project 'shpo'; it has: shop\n")
    assert told(home, DATE, "--project", "shop")["sessions"]


def test_without_a_log_it_says_where_to_look(tmp_path: Path) -> None:
    done = day(tmp_path / "state")
    assert done.returncode == 0
    assert "Nothing observed yet. To check whether a watcher is running: yourturn doctor" in done.stderr


def test_pictures_replace_what_was_there(home: Path, tmp_path: Path) -> None:
    need("rsvg-convert")
    svg, png = tmp_path / "day.svg", tmp_path / "day.png"
    svg.write_text("old")
    done = day(home, DATE, "--svg", str(svg), "--png", str(png))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert day(home, DATE, "--svg", str(svg), "--json").stdout.startswith("{"), "both, if both are asked for"
    assert svg.read_text().startswith("<?xml")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert sorted(os.listdir(tmp_path)) == ["day.png", "day.svg", "state"]


def test_a_dash_is_the_standard_output(home: Path) -> None:
    assert day(home, DATE, "--svg", "-").stdout.endswith("</svg>\n")


def test_a_file_that_cannot_be_written_is_named(home: Path, tmp_path: Path) -> None:
    done = day(home, DATE, "--svg", str(tmp_path / "no" / "day.svg"))
    assert done.returncode == 1
    assert done.stderr == f"yourturn: cannot write {tmp_path}/no/day.svg: No such file or directory\n"


def test_where_no_png_can_be_drawn_nothing_is_written(home: Path, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    done = day(
        home, DATE, "--svg", str(tmp_path / "a.svg"), "--png", str(tmp_path / "a.png"), PATH=str(tmp_path / "bin")
    )
    assert done.returncode == 1
    assert "install librsvg2-bin" in done.stderr
    assert sorted(os.listdir(tmp_path)) == ["bin", "state"]


def test_a_terminal_of_80_columns_has_room_for_it_in_colour(home: Path, tmp_path: Path) -> None:
    with terminal(home, tmp_path) as screen:
        screen.start(*YOURTURN, "day", DATE, TZ="UTC")
        shown = screen.until("left with 0")
        assert max(map(len, shown.splitlines())) <= 80
        assert "▲ 12 min" in shown
        coloured = screen.tmux("capture-pane", "-p", "-e")
    assert re.search(r"\x1b\[1m\x1b\[31m█+|\x1b\[1;31m█+", coloured), coloured
    assert re.search(r"\x1b\[[0-9;]*32m▄+", coloured), coloured
