"""The glimpses of many sessions. A transcript is opened again only when it has changed, and nothing is kept on disk."""

from __future__ import annotations

import os

from conversations import clients, transcript_ends
from conversations.glimpse import NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from contract.status import SessionStatus
    from conversations.glimpse import Glimpse

    Mark = tuple[int, int, int, int]
    Marks = tuple[Mark, Mark | None]  # of a transcript, and of the file beside it
    Kept = dict[tuple[str, str], tuple[Marks, Glimpse]]  # by client and path


class Conversations:
    """Each look costs a `stat` or two for each session, and a bounded read for each whose transcript has changed."""

    def __init__(self) -> None:
        self._kept: Kept = {}

    def of(self, sessions: Iterable[SessionStatus]) -> dict[str, Glimpse]:
        """By session id; a session of which nothing can be told is left out. Never raises."""
        kept: Kept = {}
        glimpses: dict[str, Glimpse] = {}
        for session in sessions:
            key = session.client, session.transcript
            marks = _marks(*key) if session.transcript else None
            if marks is None:
                continue
            before = self._kept.get(key)
            kept[key] = before if before and before[0] == marks else (marks, read(*key))
            if kept[key][1] != NOTHING:
                glimpses[session.session_id] = kept[key][1]
        self._kept = kept
        return glimpses


def read(client: str, path: str) -> Glimpse:
    """Nothing for a client that we cannot read, and for a file that is none to open."""
    module = clients.named(client)
    if module is None:
        return NOTHING
    try:
        with transcript_ends.opened(path) as transcript:
            return module.glimpse(transcript)
    except (OSError, ValueError):  # ValueError: a name that no file can have
        return NOTHING


def _marks(client: str, path: str) -> Marks | None:
    mark, module = _mark(path), clients.named(client)
    if mark is None or module is None:
        return None
    other = module.beside(path)
    return mark, _mark(other) if other else None


def _mark(path: str) -> Mark | None:
    try:
        now = os.stat(path)
    except (OSError, ValueError):
        return None
    return now.st_size, now.st_mtime_ns, now.st_ino, now.st_dev
