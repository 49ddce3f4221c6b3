"""Watchers at work, and every status they publish written down.

The test says what becomes true as it happens; whether each watcher says so, in time and without a flicker before or
after, is checked here. Which clients there are does not matter.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

from e2e.harness.delays import Delay, note
from e2e.harness.onlooker import Onlooker, told
from e2e.harness.patience import PATIENCE_S
from e2e.harness.place import entered
from e2e.harness.subject import Moments
from e2e.harness.truth import ONLY, Row, Rows, Truth, agrees, said, statuses
from support import project, warm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from e2e.harness.api import Api
    from e2e.harness.onlooker import Look, Sample
    from e2e.harness.place import Place

LIMIT_S = 2.0  # no verdict may be later than this, not counting the time in which programs waited for a processor
GRACE_S = 0.2  # what came in time may be seen a little later
BLINK_S = 0.05  # the files of two sessions cannot change in one instant
ALL, BLIND = "all evidence", "without registry"
COMMAND = [sys.executable, "-m", "yourturn"]
PROJECT = str(project.PROJECT)


class Watchers:
    def __init__(self, api: Api, place: Place, evidence: Mapping[str, str]) -> None:
        """`evidence`: what each watcher may look at, by its name; each has a state folder of its own."""
        self.api, self.place, self._evidence = api, place, evidence
        self.states = {name: f"{place.path}/state-{number}" for number, name in enumerate(evidence)}
        self.env = {"HOME": place.path, "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "PYTHONPATH": PROJECT}
        self.moments = Moments(self._before_a_change)
        self._stack = ExitStack()
        self._onlookers: dict[str, Onlooker] = {}
        self._truth: dict[str, Truth] = {}
        self._arrived: dict[str, float] = {}
        self._settled = False  # whether nothing was done since the truth was last told

    def __enter__(self) -> Self:
        for name, state in self.states.items():
            self._onlookers[name] = self._stack.enter_context(Onlooker(state, partial(self._watch, name)))
        return self

    def __exit__(self, *_: object) -> None:
        self._settled = False
        self._stack.close()

    @property
    def hook_env(self) -> dict[str, str]:
        """For the hooks of a client: where the first watcher's facts go. No hook starts a third watcher."""
        return {"YOURTURN_HOME": next(iter(self.states.values())), "YOURTURN_NO_WATCHER": "1"}

    def ready(self) -> None:
        for onlooker in self._onlookers.values():
            onlooker.ready()

    # --- what the test does

    def kill_watchers(self) -> None:
        """With SIGKILL. What they published stays."""
        self._before_a_change()
        for onlooker in self._onlookers.values():
            onlooker.kill_watcher()

    def restart_watchers(self) -> None:
        for onlooker in self._onlookers.values():
            onlooker.start_watcher()
        self.ready()
        self.moments.sees()

    def release(self, name: str) -> None:
        self.moments.acts()
        self.api.release(name)

    def reached(self, name: str) -> None:
        self.api.reached(name)
        self.moments.sees()

    @contextmanager
    def command_runs(self, door: str) -> Iterator[None]:
        """Inside, the command that waits at this door runs; then it ends."""
        with entered(door):
            self.moments.sees()
            yield
            self.moments.acts()

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
        env = {**self.env, "YOURTURN_HOME": state or next(iter(self.states.values()))}
        env.pop("PYTHONPATH")  # who is forked knows our folder already
        return warm.run([*COMMAND, *args], env, self.place.path)

    def seen(self, name: str = ALL) -> list[Sample]:
        """Everything that was published so far, the sessions that are hidden too."""
        return self._onlookers[name].samples

    def onlooker(self, name: str = ALL) -> Onlooker:
        return self._onlookers[name]

    def story(self) -> str:
        return "\n".join(f"{name}:\n{onlooker.story()}" for name, onlooker in self._onlookers.items())

    # --- below

    def _watch(self, name: str) -> subprocess.Popen[bytes]:
        env = {**self.env, "YOURTURN_HOME": self.states[name], "YOURTURN_EVIDENCE": self._evidence[name]}
        return subprocess.Popen([*COMMAND, "watch"], env=env, cwd=self.place.path)

    def _before_a_change(self) -> None:
        """Until now all was as it should be. After it, nobody knows before the test tells."""
        if self._settled:
            self.holds()
        self._settled = False

    def _change(self, kind: str, truth: Truth, blind: Truth | None, look: Look, via: str = "") -> None:
        since = self.moments.last
        for name, onlooker in self._onlookers.items():
            degraded = blind is not None and name == BLIND
            wanted = blind if blind is not None and degraded else truth
            found = partial(look, onlooker, partial(agrees, wanted), self._arrived.get(name, 0.0))
            arrived = _await(f"{kind} ({name}) {wanted}", found, since, onlooker)
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
            new = said(sample.sessions, wanted)
            if via and (via in new.values() or onlooker.free_time(sample.at, after.at) < BLINK_S):
                continue
            if changed < arrived or said(sample.sessions, old) != statuses(old):
                assert new == statuses(wanted), _flicker(name, wanted, sample, onlooker)
                changed = min(changed, sample.at)
        return changed

    def _check_command(self) -> None:
        """What a person or a program asks for says the same as the files."""
        with ThreadPoolExecutor() as asking:
            answers = dict(zip(self.states, asking.map(self._ask, self.states.values()), strict=True))
        for name, answer in answers.items():
            wanted = self._truth[name]
            assert agrees(wanted, answer["sessions"]), f"`yourturn status --json` ({name}): {answer}, not {wanted}"
            assert answer["watcher"]["alive"], answer["watcher"]

    def _ask(self, state: str) -> dict[str, Any]:
        done = self.run("status", "--json", state=state)
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found


def _await(what: str, look: Callable[[], float | None], since: float, onlooker: Onlooker) -> float:
    """When it came."""
    while True:
        looked_at = time.time()
        arrived = look()
        if arrived is not None and onlooker.free_time(since, arrived) <= LIMIT_S:
            return arrived
        if onlooker.free_time(since, looked_at) > LIMIT_S + GRACE_S or looked_at > since + PATIENCE_S:
            late = "did not come" if arrived is None else f"came {arrived - since:.3f} s after it was true: too late"
            raise AssertionError(f"{what} {late}\n{onlooker.story()}\n{onlooker.log()}")
        time.sleep(0.01)


def _flicker(name: str, wanted: Truth, sample: Sample, onlooker: Onlooker) -> str:
    shown = [told(one) for one in sample.sessions]
    return f"{name}: flickered to {shown} at {sample.at:.3f}, true is {wanted}\n{onlooker.story()}"
