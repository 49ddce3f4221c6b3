"""The dose of a long list that `make test` takes; the rest is left to `make test-clients`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence


def dosed(values: Sequence[Any], dose: int) -> list[Any]:
    """All of them as parameters; those after the first `dose` are marked `series`."""
    return [*values[:dose], *(pytest.param(value, marks=pytest.mark.series) for value in values[dose:])]
