"""What was refused, from the audit, as entries of `yourturn log`: a refusal is an observation too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contract.paths import MAIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Entry = dict[str, Any]

KIND, OUTCOME = "refused", "refused"


def observed(audit: Iterable[Entry]) -> Iterator[Entry]:
    """Of the session that was meant, or if there is none yet, of the one that asked."""
    for entry in audit:
        if entry.get("outcome") == OUTCOME:
            target, by = _part(entry, "target"), _part(entry, "by")
            yield {
                "v": 1, "at": entry.get("at"), "kind": KIND, "session": target.get("session") or by.get("session"),
                "agent": MAIN, "by": by.get("kind"), "verb": entry.get("verb"), "reason": entry.get("reason"),
            }  # fmt: skip


def _part(entry: Entry, name: str) -> Entry:
    found = entry.get(name)
    return found if isinstance(found, dict) else {}
