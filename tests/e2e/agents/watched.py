"""Agents of one client under our eyes: our hook in its settings, and a watcher."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from contract import paths
from e2e.agents.agent import Agent
from e2e.agents.clients import CLIENTS
from e2e.harness.patience import PATIENCE_S, until
from e2e.harness.script import play, text
from e2e.harness.truth import working
from e2e.harness.watchers import ALL, PROJECT, Watchers

if TYPE_CHECKING:
    from e2e.harness.api import Api
    from e2e.harness.place import Place

EVIDENCE = {ALL: "hooks,transcript,registry,process"}
PLAIN_PATH = "/usr/local/bin:/usr/bin:/bin"


class WatchedAgents(Watchers):
    def __init__(self, name: str, program: str, api: Api, place: Place) -> None:
        super().__init__(api, place, EVIDENCE)
        self.kind, self.program = CLIENTS[name], program
        self.api.is_aside = self.kind.is_aside
        place.prepare()
        self.kind.furnish(place, api.url, program)
        self.kind.listen(place)
        self._stack.callback(self.kind.leave, place)

    def agent(self, *args: str, shown: str = "") -> Agent:
        """`shown`: what the screen shows when it has started, if it is not ready for a prompt then."""
        self.ready()
        self.moments.acts()
        started = Agent(self.kind, self.moments, [*self._command, *args], self.place, self.environment)
        return self._stack.enter_context(started.starts(shown or self.kind.READY))

    def hears(self) -> None:
        """Wait until a client says something: some say that they have started a while after they have."""
        folder = paths.fact_dir(self.states[ALL])
        until(lambda: _last_written(folder) > self.moments.acted, PATIENCE_S, self.story)
        self.moments.sees()

    def answers(self, agent: Agent, name: str, words: str = "") -> None:
        """A turn of one answer, which waits until the turn is seen: it would be over at once."""
        said = words or f"The answer is {name}."
        self.api.scripts[name] = [text(said, hold=name)]
        agent.say(play(name))
        self.reached(name)
        self.passes("prompt", working())
        self.release(name)
        agent.wait(said.removesuffix("."))

    def session(self) -> str:
        """The id of the only one that is shown."""
        (shown,) = self.sessions()
        return shown

    def session_after(self, before: str) -> str:
        """The id of the only one that is shown, once it is another; both are there for the blink between two files."""
        until(lambda: self.sessions() - {before} and before not in self.sessions(), otherwise=self.story)
        return self.session()

    def sessions(self) -> set[str]:
        """The ids of those that are shown."""
        return {str(shown["session_id"]) for shown in self.seen()[-1].sessions}

    def headless(self, *args: str) -> subprocess.Popen[bytes]:
        """One without a terminal; the test waits for its end."""
        self.ready()
        self.moments.acts()
        quiet = subprocess.DEVNULL
        return subprocess.Popen(
            [*self._command, *args], env=self.environment, cwd=self.place.project, stdin=quiet, stdout=quiet
        )

    @property
    def _command(self) -> list[str]:
        return ["/usr/bin/env", self.program, *self.kind.ARGUMENTS]

    @property
    def environment(self) -> dict[str, str]:
        path = f"{os.path.dirname(shutil.which('node') or '')}:{PLAIN_PATH}"
        own = self.kind.environment(self.place, self.api.url)
        return {**self.place.plain(), "PATH": path, **self.hook_env, **own}


def _last_written(folder: str) -> float:
    return max((file.stat().st_mtime for file in os.scandir(folder)), default=0.0) if os.path.isdir(folder) else 0.0


def hook(name: str) -> list[str]:
    """The command of our hook, as an installer writes it into a client's settings."""
    return [sys.executable, "-S", "-E", f"{PROJECT}/hook.py", name]


def finished(process: subprocess.Popen[bytes]) -> int:
    return process.wait(PATIENCE_S)
