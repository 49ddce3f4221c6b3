"""The transcripts of one session: main's and those of its sub-agents, followed line by line."""

from __future__ import annotations

import os
import re
import stat
from functools import partial
from typing import TYPE_CHECKING

from contract.paths import MAIN
from watcher.clients import followed
from watcher.clients.claude.subagents import Subagents
from watcher.clients.claude.transcript import gist, opens_turn, parse
from watcher.clients.followed import Speech
from watcher.files.tail import AT_ONCE, Mark, Trouble
from watcher.rules.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Collection

    from watcher.clients.base import Meta
    from watcher.clock import Clock
    from watcher.files.allowance import Share

ONLY_MAIN = frozenset({MAIN})
_SESSION = re.compile(r"[A-Za-z0-9_-]{1,128}")
SEARCH_S = 5.0  # a transcript that is not where it was is looked for this often


class Followed(followed.Followed):
    def __init__(self, path: str, *, sidechain: bool) -> None:
        read, opens = partial(parse, sidechain=sidechain), partial(opens_turn, sidechain=sidechain)
        super().__init__(path, Speech(read, opens, gist))


class Following:
    def __init__(self, session: str, config: str, path: str, share: Share | None = None) -> None:
        """`share`: how much it may read in one look, where others read too."""
        self._session, self._config, self._share = session, config, share
        self._searched = float("-inf")
        self.main = Followed(path, sidechain=False)
        self._subagents = Subagents(path)
        self._subs: dict[str, Followed] = {}
        self.metas: dict[str, Meta] = {}

    def told(self, _path: str) -> None:
        """One that was moved is found again by its name."""

    def look(self, now: float, clock: Clock, live: Collection[str] | None) -> None:
        """`live`: the sub-agents that hooks know to be alive; None if the transcripts have to tell."""
        self._read(self.main, now, clock)
        if self.main.trouble is Trouble.GONE and now - self._searched > SEARCH_S:
            self._searched = now
            self._move(find_transcript(self._config, self._session), now, clock)
        self._look_at_subagents(now, clock, live)
        if self._share:
            self._share.ask_again(self.main.is_behind or any(sub.is_behind for sub in self._subs.values()))

    def is_unchanged(self, now: float, live: Collection[str] | None) -> bool:
        """Whether a look would find what the last one found."""
        if self.main.is_behind or (self._subs and any(sub.is_behind for sub in self._subs.values())):
            return False
        if self.main.trouble is Trouble.GONE and not os.path.exists(self.main.tail.path):
            return now - self._searched <= SEARCH_S and not self._subs and self._has_no_subagents(live)
        if not self.main.tail.is_unchanged():
            return False
        if not self._subs and self._has_no_subagents(live):
            return True
        return self._subagents.is_unchanged() and all(sub.tail.is_unchanged() for sub in self._subs.values())

    def mark(self, live: Collection[str] | None) -> Mark | None:
        """None where more has to be asked: of sub-agents, or of a transcript that is not there."""
        is_alone = live is not None and ONLY_MAIN.issuperset(live) and not self._subs
        is_read = self.main.trouble is not Trouble.GONE and not self.main.is_behind
        return self.main.tail.mark() if is_alone and is_read else None

    def _has_no_subagents(self, live: Collection[str] | None) -> bool:
        """By what hooks tell; or because there is no folder of them."""
        return ONLY_MAIN.issuperset(live) if live is not None else not os.path.exists(self._subagents.root)

    def _read(self, one: Followed, now: float, clock: Clock) -> None:
        spent = one.look(now, clock, self._share.portion() if self._share else AT_ONCE)
        if self._share:
            self._share.spend(spent)

    @property
    def is_unseen(self) -> bool:
        """There is a transcript, and it has to wait for its first sight."""
        return self.main.is_behind and not self.main.tail.is_seen

    @property
    def turns(self) -> dict[str, Turn]:
        found = {"main": self.main.turn, **{key: sub.turn for key, sub in self._subs.items()}}
        return {key: turn for key, turn in found.items() if turn != Turn()}

    @property
    def folders(self) -> set[str]:
        """Where something new may appear."""
        path = self.main.tail.path
        known = {sub.tail.path.rpartition("/")[0] for sub in self._subs.values()}
        return {path.rpartition("/")[0], path.removesuffix(".jsonl") + "/subagents", *known}

    @property
    def files(self) -> set[str]:
        return set()

    def _move(self, path: str | None, now: float, clock: Clock) -> None:
        if path and path != self.main.tail.path:
            self.main.tail.path = path
            self._subagents = Subagents(path)
            self._read(self.main, now, clock)

    def _look_at_subagents(self, now: float, clock: Clock, live: Collection[str] | None) -> None:
        there = {sub.agent_id: sub for sub in self._subagents.look(clock.wall(now))}
        told = {key for key, sub in there.items() if sub.is_written and not sub.meta.over}
        for key in (told | {there[key].meta.parent for key in told}) & set(self._subs):
            self._subs[key].at_work_at = now
        told |= {key for key, sub in self._subs.items() if key in there and sub.may_go_on(now)}
        told |= {there[key].meta.parent for key in told} & set(there)  # who goes on will wake who started it
        wanted = [key for key in there if key in (told if live is None else live)]
        self._subs = {key: self._subs.get(key) or Followed(there[key].path, sidechain=True) for key in wanted}
        for sub in self._subs.values():
            self._read(sub, now, clock)
        self.metas = {key: there[key].meta for key in wanted}


def find_transcript(config_dir: str, session_id: str) -> str | None:
    """Where a session's transcript lies now: a worktree switch moves it to another project's folder."""
    if not _SESSION.fullmatch(session_id):
        return None
    found = [(at, path) for path in _candidates(config_dir, session_id) if (at := _written(path)) is not None]
    return max(found)[1] if found else None


def _candidates(config_dir: str, session_id: str) -> list[str]:
    try:
        with os.scandir(f"{config_dir}/projects") as projects:
            return [f"{project.path}/{session_id}.jsonl" for project in projects]
    except (OSError, ValueError):
        return []


def _written(path: str) -> int | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns if stat.S_ISREG(found.st_mode) else None
