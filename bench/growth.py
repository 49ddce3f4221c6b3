"""How a figure grows with a size: the exponent k of size ** k, fitted by least squares in log and log."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from bench.figure import Figure

if TYPE_CHECKING:
    from collections.abc import Mapping

UNIT = "exponent"


def exponent(points: Mapping[float, float]) -> float | None:
    """0: it does not grow; 1: in proportion. None if fewer than two points have a logarithm."""
    found = [(math.log(size), math.log(value)) for size, value in points.items() if size > 0 and value > 0]
    if len(found) < 2:
        return None
    mean_x, mean_y = (sum(column) / len(found) for column in zip(*found, strict=True))
    spread = sum((x - mean_x) ** 2 for x, _ in found)
    return float(sum((x - mean_x) * (y - mean_y) for x, y in found) / spread)


def figures(key: str, what: str, points: Mapping[float, float], **more: Any) -> list[Figure]:
    """None if there is nothing to fit."""
    found = exponent(points)
    if found is None:
        return []
    sizes = f"{min(points):g} to {max(points):g}"
    return [Figure(f"{key}.growth", f"{what}: growth from {sizes}", found, UNIT, **more)]
