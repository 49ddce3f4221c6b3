"""Columns of text below their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

GAP = "  "


def draw(head: Sequence[str], rows: Sequence[Sequence[str]], words: Collection[str]) -> list[str]:
    """A line for each row, the head first. Columns named in `words` begin at the left, numbers end at the right."""
    lines = [head, *rows]
    widths = [max(len(line[k]) for line in lines) for k in range(len(head))]
    is_left = [name in words for name in head]
    return [GAP.join(_cells(line, widths, is_left)).rstrip() for line in lines]


def _cells(line: Sequence[str], widths: Sequence[int], is_left: Sequence[bool]) -> list[str]:
    whole = zip(line, widths, is_left, strict=True)
    return [cell.ljust(width) if left else cell.rjust(width) for cell, width, left in whole]


def number(value: float | None) -> str:
    """Three digits that count, and no power of ten."""
    if value is None:
        return ""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
