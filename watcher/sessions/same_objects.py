"""Whether two mappings hold the very same objects: values that are replaced and never changed need no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def same_objects(before: Mapping[str, object], after: Mapping[str, object]) -> bool:
    return before.keys() == after.keys() and all(before[key] is after[key] for key in before)
