"""A picture as SVG: hand-written, without scripts, readable on light and dark paper and without colours. Pure."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from contract.status import NEEDS_APPROVAL, WAITING, WORKING
from statusbar.day import sentences
from statusbar.day.cells import NOTHING, PART, cells, runs
from statusbar.day.dates import hours
from statusbar.day.spans import UNKNOWN
from statusbar.text.ages import lasting
from statusbar.text.symbols import HEX, LOOKS
from statusbar.text.width import cut, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statusbar.day.picture import Picture, Row
    from statusbar.day.spans import Span

WIDE, MARGIN = 1000, 24
LABEL, BAR = 220, 630  # the widths of two columns; the rest is for how long each was blocked
ROW, HEIGHT = 26, 16  # of a row, of the highest bar in it
PROJECT, NAME, LINE = 13, 16, 130  # characters that have room in the label, and in a line of text
LEFT, NAMES = MARGIN + LABEL, 105
# Each state has a height as well as a colour.
HEIGHTS = {NEEDS_APPROVAL: 1.0, PART: 0.75, UNKNOWN: 1.0, WORKING: 0.5, WAITING: 0.15}
KINDS = {NEEDS_APPROVAL: "blocked", PART: "blocked", WORKING: "working", WAITING: "waiting", UNKNOWN: "unknown"}
HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" role="img" \
aria-labelledby="title desc" font-family="system-ui, 'DejaVu Sans', sans-serif" font-size="13">
<title id="title">{title}</title>
<desc id="desc">{desc}</desc>
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
<rect class="unknown-line" width="2" height="6"/></pattern>\
<clipPath id="labels"><rect width="{left}" height="{high}"/></clipPath></defs>
<style>
.paper {{ fill: #ffffff }} .ink {{ fill: #1d1f24 }} .pale {{ fill: #6a6d78 }} .rule {{ stroke: #d9dbe1 }}
.blocked {{ fill: {red} }} .working {{ fill: {green} }} .waiting {{ fill: {blue} }}
.unknown {{ fill: url(#hatch) }} .unknown-line {{ fill: {grey} }}
.heading {{ font-size: 18px }} .small {{ font-size: 12px }} .bold, .heading {{ font-weight: bold }} \
.hour {{ text-anchor: middle }}
@media (prefers-color-scheme: dark) {{
.paper {{ fill: #16181d }} .ink {{ fill: #e3e5ea }} .pale {{ fill: #9a9da8 }} .rule {{ stroke: #343842 }}
}}
</style>
<rect class="paper" width="{wide}" height="{high}"/>
"""


def svg(picture: Picture) -> str:
    told = [line for text in (sentences.summary(picture), *sentences.notes(picture)) for line in wrap(text, LINE)]
    rows = len(picture.rows) + bool(picture.unseen)
    top = MARGIN + 58
    bottom = top + rows * ROW
    high = bottom + 44 + 20 * len(told) + MARGIN // 2
    colours = {name: HEX[name] for name in ("red", "green", "blue", "grey")}
    title = f"Coding agents on {sentences.title(picture)}"
    return "".join([
        HEAD.format(wide=WIDE, high=high, left=LEFT - 10, title=escape(title), desc=escape(" ".join(told)), **colours),
        _text(MARGIN, MARGIN + 16, sentences.title(picture), "ink heading"),
        *_axis(picture, top, bottom),
        *_rows(picture, top),
        *_legend(bottom + 30),
        *(_text(MARGIN, bottom + 58 + 20 * at, line, "ink") for at, line in enumerate(told)),
        "</svg>\n",
    ])  # fmt: skip


def _axis(picture: Picture, top: int, bottom: int) -> Iterator[str]:
    begin, end = picture.view
    marks = hours(begin, end)
    step = 1 if len(marks) <= 13 else 2  # noqa: PLR2004 - so many have room side by side
    for at in marks:
        x = LEFT + (at - begin) / (end - begin) * BAR
        yield f'<line class="rule" x1="{x:.1f}" y1="{top - 8}" x2="{x:.1f}" y2="{bottom}"/>\n'
        if time.localtime(at).tm_hour % step == 0:
            yield _text(x, top - 14, sentences.clock(at), "pale small hour")


def _rows(picture: Picture, top: int) -> Iterator[str]:
    before = None
    for at, row in enumerate(picture.rows):
        foot = top + at * ROW + HEIGHT
        yield f'<g clip-path="url(#labels)">{"".join(_label(row, foot - 3, is_first=row.project != before))}</g>\n'
        before = row.project
        yield f"<g><title>{escape(_told(row))}</title>\n{''.join(_bar(picture, row.spans, foot))}</g>\n"
        if blocked := row.seconds(NEEDS_APPROVAL):
            text = f"{LOOKS[NEEDS_APPROVAL].symbol} {lasting(blocked)}"
            yield _text(LEFT + BAR + 10, foot - 3, text, "ink small")
    if picture.unseen:
        foot = top + len(picture.rows) * ROW + HEIGHT
        yield _text(MARGIN, foot - 3, "not watched", "pale")
        yield from _bar(picture, picture.unseen, foot)


def _label(row: Row, y: float, *, is_first: bool) -> Iterator[str]:
    if is_first:
        yield _text(MARGIN, y, cut(row.project, PROJECT), "ink bold")
    if row.name != row.project:
        yield _text(MARGIN + NAMES, y, cut(row.name, NAME), "pale small")


def _told(row: Row) -> str:
    """For those who cannot see the bar, or who point at it."""
    lengths = ((state, row.seconds(state)) for state in sentences.STATES)
    times = [f"{sentences.word(state)} {lasting(seconds)}" for state, seconds in lengths if seconds]
    return f"{row.project} {row.name}: {', '.join(times)}"


def _bar(picture: Picture, spans: Sequence[Span], foot: int) -> Iterator[str]:
    """One cell for each pixel: a busy day makes no larger file than a calm one."""
    for shown, first, after in runs(cells(spans, *picture.view, BAR)):
        if shown != NOTHING:
            yield _box(LEFT + first, foot, after - first, shown)


def _box(x: float, foot: float, wide: float, shown: str) -> str:
    high = HEIGHTS[shown] * HEIGHT
    return f'<rect class="{KINDS[shown]}" x="{x}" y="{foot - high:g}" width="{wide}" height="{high:g}"/>\n'


def _legend(foot: int) -> Iterator[str]:
    x = LEFT
    for state in sentences.STATES:
        yield _box(x, foot, 22, state)
        yield _text(x + 30, foot - 3, sentences.word(state), "pale small")
        x += 60 + 7 * len(sentences.word(state))


def _text(x: float, y: float, text: str, kinds: str) -> str:
    """`kinds`: of the style sheet above."""
    return f'<text class="{kinds}" x="{x:g}" y="{y:g}">{escape(text)}</text>\n'
