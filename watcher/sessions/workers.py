"""Workers and the dispatcher that gives them tasks: each is a session of its own, shown below its dispatcher."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watcher.teams.membership import Membership

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract.facts import Fact

DISPATCHER, WORKER = "copilot", "worker"  # as files and rows call them


class Workers:
    """Kept up to date fact by fact: most sessions were not started through us, and cost nothing here."""

    def __init__(self) -> None:
        self._dispatchers: set[str] = set()
        self._parents: dict[str, tuple[str, str]] = {}  # by worker: the session it works for, and its own name

    def take(self, session: str, main: Fact | None) -> None:
        kept = main.registered if main else None
        (self._dispatchers.add if kept and kept.kind == DISPATCHER else self._dispatchers.discard)(session)
        if kept and kept.parent and kept.kind == WORKER:
            self._parents[session] = kept.parent, kept.name
        else:
            self._parents.pop(session, None)

    def forget(self, session: str) -> None:
        self.take(session, None)

    def dispatcher(self, worker: str) -> str | None:
        """Under which it is shown; None for a session that no dispatcher has started, or whose dispatcher is gone."""
        parent = self._parents.get(worker, ("", ""))[0]
        return parent if parent in self._dispatchers else None

    def of(self, dispatcher: str) -> Mapping[str, Membership]:
        if dispatcher not in self._dispatchers:
            return {}
        below = {name: of for name, of in self._parents.items() if of[0] == dispatcher}
        return {name: Membership(parent, own, "", WORKER) for name, (parent, own) in below.items()}

    def relatives(self, names: set[str]) -> set[str]:
        """The dispatchers of these sessions, and their workers."""
        if not self._parents:
            return set()
        dispatchers = {dispatcher for name in names if (dispatcher := self.dispatcher(name))}
        return dispatchers | {name for name, (parent, _) in self._parents.items() if parent in names}
