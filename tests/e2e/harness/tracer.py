"""Records one client's run, see ``e2e.harness.trace``: a hook of its own that stamps, and eyes on everything else."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import threading
import time
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

from contract.clients.claude import EVENTS
from e2e.harness import trace
from e2e.harness.api import Api, Asked
from e2e.harness.client import Client
from e2e.harness.trace import MAIN, Moment, Timeline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from e2e.harness.dialects import Dialect
    from e2e.harness.home import Home

EVERY_S = 0.002
# One file for each event, named by its time. Not Python: it would come 30 ms late.
STAMP = 'at=$(date +%s%N); cd && cat > "stamped/.$at.$$" && mv "stamped/.$at.$$" "stamped/$at.$$"'


def stamping(**beside: str) -> dict[str, Any]:
    """Settings with the stamping hook for every event, and a person's own commands beside it for some."""
    hooks = {event: [_entry(STAMP)] for event in EVENTS}
    for event, command in beside.items():
        hooks[event] = [*hooks[event], _entry(command)]
    return {"hooks": hooks}


def marked(name: str, command: str) -> str:
    """A hook's command whose begin and end are moments of the timeline."""
    note = 'echo "{}" > "$HOME/marked/$(date +%s%N)"'
    return f"{note.format(name + ' begins')}; ({command}); code=$?; {note.format(name + ' ends')}; exit $code"


class TracedApi(Api):
    """An API that remembers when it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.moments: Timeline = []

    def take(self, body: dict[str, Any], dialect: Dialect) -> Asked:
        asked = super().take(body, dialect)
        what = f"{'request' if body.get('tools') else 'side request'} → {_said(asked.step)}"
        self.moments.append(Moment(time.time(), trace.API, "", what))
        return asked


class TracedClient(Client):
    """A client that remembers which keys were pressed."""

    def __init__(self, *args: Any, **more: Any) -> None:
        self.moments: Timeline = []
        super().__init__(*args, **more)

    def key(self, *keys: str) -> None:
        self.moments.append(Moment(time.time(), trace.KEY, "", " ".join(keys)))
        super().key(*keys)


class Tracer:
    """A context manager: looks at a home from the moment it is entered."""

    def __init__(self, home: Home) -> None:
        self.home, self.seen = home, Timeline()
        self._registry: dict[str, tuple[int, str]] = {}
        self._read: dict[str, int] = {}
        self._commands: dict[int, str] = {}
        self.pids: list[int] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look_on, name="tracer")
        for folder in ("stamped", "marked"):
            os.makedirs(f"{home.path}/{folder}", exist_ok=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def timeline(self, *others: Timeline) -> Timeline:
        """Everything up to now, and what others remember."""
        moments = [*self.seen, *self._hooks(), *self._marks(), *(moment for other in others for moment in other)]
        return sorted(moments, key=lambda moment: moment.at)

    def _look_on(self) -> None:
        while not self._ended.wait(EVERY_S):
            self._look_at_registry()
            self._look_at_transcripts()
            self._look_at_commands()
        self._look_at_transcripts()

    def _look_at_registry(self) -> None:
        paths = glob.glob(f"{self.home.config}/sessions/[0-9]*.json")
        for path in set(self._registry) - set(paths):
            del self._registry[path]
            self.seen.append(Moment(time.time(), trace.REGISTRY, _pid(path), "removed"))
        for path in paths:
            with contextlib.suppress(OSError, ValueError):
                self._look_at_record(path)

    def _look_at_record(self, path: str) -> None:
        changed = os.stat(path).st_mtime_ns
        known, before = self._registry.get(path, (0, ""))
        if changed == known:
            return
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        updated = record.get("statusUpdatedAt")
        what, session = trace.registry(record), str(record.get("sessionId"))
        self._registry[path] = changed, f"{what} {session} {updated}"
        if self._registry[path][1] != before:
            own = updated / 1000 if updated else None
            self.seen.append(Moment(changed / 1e9, trace.REGISTRY, _pid(path), what, own, session))

    def _look_at_transcripts(self) -> None:
        for path in glob.glob(f"{self.home.config}/projects/**/*.jsonl", recursive=True):
            for raw in self._new_lines(path):
                with contextlib.suppress(ValueError):
                    record = json.loads(raw)
                    self.seen.append(_line(path, record))

    def _new_lines(self, path: str) -> list[bytes]:
        offset = self._read.get(path, 0)
        if os.stat(path).st_size <= offset:
            return []
        with open(path, "rb") as file:
            file.seek(offset)
            whole, end, _ = file.read().rpartition(b"\n")
        self._read[path] = offset + len(whole) + len(end)
        return whole.split(b"\n") if end else []

    def _look_at_commands(self) -> None:
        children = {child for pid in self.pids for child in _children(pid)}
        for child in set(self._commands) - children:
            self.seen.append(Moment(time.time(), trace.COMMAND, "", f"ends: {self._commands.pop(child)}"))
        for child in children - set(self._commands):
            words = _command(child)
            if words:
                self._commands[child] = words
                self.seen.append(Moment(time.time(), trace.COMMAND, "", f"begins: {words}"))

    def _hooks(self) -> Iterator[Moment]:
        for name in os.listdir(f"{self.home.path}/stamped"):
            if not name.startswith("."):
                with open(f"{self.home.path}/stamped/{name}", encoding="utf-8") as file:
                    payload = json.load(file)
                who = payload.get("agent_id") or MAIN
                yield Moment(
                    int(name.split(".")[0]) / 1e9, trace.HOOK, who, trace.hook(payload), None, payload["session_id"]
                )

    def _marks(self) -> Iterator[Moment]:
        for name in os.listdir(f"{self.home.path}/marked"):
            with open(f"{self.home.path}/marked/{name}", encoding="utf-8") as file:
                yield Moment(int(name) / 1e9, trace.HOOK, "", file.read().strip())


def _entry(command: str) -> dict[str, Any]:
    return {"hooks": [{"type": "command", "command": command, "timeout": 60}]}


def _said(step: dict[str, Any]) -> str:
    calls = [str(call["name"]) for call in step.get("tools", [])]
    trouble = [str(step["status"])] if "status" in step else []
    return " ".join([*trouble, *calls, *([repr(step["text"][:30])] if step.get("text") else [])])


def _pid(path: str) -> str:
    return os.path.basename(path).partition(".")[0]


def _line(path: str, record: dict[str, Any]) -> Moment:
    name = os.path.basename(path).removesuffix(".jsonl")
    who = name.removeprefix("agent-") if name.startswith("agent-") else MAIN
    session = name if who == MAIN else str(record.get("sessionId"))
    return Moment(time.time(), trace.TRANSCRIPT, who, trace.line(record), _own(record), session)


def _own(record: dict[str, Any]) -> float | None:
    stamp = record.get("timestamp")
    return datetime.fromisoformat(stamp).timestamp() if isinstance(stamp, str) else None


def _children(pid: int) -> Iterator[int]:
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        with contextlib.suppress(OSError), open(path, encoding="ascii") as file:
            yield from (int(word) for word in file.read().split())


def _command(pid: int) -> str:
    """What an agent's Bash runs; empty for the client's hooks and servers."""
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
            words = file.read().replace("\0", " ")
    except OSError:
        return ""
    _, found, command = words.partition("eval ")
    return command.partition(" <")[0].partition(" &&")[0].strip("'\" ") if found else ""
