"""The rollouts of one session: main's and those of its sub-agents, followed line by line.

They lie in a folder for each day, `<config>/sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from contract.paths import MAIN
from watcher.clients.base import Meta
from watcher.clients.codex.rollout import gist, opens_turn, parse
from watcher.clients.followed import Followed, Speech
from watcher.files.tail import AT_ONCE, Trouble
from watcher.rules.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Collection

    from watcher.clock import Clock
    from watcher.files.allowance import Share
    from watcher.files.tail import Mark

SPEECH = Speech(parse, opens_turn, gist)
THREAD = re.compile(r"[0-9a-f-]{36}")
SEARCH_S = 5.0  # a rollout that was not found is looked for this often
MOST_DAYS = 40  # so many folders are searched, the newest first
MOST_SUBS = 64
OVER = ("error", "interrupt")  # ends that no hook tells of


class Rollouts:
    def __init__(self, folder: str, path: str, share: Share | None = None) -> None:
        """`share`: how much it may read in one look, where others read too."""
        self._sessions, self._share = f"{folder}/sessions", share
        self.main = Followed(path, SPEECH)
        self._subs: dict[str, Followed] = {}
        self._sought: dict[str, float] = {}  # by sub-agent: when its rollout was last looked for
        self.metas: dict[str, Meta] = {}

    def look(self, now: float, clock: Clock, live: Collection[str] | None) -> None:
        """`live`: the agents that hooks know to be alive. Without hooks no sub-agent is known."""
        self._read(self.main, now, clock)
        wanted = [key for key in live or () if key != MAIN][:MOST_SUBS]
        self._subs = {key: sub for key in wanted if (sub := self._subs.get(key) or self._found(key, now))}
        self._sought = {key: at for key, at in self._sought.items() if key in wanted}
        for sub in self._subs.values():
            self._read(sub, now, clock)
        self.metas = {key: Meta(over=sub.turn.how in OVER) for key, sub in self._subs.items()}
        if self._share:
            self._share.ask_again(self.main.is_behind or any(sub.is_behind for sub in self._subs.values()))

    def is_unchanged(self, _now: float, live: Collection[str] | None) -> bool:
        """Whether a look would find what the last one found."""
        followed = (self.main, *self._subs.values())
        if any(one.is_behind for one in followed) or set(live or ()) - {MAIN, *self._subs}:
            return False
        if self.main.trouble is Trouble.GONE and not os.path.exists(self.main.tail.path):
            followed = tuple(self._subs.values())
        return all(one.tail.is_unchanged() for one in followed)

    def mark(self, live: Collection[str] | None) -> Mark | None:
        """None where more has to be asked."""
        is_alone = not self._subs and {MAIN}.issuperset(live or ())
        return self.main.tail.mark() if is_alone and not self.main.is_behind else None

    @property
    def is_unseen(self) -> bool:
        """There is a rollout, and it has to wait for its first sight."""
        return self.main.is_behind and not self.main.tail.is_seen

    @property
    def turns(self) -> dict[str, Turn]:
        found = {MAIN: self.main.turn, **{key: sub.turn for key, sub in self._subs.items()}}
        return {key: turn for key, turn in found.items() if turn != Turn()}

    @property
    def folders(self) -> set[str]:
        """Where something new may appear."""
        return {path.rpartition("/")[0] for path in self.files}

    def told(self, _path: str) -> None:
        """It is always where it was."""

    @property
    def files(self) -> set[str]:
        return {one.tail.path for one in (self.main, *self._subs.values())}

    def _read(self, one: Followed, now: float, clock: Clock) -> None:
        spent = one.look(now, clock, self._share.portion() if self._share else AT_ONCE)
        if self._share:
            self._share.spend(spent)

    def _found(self, thread: str, now: float) -> Followed | None:
        """A sub-agent has a rollout of its own, of the day on which it began."""
        if now - self._sought.get(thread, float("-inf")) < SEARCH_S:
            return None
        self._sought[thread] = now
        path = find_rollout(self._sessions, thread, first=self.main.tail.path.rpartition("/")[0])
        return Followed(path, SPEECH) if path else None


def find_rollout(sessions: str, thread: str, first: str = "") -> str:
    """Where a thread's rollout lies; '' if it is not found. `first`: the folder that is searched first."""
    if not THREAD.fullmatch(thread):
        return ""
    ending = f"-{thread}.jsonl"
    for folder in (first, *_days(sessions)):
        for name in _names(folder) if folder else ():
            if name.startswith("rollout-") and name.endswith(ending):
                return f"{folder}/{name}"
    return ""


def _days(sessions: str) -> list[str]:
    """The newest first."""
    found = [sessions]
    for _ in ("year", "month", "day"):
        below = [f"{folder}/{name}" for folder in found for name in _names(folder) if name.isdigit()]
        found = sorted(below, reverse=True)[:MOST_DAYS]
    return found


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except (OSError, ValueError):
        return []
