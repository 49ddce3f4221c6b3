"""Whether a play is shown and not somebody's agents: the demo tells its front end so."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "YOURTURN_PLAY"


def is_on(env: Mapping[str, str]) -> bool:
    return bool(env.get(NAME))
