"""The facts that hooks have written: read again only when a file changed, removed only when proven dead."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from filelock import FileLock, Timeout

from contract import facts, paths, store

if TYPE_CHECKING:
    from collections.abc import Iterable

    from contract.facts import Fact


class _Kept(NamedTuple):
    signature: tuple[int, int, int]
    fact: Fact | None


class FactFiles:
    def __init__(self, home: str) -> None:
        self._folder = paths.fact_dir(home)
        self._kept: dict[str, _Kept] = {}
        self.sessions: dict[str, dict[str, Fact]] = {}  # by session, then by agent

    def read(self) -> set[str]:
        """Look at every file; the sessions that changed."""
        try:
            with os.scandir(self._folder) as entries:
                there = [entry.name for entry in entries if entry.name.endswith(".json")]
        except OSError:
            there = []
        return self.read_some({*there, *self._kept})

    def read_some(self, names: Iterable[str]) -> set[str]:
        """Look at these files; the sessions that changed."""
        return {session for name in names for session in self._look(name)}

    def bury(self, session: str) -> None:
        """Remove the facts of a session that is proven dead: the one place where anybody but a hook touches them."""
        for agent in list(self.sessions.get(session, {})):
            path = paths.fact(self._folder.removesuffix("/facts"), session, agent)
            try:
                with FileLock(path + ".lock", timeout=1, mode=0o600):
                    if not self._is_as_seen(path):
                        continue  # somebody has come back to life since we looked
                    store.remove(path)
                    store.remove(path + ".tmp")
                    store.remove(path + ".lock")
            except (Timeout, OSError):
                continue  # a hook is at it: not so dead after all, or the next look will tell
            self._look(os.path.basename(path))

    def _is_as_seen(self, path: str) -> bool:
        kept = self._kept.get(os.path.basename(path))
        try:
            return kept is not None and kept.signature == store.signature(os.stat(path, follow_symlinks=False))
        except OSError:
            return True

    def _look(self, name: str) -> list[str]:
        path = f"{self._folder}/{name}"
        old = self._kept.get(name)
        try:
            found = os.stat(path, follow_symlinks=False)
        except OSError:
            return self._forget(name)
        signature = store.signature(found)
        if old and old.signature == signature:
            return []
        fact = _load(path)
        self._kept[name] = _Kept(signature, fact)
        if fact is None:
            return self._drop(old)
        self.sessions.setdefault(fact.session, {})[fact.agent] = fact
        return [fact.session]

    def _forget(self, name: str) -> list[str]:
        return self._drop(self._kept.pop(name, None))

    def _drop(self, old: _Kept | None) -> list[str]:
        if old is None or old.fact is None:
            return []
        agents = self.sessions.get(old.fact.session, {})
        agents.pop(old.fact.agent, None)
        if not agents:
            self.sessions.pop(old.fact.session, None)
        return [old.fact.session]


def _load(path: str) -> Fact | None:
    try:
        data = store.read(path)
    except OSError:
        return None
    return facts.decode(data) if data else None
