"""The variable by which the demo tells its front end that the agents are made up."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "YOURTURN_DEMO"


def is_set(env: Mapping[str, str]) -> bool:
    return bool(env.get(NAME))
