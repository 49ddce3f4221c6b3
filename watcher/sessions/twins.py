"""Two processes may have the same session open: each is a session of its own here, named by its process."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from contract import paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from contract.facts import Fact
    from watcher.clients.base import Entry
    from watcher.rules.turn import Turn


def entries_by_session(entries: Iterable[Entry], facts: Mapping[str, Mapping[str, Fact]]) -> dict[str, Entry]:
    """Each under the name that the facts of its process have; two processes may have the same session open."""
    by_session: dict[str, list[Entry]] = {}
    for entry in entries:
        by_session.setdefault(entry.session_id, []).append(entry)
    return {name: entry for session, rivals in by_session.items() for name, entry in _named(session, rivals, facts)}


def _named(session: str, entries: list[Entry], facts: Mapping[str, Mapping[str, Fact]]) -> Iterator[tuple[str, Entry]]:
    main = facts.get(session, {}).get(paths.MAIN)
    pid = main.client.pid if main and main.client else 0
    first = next((entry.pid for entry in entries if entry.pid == pid), 0)
    for entry in sorted(entries, key=lambda entry: (entry.started_at or 0.0, entry.pid)):
        twin = paths.twin(session, entry.pid)
        first = first or (entry.pid if twin not in facts else 0)
        yield session if entry.pid == first else twin, entry


def own_turn(alone: Turn, both: Turn) -> Turn:
    """Of a transcript that two processes write to, only the ends of calls and tasks say whose they are.

    `alone`: as it stood when no other process wrote. The one that resumed it also writes that the other's open calls
    are lost: they are not.
    """
    told = {key: result for key, result in both.results.items() if result.denied != "lost"}
    results = {key: replace(result, tool="") for key, result in told.items()}  # by its id alone it may be ours
    calls = {key: call for key, call in alone.calls.items() if key not in results}
    return replace(
        alone,
        calls=calls,
        results=results,
        tasks=both.tasks,
        finished=both.finished,
        agents_left=both.agents_left,
        workflows_left=both.workflows_left,
        # Of these there is seldom one in both at once, and nothing else would tell of their ends.
        compacted_at=both.compacted_at,
        local_at=both.local_at,
        taken_at=both.taken_at,
    )
