"""The facts that hooks have written: read again only when a file changed, removed only when proven dead."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from filelock import FileLock, Timeout

from contract import facts, paths, store
from contract.content import content
from watcher.files.folder import Folder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from contract.facts import Fact


class _Kept(NamedTuple):
    signature: tuple[int, int, int]
    fact: Fact | None
    session: str = ""  # under which name it is kept


class FactFiles:
    def __init__(self, home: str) -> None:
        self._folder = paths.fact_dir(home)
        self._listed = Folder(self._folder)
        self._kept: dict[str, _Kept] = {}
        self.version = 0  # another one when a session changed
        self.sessions: dict[str, dict[str, Fact]] = {}  # by session, then by agent

    def read(self) -> set[str]:
        """Look at every file; the sessions that changed.

        Hooks replace their files, which changes the folder: one that has not changed has no new fact in it.
        """
        if not self._listed.may_have_changed():
            return set()
        try:
            with os.scandir(self._folder) as entries:
                there = [entry.name for entry in entries if entry.name.endswith(".json")]
        except OSError:
            there = []
        return self.read_some({*there, *self._kept})

    def read_some(self, names: Iterable[str]) -> set[str]:
        """Look at these files; the sessions that changed. Main agents first: their sub-agents go where they are."""
        in_order = sorted(names, key=lambda name: not name.endswith(f".{paths.MAIN}.json"))
        changed = {session for name in in_order for session in self._look(name)}
        self.version += bool(changed)
        return changed

    def remove(self, session: str) -> None:
        """Remove the facts of a session that is proven dead: the one place where anybody but a hook touches them."""
        for name in [name for name, kept in self._kept.items() if kept.session == session and kept.fact]:
            path = f"{self._folder}/{name}"
            try:
                with FileLock(path + ".lock", timeout=1, mode=0o600):
                    if not self._is_as_seen(path):
                        continue  # somebody has come back to life since we looked
                    store.remove(path)
                    store.remove(path + ".tmp")
                    store.remove(path + ".lock")
            except (Timeout, OSError):
                continue  # a hook is at it: not so dead after all, or the next look will tell
            self._look(name)
            self.version += 1

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
        fact = facts.decode(content(path))
        if fact is None:
            self._kept[name] = _Kept(signature, None)
            return self._drop(old)
        session = self._session_of(fact)
        moved = self._drop(old) if old and old.session != session else []
        self._kept[name] = _Kept(signature, fact, session)
        self.sessions.setdefault(session, {})[fact.agent] = fact
        return [*moved, session]

    def _session_of(self, fact: Fact) -> str:
        """Two living processes that have the same session open are two rows, each with its own sub-agents."""
        twin = paths.twin(fact.session, fact.client.pid) if fact.client else ""
        return twin if twin and (fact.twin or twin in self.sessions) else fact.session

    def _forget(self, name: str) -> list[str]:
        return self._drop(self._kept.pop(name, None))

    def _drop(self, old: _Kept | None) -> list[str]:
        if old is None or old.fact is None:
            return []
        agents = self.sessions.get(old.session, {})
        agents.pop(old.fact.agent, None)
        if not agents:
            self.sessions.pop(old.session, None)
        return [old.session]
