"""What our commands tell of a client's session beside its light: title, last words, context, and the tokens used."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from e2e.harness.patience import PATIENCE_S, until

if TYPE_CHECKING:
    from e2e.agents.watched import WatchedAgents

GIVEN = 6200  # tokens, as the scripted API says of each answer; the rest of this file follows from its `USAGE`
USED = {"input_tokens": 1200, "cache_read_tokens": 5000, "output_tokens": 40}


def tells(watched: WatchedAgents, **wanted: object) -> None:
    """A client may write it down a moment after it has shown it."""
    until(lambda: wanted.items() <= _shown(watched).items(), PATIENCE_S, lambda: f"not {wanted}: {_shown(watched)}")


def counts(watched: WatchedAgents, answers: int) -> None:
    """So many answers of the model, each with its figures, are counted for the session that is shown."""
    wanted = {"session": watched.session(), "messages": answers, **{name: answers * one for name, one in USED.items()}}
    until(lambda: wanted.items() <= _used(watched).items(), PATIENCE_S, lambda: f"not {wanted}: {_used(watched)}")


def _shown(watched: WatchedAgents) -> dict[str, Any]:
    (session,) = json.loads(watched.run("status", "--json", "--full").stdout)["sessions"]
    found: dict[str, Any] = session["conversation"]
    return found


def _used(watched: WatchedAgents) -> dict[str, Any]:
    rows = json.loads(watched.run("usage", "--json", "--by", "session").stdout)["rows"]
    found: dict[str, Any] = rows[0] if len(rows) == 1 else {"rows": rows}
    return found
