"""The pictures in docs/: drawn by us, all of one story, and each of them where the README says."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from contract.status import NEEDS_APPROVAL, STATES
from statusbar.cli import line_hosts
from statusbar.menu.build import menu
from statusbar.menu.model import Item, Menu, Tick
from statusbar.model.board import board
from statusbar.model.rows import Kind
from support.project import PROJECT
from support.showing import HOSTILE, NOW, environ, hostile, statuses
from tools.pictures import menubar
from tools.pictures.__main__ import FONTS, PICTURES, PROGRAMS
from tools.pictures.story import story

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

README = (PROJECT / "README.md").read_text()
ELEMENTS = {"svg", "defs", "filter", "feGaussianBlur", "rect", "path", "text", "tspan"}
TICKED = "✓"
TICKS = {"on": Tick(is_on=True), "off": Tick(is_on=False), "neither": None}
LARGEST, LARGEST_FILM = 120_000, 3_000_000
WIDEST = 1600


def drawn(shown: Menu) -> ET.Element:
    return ET.fromstring(menubar.svg(shown))  # noqa: S314 - ours, and whether it is well-formed is the question


def texts(shown: Menu) -> list[str]:
    return ["".join(one.itertext()) for one in drawn(shown) if one.tag.endswith("}text")]


def titles(items: Sequence[Item]) -> list[str]:
    return [item.title for item in items if item.title]


# The menubar, drawn


def test_every_item_of_the_menu_and_of_its_first_submenu_is_drawn_in_order() -> None:
    shown = menubar.told(NOW)
    first = next(item for item in shown.items if item.children)
    found = [words for words in texts(shown) if words != TICKED]
    assert found == [shown.title, *titles(shown.items), *titles(first.children), menubar.MARK]
    assert len(found) > 20


def test_what_is_ticked_has_a_mark_and_only_that() -> None:
    shown = Menu(items=tuple(Item((word,), word, tick=tick) for word, tick in TICKS.items()))
    assert texts(shown)[1:-1] == [TICKED, *TICKS]
    place = {one.text: int(one.attrib["x"]) for one in drawn(shown) if one.text in (TICKED, *TICKS)}
    assert place["on"] == place["off"] == place["neither"] > place[TICKED] + menubar.SIZE


def test_the_picture_itself_says_that_it_is_drawn() -> None:
    assert "not a screenshot" in menubar.MARK
    assert texts(Menu())[-1] == menubar.MARK
    caption = re.search(r"docs/menubar\.png\)\n\n(.*)", README)
    assert caption
    assert "drawn" in caption[1]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_name_is_text_and_no_more(text: str) -> None:
    shown = menu(board(statuses(hostile(text)), NOW))
    picture = drawn(shown)
    assert {one.tag.rpartition("}")[2] for one in picture.iter()} <= ELEMENTS
    assert titles(shown.items) == texts(shown)[1 : 1 + len(titles(shown.items))]
    assert int(picture.attrib["width"]) < WIDEST


def test_what_xml_cannot_hold_is_left_out() -> None:
    evil = "\0\x1b\ud800\uffff]]><a onclick='x'>&amp;"
    assert texts(Menu(items=(Item(("x",), evil),)))[1] == "]]><a onclick='x'>&amp;"


def test_a_long_title_makes_its_menu_wider() -> None:
    short, long = (drawn(Menu(items=(Item(("x",), "m" * many),))) for many in (10, 72))
    assert int(long.attrib["width"]) - int(short.attrib["width"]) == menubar.length("m" * 62)


# The story


def test_the_story_has_all_that_a_person_may_meet() -> None:
    whole = board(statuses(*story(NOW)), NOW)
    said = " ".join(row.detail for row in whole.rows)
    assert all(whole.counts[state] for state in STATES)
    assert any(row.depth > 1 and row.state == NEEDS_APPROVAL for row in whole.rows), "no sub-agent asks"
    assert any(row.team for row in whole.rows), "no team"
    assert "error: " in said
    assert "wakes " in said
    assert whole.rows[-1].kind is Kind.FOLDED


def test_the_story_happens_in_nobodys_home() -> None:
    assert all(one.cwd.startswith("/home/me/") and one.transcript.startswith("/home/me/") for one in story(NOW))


# What is where


def test_readme_docs_and_maker_have_the_same_pictures() -> None:
    named = re.findall(r"!\[[^]]+\]\(docs/(\w+\.(?:png|gif))\)", README)
    there = {path.name for path in (PROJECT / "docs").iterdir() if path.suffix in (".png", ".gif")}
    assert sorted(named) == sorted(PICTURES)
    assert there == set(PICTURES)


def test_no_picture_is_large() -> None:
    sizes = {path.name: path.stat().st_size for path in (PROJECT / "docs").iterdir()}
    assert sizes
    assert all(size > 1000 for size in sizes.values()), sizes
    assert all(size < LARGEST for name, size in sizes.items() if not name.endswith(".gif")), sizes
    assert sizes["film.gif"] < LARGEST_FILM


def test_make_draws_them_all_and_its_help_names_each() -> None:
    target = re.search(r"^pictures:.*## (.*)\n\t(.*)", (PROJECT / "Makefile").read_text(), re.MULTILINE)
    assert target
    assert all(name.partition(".")[0] in re.findall(r"\w+", target[1]) for name in PICTURES)
    assert target[2].endswith("-m tools.pictures")


def test_what_it_takes_is_what_the_desktop_script_installs() -> None:
    installed = re.search(r'^packages="([^"]*)"', (PROJECT / "tools" / "desktop.sh").read_text(), re.MULTILINE)
    assert installed
    assert {*PROGRAMS.values(), *FONTS.values()} <= set(installed[1].split())


def test_where_something_is_missing_that_is_said_and_nothing_is_drawn(tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (PROJECT / "docs").iterdir()}
    found = pictures(PATH=str(tmp_path), home=tmp_path)
    assert (found.returncode, found.stdout) == (1, "")
    assert "NOTHING WAS DRAWN" in found.stderr
    assert "tools/desktop.sh" in found.stderr
    assert all(name in found.stderr for name in PROGRAMS)
    assert before == {path: path.stat().st_mtime_ns for path in (PROJECT / "docs").iterdir()}


def test_an_unknown_picture_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    found = pictures("selfie", home=tmp_path)
    assert found.returncode == 2
    assert all(name in found.stderr for name in ("selfie", *PICTURES))


def pictures(*names: str, home: Path, **env: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "tools.pictures", *names]
    return subprocess.run(argv, env=environ(home, **env), cwd=PROJECT, capture_output=True, text=True, check=False)


def test_the_readme_tells_each_host_what_the_help_tells_it() -> None:
    assert f"```\n{line_hosts.recipes()}\n```" in README
    assert line_hosts.recipes() in line_hosts.guide("yourturn")
    assert set(line_hosts.WHERE) == set(line_hosts.SETUP)
