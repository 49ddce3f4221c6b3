"""What the agents say, as far as the person wants to see it: the front ends' way to the transcripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract import bar
from conversations.reader import Conversations
from statusbar.settings import words
from statusbar.system.cached_file import CachedFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from contract.status import SessionStatus
    from conversations.glimpse import Glimpse


class Glimpses:
    def __init__(self, env: Mapping[str, str]) -> None:
        self._conversations = Conversations()
        self._are_shown = CachedFile(bar.settings(env), lambda: words.are_shown(env))

    def of(self, sessions: Iterable[SessionStatus]) -> dict[str, Glimpse]:
        """By session id. An unchanged transcript costs one `stat`."""
        found = self._conversations.of(sessions)
        if self._are_shown.now():
            return found
        return {id_: glimpse.without_words for id_, glimpse in found.items()}
