"""Somebody who looks at what one watcher publishes, all the time, and writes it down."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from contract import paths, status, store
from e2e.harness.patience import PATIENCE_S, until
from e2e.harness.stalls import Stalls

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    from contract.status import SessionStatus
    from e2e.harness.truth import Told

    Agrees = Callable[[list[Told]], bool]
    Look = Callable[["Onlooker", Agrees, float], float | None]

EVERY_S = 0.005


class Sample(NamedTuple):
    """What was published from this moment on, until the next sample."""

    at: float
    everything: tuple[SessionStatus, ...]
    sessions: list[Told]  # without those that are hidden, as everybody is shown them


class Onlooker:
    """A context manager; at its end the watcher ends, and must have had no trouble."""

    def __init__(self, state: str, watch: Callable[[], subprocess.Popen[bytes]]) -> None:
        self.state, self._watch, self._watcher = state, watch, watch()
        self.samples: list[Sample] = []
        self.stalls = Stalls()
        self._files: dict[str, tuple[int, SessionStatus]] = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look_on)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self._watcher.terminate()
        self._watcher.wait(PATIENCE_S)
        assert "Traceback" not in self.log(), self.log()

    def ready(self) -> None:
        until(self._beats, PATIENCE_S, lambda: f"no watcher: {self.log()}")

    def kill_watcher(self) -> None:
        self._watcher.kill()
        self._watcher.wait(PATIENCE_S)

    def start_watcher(self) -> None:
        self._watcher = self._watch()

    @property
    def shown(self) -> list[Told]:
        """Now."""
        return self.samples[-1].sessions if self.samples else []

    def since(self, at: float) -> list[Sample]:
        """The sample that was valid at this moment, and all after it."""
        samples = list(self.samples)
        first = max((number for number, sample in enumerate(samples) if sample.at <= at), default=0)
        return samples[first:]

    def agrees_since(self, agrees: Agrees, _after: float) -> float | None:
        """When that began what lasts until now; None if it is not so now."""
        arrived = None
        for sample in reversed(list(self.samples)):
            if not agrees(sample.sessions):
                break
            arrived = sample.at
        return arrived

    def agreed_first(self, agrees: Agrees, after: float) -> float | None:
        """When that came first; None if it has not come yet."""
        return next((sample.at for sample in self.since(after) if agrees(sample.sessions)), None)

    def free_time(self, begin: float, end: float) -> float:
        """The seconds from one moment to another in which nobody waited for a processor."""
        return end - begin - self.stalls.between(begin, end)

    def log(self) -> str:
        logs = (store.read(path) for path in (paths.watcher_log(self.state), paths.hook_log(self.state)))
        return "\n".join(data.decode() for data in logs if data)

    def story(self) -> str:
        """For a person who has to find out why."""
        lines = []
        for sample in self.samples[-16:]:
            shown = [told(one) for one in sample.sessions] or ["nothing"]
            lines += [f"{sample.at:.3f} {one}" for one in shown]
        return "\n".join(lines)

    def _beats(self) -> bool:
        """Whether the heart that beats is the one of this watcher: one that was killed leaves its last beat behind."""
        data = store.read(paths.heartbeat(self.state))
        return data is not None and json.loads(data)["pid"] == self._watcher.pid

    def _look_on(self) -> None:
        while not self._ended.wait(EVERY_S):
            self.stalls.look(time.time())
            at = self._read()
            if at is not None:
                found = tuple(one for _, (_, one) in sorted(self._files.items()))
                shown = [json.loads(status.encode(one)) for one in found if not one.hidden]
                self.samples.append(Sample(at, found, shown))

    def _read(self) -> float | None:
        """When something changed; None if nothing did."""
        there = _times(paths.status_dir(self.state))
        changed = [] if self.samples else [time.time()]
        for path in set(self._files) - set(there):
            del self._files[path]
            changed.append(time.time())
        for path, at in there.items():
            known = self._files.get(path)
            one = None if known and known[0] == at else _load(path)
            if one is not None:
                self._files[path] = at, one
                if known is None or known[1] != one:
                    changed.append(at / 1e9)
        return max(changed, default=None)


def _load(path: str) -> SessionStatus | None:
    data = store.read(path)
    return status.decode(data) if data else None


def _times(folder: str) -> dict[str, int]:
    """A status is replaced as a whole, so the time of its file is the time it was published."""
    found = {}
    for name in store.names(folder):
        with contextlib.suppress(FileNotFoundError):
            found[f"{folder}/{name}"] = os.stat(f"{folder}/{name}").st_mtime_ns
    return found


def told(session: dict[str, Any]) -> str:
    agents = "; ".join(
        f"{a['key'][:8]} {a['kind']} {a['state']} {a['status']} {a['detail']!r} by {a['rule']}/{a['evidence']}"
        for a in session["agents"]
    )
    return f"{session['session_id'][:8]} {session['status']} {session['detail']!r} [{agents}]"
