"""What `yourturn wait` waits for, and whether it has come. Pure: it is shown statuses that are up to date, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract import paths
from contract.status import NEEDS_APPROVAL, WAITING
from statusbar.model import agents, ids, targets
from statusbar.model.targets import Target
from statusbar.model.wait_words import ANY_CHANGE, GONE, YOUR_TURN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from contract.status import SessionStatus
    from statusbar.model.snapshot import Statuses

    Key = tuple[str, str]

NEW = ""  # the state of a session before it was there


class Change(NamedTuple):
    id: str
    target: Target  # as it was last seen
    before: str  # its state when the wait began
    after: str


class End(NamedTuple):
    is_reached: bool
    changes: tuple[Change, ...]


class WaitProgress:
    """Without words, any session that is shown: also one that begins later."""

    def __init__(self, words: Sequence[str], wanted: str, *, every: bool = False) -> None:
        self._words, self._wanted, self._every = words, wanted, every
        self._seen: dict[Key, Target] = {}
        self._first: dict[Key, str] = {}
        self._now: dict[Key, str] = {}
        self._ids: dict[str, str] = {}
        self._began = False

    def look(self, statuses: Statuses) -> End | None:
        """How the wait has ended, or None. Raises Unclear at the first look."""
        self._take(self._targets(statuses), statuses)
        reached = [key for key in self._now if self._is_so(key)]
        if self._is_enough(reached):
            return End(is_reached=True, changes=self._changes(reached))
        lost = [key for key in self._now if self._words and self._is_lost(key)]
        if lost and (self._every or len(lost) == len(self._now)):
            return End(is_reached=False, changes=self._changes(lost))
        return None

    def changes(self) -> tuple[Change, ...]:
        """All of them as they are now."""
        return self._changes(list(self._now))

    def lost(self) -> tuple[Change, ...]:
        """Those that went away before what was waited for."""
        return self._changes([key for key in self._now if self._words and self._is_lost(key)])

    def _targets(self, statuses: Statuses) -> dict[Key, Target]:
        """A group is those that were in it when the wait began."""
        if not self._words:
            shown = [session for session in agents.heads(statuses.sessions) if not session.hidden]
            return {(session.session_id, ""): Target(session) for session in shown}
        if not self._began:
            named = [target for word in self._words for target in targets.find(statuses, word)]
            return {target.key: target for target in named}
        there = {session.session_id: session for session in statuses.sessions}
        found = (_again(key, there[key[0]]) for key in self._seen if key[0] in there)
        return {target.key: target for target in found if target}

    def _take(self, there: Mapping[Key, Target], statuses: Statuses) -> None:
        self._ids |= ids.of_sessions(statuses.sessions)
        for key, target in there.items():
            self._first.setdefault(key, NEW if self._began else _state(target))
        unread = {key for key, seen in self._seen.items() if _is_unread(seen.session, statuses)}
        gone = {key: GONE for key in self._seen if key not in there and key not in unread}
        self._seen |= there
        self._now |= {**gone, **{key: _state(target) for key, target in there.items()}}
        self._began = True

    def _is_so(self, key: Key) -> bool:
        state = self._now[key]
        if self._wanted == ANY_CHANGE:
            return state != self._first[key]
        return state in (NEEDS_APPROVAL, WAITING) if self._wanted == YOUR_TURN else state == self._wanted

    def _is_lost(self, key: Key) -> bool:
        return self._now[key] == GONE and self._wanted not in (GONE, ANY_CHANGE)

    def _is_enough(self, reached: Sequence[Key]) -> bool:
        if not self._every:
            return bool(reached)
        # What is gone is no session any more; if all are wanted gone, there may have been none at all.
        counted = self._now if self._words or self._wanted == GONE else [k for k in self._now if self._now[k] != GONE]
        return len(reached) >= len(counted) and bool(counted or self._wanted == GONE)

    def _changes(self, keys: Sequence[Key]) -> tuple[Change, ...]:
        made = ((self._seen[key], self._first[key], self._now[key]) for key in keys)
        return tuple(Change(targets.short_id(target, self._ids), target, *states) for target, *states in made)


def _is_unread(session: SessionStatus, statuses: Statuses) -> bool:
    """It is not gone: nobody knows how it is."""
    if session.host:
        return any(host.name == session.host and not host.speaks for host in statuses.hosts)
    return paths.file_name(session.session_id) + ".json" in statuses.trouble


def _again(key: Key, session: SessionStatus) -> Target | None:
    if not key[1]:
        return Target(session)
    return next((Target(session, agent) for agent in session.agents if agent.key == key[1]), None)


def _state(target: Target) -> str:
    return GONE if target.agent and agents.has_ended(target.agent) else target.status.status
