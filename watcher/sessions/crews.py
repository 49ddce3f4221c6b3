"""Workers and the copilot that hands out work to them: each worker is a session of its own, shown below its copilot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watcher.teams.membership import Membership

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract.facts import Fact

COPILOT, WORKER = "copilot", "worker"


class Crews:
    """Kept up to date fact by fact: most sessions were not started through us, and cost nothing here."""

    def __init__(self) -> None:
        self._copilots: set[str] = set()
        self._parents: dict[str, tuple[str, str]] = {}  # by worker: the session it works for, and its own name

    def take(self, session: str, main: Fact | None) -> None:
        kept = main.registered if main else None
        (self._copilots.add if kept and kept.kind == COPILOT else self._copilots.discard)(session)
        if kept and kept.parent and kept.kind == WORKER:
            self._parents[session] = kept.parent, kept.name
        else:
            self._parents.pop(session, None)

    def forget(self, session: str) -> None:
        self.take(session, None)

    def copilot(self, worker: str) -> str | None:
        """Under which it is shown; None for a session that nobody hands out work to, or whose copilot is gone."""
        parent = self._parents.get(worker, ("", ""))[0]
        return parent if parent in self._copilots else None

    def workers(self, copilot: str) -> Mapping[str, Membership]:
        if copilot not in self._copilots:
            return {}
        below = {name: of for name, of in self._parents.items() if of[0] == copilot}
        return {name: Membership(parent, own, "", WORKER) for name, (parent, own) in below.items()}

    def relatives(self, names: set[str]) -> set[str]:
        """The copilots of these sessions, and the workers of these."""
        if not self._parents:
            return set()
        copilots = {copilot for name in names if (copilot := self.copilot(name))}
        return copilots | {name for name, (parent, _) in self._parents.items() if parent in names}
