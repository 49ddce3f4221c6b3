"""Each answer that was given from outside is told: whoever did not give it should know of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from answers import record
from contract import paths, store
from contract.status import WAITING
from statusbar.model.names import session_name
from statusbar.notifications.rules import Notice
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from statusbar.model.snapshot import Statuses

DONE = {"allow": "Allowed", "deny": "Denied", "answer": "Answered"}
LONG = 160


class Answered:
    """What is new in the record of answers since the last look. Costs one look at the file while nothing is."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._mark = store.signature_of(paths.answers(home))
        self._known = {self._key(entry) for entry in record.entries(home)}

    def news(self, statuses: Statuses) -> list[Notice]:
        mark = store.signature_of(paths.answers(self._home))
        if mark == self._mark:
            return []
        self._mark = mark
        entries = list(record.entries(self._home))
        taken = [entry for entry in entries if entry.get("outcome") == record.TAKEN]
        new = [entry for entry in taken if self._key(entry) not in self._known]
        self._known = {self._key(entry) for entry in entries}  # no more than the record itself has
        return [notice(entry, statuses) for entry in new]

    @staticmethod
    def _key(entry: dict[str, Any]) -> tuple[Any, Any]:
        return entry.get("id"), entry.get("tag")


def notice(entry: dict[str, Any], statuses: Statuses) -> Notice:
    """It belongs to no session: what the session does next makes it no less true."""
    session = statuses.find(str(entry.get("session")))
    name = session_name(session) if session else tidy(entry.get("session"), LONG)
    what = ": ".join(filter(None, (tidy(entry.get("tool"), LONG), tidy(entry.get("target"), LONG))))
    title = f"{DONE.get(str(entry.get('deed')), 'Answered')} from the {tidy(entry.get('by'), LONG) or 'outside'}"
    return Notice("", WAITING, 0.0, title, f"{name}: {what}")
