"""The picture as SVG and as PNG."""

import re
import struct
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from statusbar.day import png
from statusbar.day.dates import Day
from statusbar.day.history import History
from statusbar.day.log_lines import About
from statusbar.day.names import names
from statusbar.day.picture import picture
from statusbar.day.svg import BAR, LEFT, svg
from support.days import BLOCKED, HOUR, NOON, SHOP, WAITS, WORKS, lapse, stand, start, told
from support.needs import need
from support.showing import HOSTILE

SVG = "{http://www.w3.org/2000/svg}"
EXAMPLE = told(
    start(-120), stand(0, WORKS, about=SHOP), stand(10, BLOCKED), stand(20, WAITS), lapse(50, since=30), now=60
)


def drawn(found: History) -> ET.Element:
    return ET.fromstring(text(found))  # noqa: S314 - our own


def text(found: History) -> str:
    return svg(picture(found, Day(NOON, NOON + HOUR), names(found.courses, ())))


def test_it_is_well_formed_and_says_in_words_what_it_shows() -> None:
    root = drawn(EXAMPLE)
    assert root.attrib["role"] == "img"
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.attrib["aria-labelledby"].split() == ["title", "desc"]
    assert title is not None and title.text is not None and "13 September 2020" in title.text  # noqa: PT018
    assert desc is not None and desc.text is not None and "10 min in 1 block" in desc.text  # noqa: PT018


def test_each_state_has_a_height_as_well_as_a_colour_and_the_unknown_is_hatched() -> None:
    bar = next(group for group in drawn(EXAMPLE).iter(f"{SVG}g") if group.find(f"{SVG}title") is not None)
    boxes = [
        (box.attrib["class"], round((float(box.attrib["x"]) - LEFT) / BAR * 60), float(box.attrib["height"]))
        for box in bar.iter(f"{SVG}rect")
    ]
    assert boxes == [
        ("working", 0, 8.0), ("blocked", 10, 16.0), ("waiting", 20, 2.4), ("unknown", 30, 16.0), ("waiting", 50, 2.4),
    ]  # fmt: skip
    assert ".unknown { fill: url(#hatch) }" in text(EXAMPLE)


def test_it_is_readable_on_dark_paper_too_and_runs_and_loads_nothing() -> None:
    found = text(EXAMPLE)
    assert "@media (prefers-color-scheme: dark)" in found
    assert not re.search(r"<script|\bon\w+=|https?://(?!www\.w3\.org/2000/svg)|@import|href", found)


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_name_stays_text(name: str) -> None:
    found = told(start(0), stand(1, BLOCKED, name, about=About(name, f"/home/me/{name}")), stand(9, WORKS, name))
    elements = {element.tag.removeprefix(SVG) for element in drawn(found).iter()}
    assert elements == {
        "svg", "title", "desc", "defs", "pattern", "clipPath", "rect", "style", "line", "text", "g"
    }  # fmt: skip
    assert "\x1b" not in text(found)


def test_a_busy_day_makes_no_file_without_bounds() -> None:
    lines = [stand(number / 200, (WORKS, BLOCKED)[number % 2]) for number in range(12_000)]
    assert len(text(told(start(0), *lines))) < 100_000


def test_a_png_is_drawn_from_it() -> None:
    need("rsvg-convert")
    found = png.png(text(EXAMPLE))
    assert found.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">I", found[16:20]) == (2000,)


def test_without_the_program_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(png.CannotDrawError, match="install librsvg2-bin"):
        png.png(text(EXAMPLE))


def test_what_the_program_says_of_its_failure_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "rsvg-convert"
    program.write_text("#!/bin/sh\necho 'no memory' >&2\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(png.CannotDrawError, match="rsvg-convert failed: no memory"):
        png.png(text(EXAMPLE))
