"""A person who answers from outside, as they would: with our own command."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from answers import record
from e2e.harness.watchers import COMMAND
from support.orphan import orphan

if TYPE_CHECKING:
    import subprocess

    from e2e.harness.watched import Watched

TYPED = itertools.count()


def requests(watched: Watched) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(watched.run("requests", "--json").stdout)["requests"]
    return found


def by_hand(watched: Watched, *words: str) -> subprocess.CompletedProcess[str]:
    """As a person types it."""
    folder = Path(watched.place.path) / "typed" / str(next(TYPED))
    return orphan(folder, [*COMMAND, *words], {**watched.env, "YOURTURN_HOME": state(watched)})


def state(watched: Watched) -> str:
    return next(iter(watched.states.values()))


def outcomes(watched: Watched) -> list[str]:
    return [entry["outcome"] for entry in record.entries(state(watched))]
