"""Whom a word names, as `targets` has it, or else by the title that its row shows.

Only for commands that do no harm: a client makes up titles from what it was told, so nobody is ended by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conversations.reader import Conversations
from statusbar.model import targets
from statusbar.model.targets import Ambiguous, NoSuchTarget, Target

if TYPE_CHECKING:
    from statusbar.model.snapshot import Statuses


def find(statuses: Statuses, word: str, *, unknown: str = "") -> list[Target]:
    """Transcripts are opened only if nobody has that name. Raises what `targets.find` raises."""
    try:
        return targets.find(statuses, word, unknown=unknown)
    except NoSuchTarget:
        found = _titled(statuses, word)
        if not found:
            raise
    if len(found) > 1:
        raise Ambiguous(targets.several(statuses, word, found))
    return found


def one(statuses: Statuses, word: str, *, unknown: str = "") -> Target:
    found = find(statuses, word, unknown=unknown)
    return found[0] if len(found) == 1 else targets.one(statuses, word, unknown=unknown)


def _titled(statuses: Statuses, word: str) -> list[Target]:
    """The whole title, or the beginning of it."""
    sessions = {session.session_id: session for session in statuses.sessions}
    titles = {id_: glimpse.title for id_, glimpse in Conversations().of(statuses.sessions).items()}
    begins = [id_ for id_, title in titles.items() if word and title.casefold().startswith(word.casefold())]
    whole = [id_ for id_ in begins if titles[id_].casefold() == word.casefold()]
    return [Target(sessions[id_]) for id_ in whole or begins]
