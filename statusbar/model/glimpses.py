"""What the agents say, as far as the person wants to see it: the front ends' way to the transcripts."""

from __future__ import annotations

import os

from contract import bar_files, store
from conversations.reader import Conversations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from contract.status import SessionStatus
    from conversations.glimpse import Glimpse


def once(sessions: Iterable[SessionStatus], env: Mapping[str, str]) -> dict[str, Glimpse]:
    """By session id, for a command that draws one time."""
    return _allowed(Conversations().of(sessions), is_wanted=are_shown(env))


class Glimpses:
    """The same, for front ends that keep running."""

    def __init__(self, env: Mapping[str, str]) -> None:
        from statusbar.system.cached_file import CachedFile  # noqa: PLC0415 - slow to import, and only needed here

        self._conversations = Conversations()
        self._are_shown = CachedFile(bar_files.settings(env), lambda: are_shown(env))

    def of(self, sessions: Iterable[SessionStatus]) -> dict[str, Glimpse]:
        """An unchanged transcript costs a `stat` or two."""
        return _allowed(self._conversations.of(sessions), is_wanted=self._are_shown.now())


def are_shown(env: Mapping[str, str]) -> bool:
    """The setting show.last_words. To read TOML takes a tenth of `yourturn status`: a file without its name is not."""
    try:
        is_named = b"last_words" in (store.read(os.path.realpath(bar_files.settings(env))) or b"")
    except OSError:
        return True
    if not is_named:
        return True
    from statusbar.settings import settings  # noqa: PLC0415 - slow to import, and seldom needed

    return settings.load(env).last_words


def _allowed(found: dict[str, Glimpse], *, is_wanted: bool) -> dict[str, Glimpse]:
    return found if is_wanted else {id_: glimpse.without_words for id_, glimpse in found.items()}
