"""The tray icon as pixels: a shape and a colour for the state, a number for how many."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, NamedTuple

from statusbar.text.symbols import COLOURS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Point = tuple[float, float]
    Shape = Callable[[float, float], float]  # the distance of a point from the shape; negative inside

SIZES = (22, 24, 48)
MOST = 99
SLOPE = math.hypot(2, 1)
WHITE = (255, 255, 255)
# The strokes of a digit: top, upper left, upper right, middle, lower left, lower right, bottom; in a box of 1 by 2.
STROKES: tuple[tuple[Point, Point], ...] = (
    ((0, 0), (1, 0)), ((0, 0), (0, 1)), ((1, 0), (1, 1)), ((0, 1), (1, 1)),
    ((0, 1), (0, 2)), ((1, 1), (1, 2)), ((0, 2), (1, 2)),
)  # fmt: skip
DIGITS = {
    "0": "012456", "1": "25", "2": "02346", "3": "02356", "4": "1235",
    "5": "01356", "6": "013456", "7": "025", "8": "0123456", "9": "012356",
}  # fmt: skip


class Pixmap(NamedTuple):
    width: int
    height: int
    argb: bytes  # alpha, red, green, blue of each pixel, row by row


@functools.lru_cache(maxsize=64)
def pixmaps(symbol: str, colour: str, count: int) -> tuple[Pixmap, ...]:
    return tuple(pixmap(symbol, colour, count, size) for size in SIZES)


def pixmap(symbol: str, colour: str, count: int, size: int) -> Pixmap:
    shape, ink = SHAPES[symbol], COLOURS[colour]
    on = ink if symbol == "○" else WHITE
    number = _number(count, symbol)
    scale = 2 / size
    drawn = bytearray()
    for row in range(size):
        y = (row + 0.5) * scale - 1
        for column in range(size):
            x = (column + 0.5) * scale - 1
            drawn += _pixel(_cover(shape(x, y), scale), ink, _cover(number(x, y), scale), on)
    return Pixmap(size, size, bytes(drawn))


def _cover(distance: float, scale: float) -> float:
    """How much of a pixel the shape covers, from 0 to 1; in between at its edge."""
    return min(1.0, max(0.0, 0.5 - distance / scale))


def _pixel(cover: float, ink: tuple[int, int, int], above: float, on: tuple[int, int, int]) -> bytes:
    alpha = above + cover * (1 - above)
    if not alpha:
        return b"\0\0\0\0"
    mixed = ((a * above + b * cover * (1 - above)) / alpha for a, b in zip(on, ink, strict=True))
    return bytes((round(alpha * 255), *map(round, mixed)))


# The shapes, in a square from -1 to 1


def _triangle(x: float, y: float) -> float:
    """Rounded, its tip on top."""
    return max(y - 0.72, (2 * abs(x) - y - 0.55) / SLOPE) - 0.18


def _disc(x: float, y: float) -> float:
    return math.hypot(x, y) - 0.92


def _ring(x: float, y: float) -> float:
    return abs(math.hypot(x, y) - 0.82) - 0.12


def _dot(x: float, y: float) -> float:
    return math.hypot(x, y) - 0.34


def _cross(x: float, y: float) -> float:
    return min(_far((x, y), (-0.6, -0.6), (0.6, 0.6)), _far((x, y), (-0.6, 0.6), (0.6, -0.6))) - 0.22


SHAPES: dict[str, Shape] = {"▲": _triangle, "●": _disc, "○": _ring, "·": _dot, "✕": _cross}


# The number


def _number(count: int, symbol: str) -> Shape:
    """Nothing if the count is 0. More than two digits do not fit; the tooltip has them."""
    if count < 1 or symbol in "·✕":
        return lambda _x, _y: math.inf
    word = str(min(count, MOST))
    high, thick = (0.5, 0.11) if len(word) == 1 else (0.4, 0.085)
    low = 0.0
    if symbol == "▲":  # it is wide enough only near its bottom
        high, low = high * 0.85, 0.32
    strokes = [*_strokes(word, high, low)]
    right = max(max(a[0], b[0]) for a, b in strokes) + 2 * thick
    top, bottom = low - high - 2 * thick, low + high + 2 * thick

    def number(x: float, y: float) -> float:
        if not (top < y < bottom and -right < x < right):
            return math.inf
        return min([_far((x, y), a, b) for a, b in strokes]) - thick

    return number


def _strokes(word: str, high: float, low: float) -> Iterator[tuple[Point, Point]]:
    wide = high
    step = wide * 1.55
    left = -(wide + step * (len(word) - 1)) / 2
    for place, digit in enumerate(word):
        # The strokes of a 1 are at the right of its box: alone, it would not be centred.
        shift = left + place * step - (wide / 2 if word == "1" else 0)
        for stroke in DIGITS[digit]:
            (ax, ay), (bx, by) = STROKES[int(stroke)]
            yield (shift + ax * wide, low + (ay - 1) * high), (shift + bx * wide, low + (by - 1) * high)


def _far(point: Point, a: Point, b: Point) -> float:
    """The distance of a point from the line between two others."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / (dx * dx + dy * dy)
    along = min(1.0, max(0.0, along))
    return math.hypot(point[0] - a[0] - along * dx, point[1] - a[1] - along * dy)
