"""Clients under our eyes: hooks installed, watchers running, and every status they publish written down.

Two watchers look at the same clients, one with all evidence and one without the registry, each with a state folder of
its own. The test says what becomes true as it happens; whether both watchers say so, in time and without a flicker
before or after, is checked here.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import pytest

from e2e.client import Client
from e2e.delays import Delay, note
from e2e.home import Home, entered
from e2e.onlooker import Onlooker, told
from e2e.patience import until
from e2e.truth import Row, Rows, fits, status_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from e2e.api import Api
    from e2e.onlooker import Sample
    from e2e.truth import Told

    Look = Callable[[Onlooker, Callable[[list[Told]], bool], float], float | None]

LIMIT_S = 2.0  # no verdict may be later than this
BLINK_S = 0.05  # the files of two sessions cannot change in one instant
ALL, BLIND = "all evidence", "without registry"
EVIDENCE = {ALL: "hooks,transcript,registry,process", BLIND: "hooks,transcript,process"}
COMMAND = [sys.executable, "-m", "yourturn"]
PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))

ONLY = ""  # the key of the only session there is
Truth = dict[str, Rows]  # by session


class Subject(Client):
    """A client whose every key, and all that is seen of it, is a moment to measure from."""

    def __init__(self, watched: Watched, program: str, home: Home, *args: str, **more: Any) -> None:
        self._watched = watched
        super().__init__(program, watched.api.url, home, *args, **more)

    def key(self, *keys: str) -> None:
        self._watched.acts()
        super().key(*keys)

    def kill9(self) -> None:
        self._watched.acts()
        super().kill9()

    def hang_up(self) -> None:
        self._watched.acts()
        super().hang_up()
        self._watched.sees()

    def close(self) -> None:
        self._watched.looks_away()
        super().close()

    def wait(self, pattern: str, seconds: float = 20) -> None:
        super().wait(pattern, seconds)
        self._watched.sees()

    def wait_for_dialog(self, words: str = "", seconds: float = 20) -> None:
        super().wait_for_dialog(words, seconds)
        self._watched.sees(self._said("waiting"))

    def wait_for_status(self, status: str, seconds: float = 20) -> None:
        """After the last key: what it was before does not count."""
        until(
            lambda: (self._said(status) or 0.0) > self._watched.acted,
            seconds,
            lambda: f"{self.registry()}\n{self.screen()}",
        )
        self._watched.sees(self._said(status))

    def _said(self, status: str) -> float | None:
        """When the client itself took note of it: before it drew anything."""
        found = self.registry()
        return found["statusUpdatedAt"] / 1000 if found.get("status") == status else None


class Watched:
    def __init__(self, api: Api, program: str, home: Home) -> None:
        self.api, self.program, self.home = api, program, home
        self.states = {ALL: f"{home.path}/state", BLIND: f"{home.path}/blind"}
        self.env = {"HOME": home.path, "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "PYTHONPATH": PROJECT}
        self._stack = ExitStack()
        self._onlookers: dict[str, Onlooker] = {}
        self._truth: dict[str, Truth] = {}
        self._arrived: dict[str, float] = {}
        self._moment = self.acted = 0.0
        self._settled = False

    @property
    def hook_env(self) -> dict[str, str]:
        """For the hooks of a client: where the first watcher's facts go. No hook starts a third watcher."""
        return {"YOURTURN_HOME": self.states[ALL], "YOURTURN_NO_WATCHER": "1"}

    # --- before the test

    def __enter__(self) -> Self:
        for name, state in self.states.items():
            env = {**self.env, "YOURTURN_HOME": state, "YOURTURN_EVIDENCE": EVIDENCE[name]}
            watcher = subprocess.Popen([*COMMAND, "watch"], env=env, cwd=self.home.path)
            self._onlookers[name] = self._stack.enter_context(Onlooker(state, watcher))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def install(self) -> None:
        """Our hooks, once for each watcher."""
        installed = self.run("install", "--yes")
        assert installed.returncode == 0, installed.stderr
        _hear_twice(f"{self.home.config}/settings.json", self.states[BLIND])

    def settings(self, **more: Any) -> None:
        path = f"{self.home.config}/settings.json"
        _rewrite(path, {**_load(path), **more})

    def client(self, *args: str, mode: str = "default", env: Mapping[str, str] | None = None) -> Subject:
        for onlooker in self._onlookers.values():
            onlooker.ready()
        more = {**self.hook_env, **(env or {})}
        return self._stack.enter_context(Subject(self, self.program, self.home, *args, mode=mode, env=more))

    # --- what the test does

    def acts(self) -> None:
        """The test is about to change something: until now all was as it should be."""
        if self._settled:
            self.holds()
        self._settled = False
        self._moment = self.acted = time.time()

    def sees(self, at: float | None = None) -> None:
        """The test has seen what it waited for; `at` is when it began, where that is known."""
        self._moment = max(self._moment, at or time.time())

    def looks_away(self) -> None:
        """What comes now is no part of the test."""
        self._settled = False

    def release(self, name: str) -> None:
        self.acts()
        self.api.release(name)

    def reached(self, name: str) -> None:
        self.api.reached(name)
        self.sees()

    @contextmanager
    def command_runs(self, door: str) -> Iterator[None]:
        """Inside, the command that waits at this door runs; then it ends."""
        with entered(door):
            self.sees()
            yield
            self.acts()

    # --- what must be

    def becomes(self, kind: str, *rows: Row, blind: Rows = ()) -> None:
        """From now on this is true of the only session; `blind`: what can be known of it without the registry."""
        self.become(kind, {ONLY: rows}, {ONLY: blind} if blind else None)

    def passes(self, kind: str, *rows: Row) -> None:
        """This was true of the only session in between; by now something else may be."""
        self._change(kind, {ONLY: rows}, None, Onlooker.agreed_first)

    def ends(self, kind: str) -> None:
        """From now on there is no session."""
        self.become(kind, {})

    def become(self, kind: str, truth: Truth, blind: Truth | None = None, via: str = "") -> None:
        """`via`: a state in which the client may be on its way from one session to another."""
        self._change(kind, truth, blind, Onlooker.agrees_since, via)
        self._check_command()
        self._settled = True

    def holds(self, seconds: float = 0.0) -> None:
        """It has been so without a flicker since it became true, and is for so long yet."""
        time.sleep(seconds)
        for name, onlooker in self._onlookers.items():
            for sample in onlooker.since(self._arrived[name]):
                assert agrees(self._truth[name], sample.sessions), _flicker(name, self._truth[name], sample, onlooker)
        self._settled = True

    def explains(self, words: str, name: str = BLIND) -> None:
        done = self.run("explain", state=self.states[name])
        assert words in " ".join(done.stdout.split()), done.stdout

    # --- looking

    def run(self, *args: str, state: str = "") -> subprocess.CompletedProcess[str]:
        """Our own command, as a person types it."""
        env = {**self.env, "YOURTURN_HOME": state or self.states[ALL]}
        return subprocess.run(
            [*COMMAND, *args], env=env, cwd=self.home.path, capture_output=True, text=True, check=False
        )

    def seen(self, name: str = ALL) -> list[Sample]:
        """Everything that was published so far, the sessions that are hidden too."""
        return self._onlookers[name].samples

    def story(self) -> str:
        return "\n".join(f"{name}:\n{onlooker.story()}" for name, onlooker in self._onlookers.items())

    # --- below

    def _change(self, kind: str, truth: Truth, blind: Truth | None, look: Look, via: str = "") -> None:
        since = self._moment
        for name, onlooker in self._onlookers.items():
            degraded = blind is not None and name == BLIND
            wanted = blind if blind is not None and degraded else truth
            before = self._arrived.get(name, 0.0)
            found = partial(look, onlooker, lambda sessions, wanted=wanted: agrees(wanted, sessions), before)
            arrived = _await(f"{kind} ({name}) {wanted}", found, since + LIMIT_S, onlooker)
            changed = self._changed(name, wanted, arrived, via)
            self._truth[name], self._arrived[name] = wanted, arrived
            if not degraded:
                note(Delay(kind, name, max(0.0, changed - since)))

    def _changed(self, name: str, wanted: Truth, arrived: float, via: str) -> float:
        """When the new state came, its details perhaps later. There is one step: neither back, nor to a third."""
        onlooker, old, changed = self._onlookers[name], self._truth.get(name), arrived
        samples = onlooker.since(self._arrived[name]) if old is not None else []
        for sample, after in pairwise(samples):
            if old is None or sample.at >= arrived:
                break
            if via and (via in _said(sample, wanted).values() or after.at - sample.at < BLINK_S):
                continue
            if changed < arrived or _said(sample, old) != _statuses(old):
                assert _said(sample, wanted) == _statuses(wanted), _flicker(name, wanted, sample, onlooker)
                changed = min(changed, sample.at)
        return changed

    def _check_command(self) -> None:
        """What a person or a program asks for says the same as the files."""
        asked = {
            name: subprocess.Popen(
                [*COMMAND, "status", "--json"],
                env={**self.env, "YOURTURN_HOME": state},
                cwd=self.home.path,
                stdout=subprocess.PIPE,
            )
            for name, state in self.states.items()
        }
        for name, process in asked.items():
            with process:
                said = json.loads(process.communicate()[0])
            wanted = self._truth[name]
            assert agrees(wanted, said["sessions"]), f"`yourturn status --json` ({name}): {said}, not {wanted}"
            assert said["watcher"]["alive"], said["watcher"]


def agrees(truth: Truth, sessions: list[dict[str, Any]]) -> bool:
    if len(truth) != len(sessions):
        return False
    if ONLY in truth:
        return fits(truth[ONLY], sessions[0])
    found = {session["session_id"]: session for session in sessions}
    return set(found) == set(truth) and all(fits(rows, found[key]) for key, rows in truth.items())


def _statuses(truth: Truth) -> dict[str, str]:
    return {key: status_of(rows) for key, rows in truth.items()}


def _said(sample: Sample, truth: Truth) -> dict[str, str]:
    only = ONLY in truth and len(sample.sessions) == 1
    return {ONLY if only else one["session_id"]: one["status"] for one in sample.sessions}


def _await(what: str, look: Callable[[], float | None], deadline: float, onlooker: Onlooker) -> float:
    """When it came."""
    while True:
        looked_at = time.time()
        arrived = look()
        if arrived is not None and arrived <= deadline:
            return arrived
        if looked_at > deadline + 0.2:
            late = "did not come" if arrived is None else f"came {arrived - deadline:.3f} s too late"
            raise AssertionError(f"{what} {late}\n{onlooker.story()}\n{onlooker.log()}")
        time.sleep(0.01)


def _flicker(name: str, wanted: Truth, sample: Sample, onlooker: Onlooker) -> str:
    said = [told(one) for one in sample.sessions]
    return f"{name}: flickered to {said} at {sample.at:.3f}, true is {wanted}\n{onlooker.story()}"


def _hear_twice(settings: str, state: str) -> None:
    """Each watcher has a state folder of its own, so each event goes to a second hook for the second one."""
    found = _load(settings)
    for groups in found["hooks"].values():
        (ours,) = groups
        command = f"export YOURTURN_HOME={shlex.quote(state)}; {ours['hooks'][0]['command'].partition(' # ')[0]}"
        groups.append({"hooks": [{**ours["hooks"][0], "command": command}]})
    _rewrite(settings, found)


def _load(path: str) -> dict[str, Any]:
    with open(path, encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
        return found


def _rewrite(path: str, value: dict[str, Any]) -> None:
    """At once: a running client reads its settings again when they change."""
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        json.dump(value, file)
    os.replace(f"{path}.new", path)


@pytest.fixture
def bare(api: Api, client_program: str) -> Iterator[Watched]:
    """Watchers, but no hooks yet."""
    parent = os.path.realpath(tempfile.gettempdir())
    with (
        tempfile.TemporaryDirectory(prefix="yourturn-", dir=parent, ignore_cleanup_errors=True) as folder,
        Watched(api, client_program, Home.make(folder, {})) as found,
    ):
        yield found


@pytest.fixture
def watched(bare: Watched) -> Watched:
    """Watchers and hooks; clients are started by the test."""
    bare.install()
    return bare
