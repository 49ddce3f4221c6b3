"""A client under our eyes: hooks installed, watchers running, and every status they publish written down."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from e2e.client import until

from contract import status, store

if TYPE_CHECKING:
    from collections.abc import Mapping

    from e2e.client import Client
    from e2e.conftest import Clients
    from e2e.home import Home

    from contract.status import SessionStatus

LIMIT_S = 2.0  # no verdict may be later than this
ALL, WITHOUT_REGISTRY = "all", "without registry"
EVIDENCE = {ALL: "hooks,transcript,registry,process", WITHOUT_REGISTRY: "hooks,transcript,process"}
COMMAND = [sys.executable, "-m", "yourturn"]
PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))


class Sample(NamedTuple):
    at: float
    sessions: dict[str, SessionStatus]


class Watcher:
    """The real watcher in a process of its own, with some of its sources; its statuses are sampled all the time."""

    def __init__(self, name: str, home: Home, state: str, env: Mapping[str, str]) -> None:
        self.name, self.state = name, state
        self.samples: list[Sample] = []
        self.env = {**env, "YOURTURN_HOME": state, "YOURTURN_EVIDENCE": EVIDENCE[name], "PYTHONPATH": PROJECT}
        self.process = subprocess.Popen([*COMMAND, "watch"], env=self.env, cwd=home.path)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        until(lambda: store.read(f"{state}/watcher.json"), 10, lambda: f"no watcher: {self.log()}")
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self.process.terminate()
        self.process.wait(10)
        self._thread.join()

    def now(self) -> dict[str, SessionStatus]:
        found = {}
        for name in store.names(f"{self.state}/status"):
            data = store.read(f"{self.state}/status/{name}")
            one = status.decode(data) if data else None
            if one is not None:
                found[one.session_id] = one
        return found

    def log(self) -> str:
        data = store.read(f"{self.state}/watcher.log")
        return data.decode() if data else ""

    def _sample(self) -> None:
        while not self._ended.wait(0.01):
            seen = self.now()
            if not self.samples or self.samples[-1].sessions != seen:
                self.samples.append(Sample(time.time(), seen))


class Watched:
    """What is true is told by the test, as it happens; whether the watchers say so is checked here."""

    def __init__(self, clients: Clients, home: Home, env: Mapping[str, str] | None = None) -> None:
        self._clients, self.home = clients, home
        self._stack = ExitStack()
        self.state = f"{home.path}/state"
        self.env = {"HOME": home.path, "PATH": os.environ["PATH"], "LANG": "C.UTF-8", **(env or {})}
        installed = self.run("install", "--yes")
        assert installed.returncode == 0, installed.stderr
        states = {ALL: self.state, WITHOUT_REGISTRY: f"{home.path}/blind"}
        _hear_twice(f"{home.config}/settings.json", states[WITHOUT_REGISTRY])
        self.watchers = {n: self._stack.enter_context(Watcher(n, home, s, self.env)) for n, s in states.items()}
        self._arrived: dict[str, float] = {}
        self._expected: dict[str, Any] = {}
        self.delays: list[tuple[str, str, float]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def client(self, *args: str, mode: str = "default", env: Mapping[str, str] | None = None) -> Client:
        return self._clients(*args, home=self.home, mode=mode, env={"YOURTURN_HOME": self.state, **(env or {})})

    def run(self, *args: str, state: str = "") -> subprocess.CompletedProcess[str]:
        """Our own command, as a person types it."""
        env = {**self.env, "YOURTURN_HOME": state or self.state, "PYTHONPATH": PROJECT}
        return subprocess.run(
            [*COMMAND, *args], env=env, cwd=self.home.path, capture_output=True, text=True, check=False
        )

    def told(self, state: str = "") -> list[dict[str, Any]]:
        """What `yourturn status --json` says of the sessions."""
        done = self.run("status", "--json", state=state)
        assert done.returncode == 0, done.stderr
        found: list[dict[str, Any]] = json.loads(done.stdout)["sessions"]
        return found

    def becomes(self, kind: str, expected: dict[str, Any], *, blind: dict[str, Any] | None = None) -> None:
        """From now on this is true. `blind`: what can be known without the registry, where that is less."""
        since = time.time()
        for name, watcher in self.watchers.items():
            wanted = blind if blind is not None and name == WITHOUT_REGISTRY else expected
            self._arrived[name] = self._await(kind, watcher, wanted, since)
            self._expected[name] = wanted
            self.delays.append((kind, name, max(0.0, self._arrived[name] - since)))
            said = shape(self.told(watcher.state), wanted)
            assert said == wanted, f"`yourturn status --json` {name}: {said}"

    def holds(self, seconds: float = 0.0) -> None:
        """It has been so without a flicker since it became true, and is for so long yet."""
        time.sleep(seconds)
        for name, watcher in self.watchers.items():
            wanted = self._expected[name]
            last = [sample for sample in watcher.samples if sample.at <= self._arrived[name]][-1:]
            for sample in [*last, *[s for s in watcher.samples if s.at > self._arrived[name]]]:
                said = shape_of(sample.sessions, wanted)
                assert said == wanted, f"{name}: flickered to {said} at {sample.at:.3f}, was {wanted}\n{story(watcher)}"

    def _await(self, kind: str, watcher: Watcher, wanted: dict[str, Any], since: float) -> float:
        deadline = since + LIMIT_S
        while time.time() < deadline + 0.5:
            sample = watcher.samples[-1] if watcher.samples else Sample(0.0, {})
            if shape_of(sample.sessions, wanted) == wanted and sample.at <= deadline:
                return sample.at
            time.sleep(0.005)
        said = shape_of(watcher.samples[-1].sessions, wanted) if watcher.samples else {}
        raise AssertionError(
            f"{kind} ({watcher.name}): expected {wanted}, {LIMIT_S} s later it is {said}\n{story(watcher)}\n{watcher.log()}"
        )


def _hear_twice(settings: str, state: str) -> None:
    """Each watcher has a state folder of its own, so each event goes to a second hook for the second one."""
    with open(settings, encoding="utf-8") as file:
        found = json.load(file)
    for groups in found["hooks"].values():
        (ours,) = groups
        command = f"export YOURTURN_HOME={shlex.quote(state)}; {ours['hooks'][0]['command'].partition(' # ')[0]}"
        groups.append({"hooks": [{**ours["hooks"][0], "command": command}]})
    with open(settings, "w", encoding="utf-8") as file:
        json.dump(found, file)


def shape_of(sessions: Mapping[str, SessionStatus], wanted: dict[str, Any]) -> dict[str, Any]:
    shown = [json.loads(status.encode(one)) for one in sessions.values() if not one.hidden]
    return shape(shown, wanted)


def shape(sessions: list[dict[str, Any]], wanted: dict[str, Any]) -> dict[str, Any]:
    """The parts of the sessions that the test speaks of: {'status': …, 'detail': …, 'agents': {kind or type: …}}.

    With one session its parts, with several a dict by session id.
    """
    if "sessions" in wanted:
        return {"sessions": {s["session_id"]: s["status"] for s in sessions}}
    if len(sessions) != 1:
        return {"sessions": {s["session_id"]: s["status"] for s in sessions}}
    (one,) = sessions
    found = {key: one[key] for key in ("status", "detail") if key in wanted}
    if "agents" in wanted:
        living = [a for a in one["agents"] if a["state"] not in ("joined", "failed")]
        found["agents"] = sorted([a["kind"], a["status"], a["detail"]][: wanted.get("deep", 3)] for a in living)
    if "deep" in wanted:
        found["deep"] = wanted["deep"]
    return found


def story(watcher: Watcher) -> str:
    """What was published, for a person who has to find out why."""
    lines = []
    for sample in watcher.samples[-12:]:
        for one in sample.sessions.values():
            agents = "; ".join(f"{a.key[:8]} {a.status} {a.detail!r} by {a.rule}" for a in one.agents)
            lines.append(f"{sample.at:.3f} {one.session_id[:8]} {one.status} {one.detail!r} [{agents}]")
        if not sample.sessions:
            lines.append(f"{sample.at:.3f} nothing")
    return "\n".join(lines)
