"""A session's sub-agents, as the client lays them down beside the session's transcript."""

from __future__ import annotations

import os
import re
import stat
from typing import Any, NamedTuple

from contract import store
from contract.clean import clean
from contract.wire import decode
from watcher.clients.base import Meta

DEEPEST = 3  # workflows keep theirs in subagents/workflows/<run>
META_LIMIT = 64 * 1024
TEXT_LIMIT, ID_LIMIT = 80, 128
# Two changes in one tick of the file system's clock leave the same time; some clocks tick in seconds.
SETTLED = 2.0

_AGENT = re.compile(r"agent-([A-Za-z0-9_-]{1,64})(\.jsonl|\.meta\.json)")
_Signature = tuple[int, int, int]


class SubAgent(NamedTuple):
    """One sub-agent, as of the listing."""

    agent_id: str
    path: str  # of its transcript
    meta: Meta
    is_written: bool = True  # its transcript is there: the note on it may come first


class Subagents:
    """Lists the sub-agents of one session; where no folder changed, a look is one `stat` for each folder."""

    def __init__(self, transcript_path: str) -> None:
        self.root = transcript_path.removesuffix(".jsonl") + "/subagents"
        self._folders: dict[str, int] = {}
        self._metas: dict[str, tuple[_Signature, Meta]] = {}
        self._listed_at = 0.0
        self._agents: tuple[SubAgent, ...] = ()

    def look(self, now: float) -> tuple[SubAgent, ...]:
        """In the order of their ids; `now` in wall-clock seconds."""
        if not self.is_unchanged():
            self._folders, self._listed_at = {}, now
            self._agents = tuple(sorted(self._scan(self.root, DEEPEST)))
        return self._agents

    def is_unchanged(self) -> bool:
        """Whether the list stands as it was; a folder that is not there may come."""
        latest = (self._listed_at - SETTLED) * 1e9
        known = self._folders.items()
        return bool(known) and all(at < latest and _changed_at(path) == at for path, at in known)

    def _scan(self, folder: str, depth: int) -> list[SubAgent]:
        changed_at = _changed_at(folder)  # before the scan: what comes during it is seen the next time
        if changed_at is None:
            return []
        self._folders[folder] = changed_at
        found: dict[str, bool] = {}  # whether its transcript is there, by id
        below: list[SubAgent] = []
        for entry in _entries(folder):
            if (name := _AGENT.fullmatch(entry.name)) and _is_file(entry):
                found[name[1]] = found.get(name[1], False) or name[2] == ".jsonl"
            elif depth and entry.is_dir(follow_symlinks=False):
                below += self._scan(entry.path, depth - 1)
        return [
            self._listed(f"{folder}/agent-{key}.jsonl", key, is_written) for key, is_written in found.items()
        ] + below

    def _listed(self, path: str, key: str, is_written: bool) -> SubAgent:
        return SubAgent(key, path, self._meta(path), is_written)

    def _meta(self, transcript: str) -> Meta:
        """Read once for each version: the client replaces it when the agent is over."""
        path = transcript.removesuffix(".jsonl") + ".meta.json"
        signature = store.signature_of(path)
        if signature is None:
            return Meta()
        if path not in self._metas or self._metas[path][0] != signature:
            self._metas[path] = signature, read_meta(path)
        return self._metas[path][1]


def read_meta(path: str) -> Meta:
    """All of it cleaned; an empty one where there is nothing fit to read."""
    try:
        raw = decode(_bounded(path))
    except (OSError, ValueError):
        return Meta()
    return _meta(raw) if isinstance(raw, dict) else Meta()


def _meta(raw: dict[str, Any]) -> Meta:
    """Of an `agent-<id>.meta.json`."""
    return Meta(
        type=clean(raw.get("agentType"), TEXT_LIMIT),
        call_id=clean(raw.get("toolUseId"), ID_LIMIT),
        over=raw.get("finished") is True or raw.get("stoppedByUser") is True,
        parent=clean(raw.get("parentAgentId"), ID_LIMIT),
        name=clean(raw.get("name"), TEXT_LIMIT) if raw.get("taskKind") == "in_process_teammate" else "",
    )


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link to itself
        return False


def _bounded(path: str) -> bytes:
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY | os.O_NOFOLLOW)
    try:
        return os.read(fd, META_LIMIT) if stat.S_ISREG(os.fstat(fd).st_mode) else b""
    finally:
        os.close(fd)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _changed_at(path: str) -> int | None:
    try:
        return os.stat(path).st_mtime_ns
    except (OSError, ValueError):
        return None
