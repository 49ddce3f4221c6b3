"""The variable by which the demo tells its front end that the agents are made up."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "YOURTURN_DEMO"


def is_set(env: Mapping[str, str]) -> bool:
    return bool(env.get(NAME))
