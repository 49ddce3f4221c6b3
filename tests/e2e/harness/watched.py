"""Claude Codes under our eyes: hooks installed, and watchers running.

Two watchers look at the same clients, one with all evidence and one without the registry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from e2e.harness import hooks
from e2e.harness.folders import temporary_folder
from e2e.harness.home import Home
from e2e.harness.subject import Subject
from e2e.harness.watchers import ALL, BLIND, BLINK_S, Watchers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from e2e.harness.api import Api

__all__ = ["ALL", "BLIND", "BLINK_S", "Subject", "Watched"]

EVIDENCE = {ALL: "hooks,transcript,registry,process", BLIND: "hooks,transcript,process"}


class Watched(Watchers):
    def __init__(self, api: Api, program: str, home: Home) -> None:
        super().__init__(api, home, EVIDENCE)
        self.program, self.home = program, home

    def install(self) -> None:
        """Our hooks, once for each watcher."""
        installed = self.run("install", "--yes")
        assert installed.returncode == 0, installed.stderr
        hooks.hear_twice(self._settings, self.states[BLIND])

    def settings(self, **more: Any) -> None:
        hooks.rewrite(self._settings, {**hooks.load(self._settings), **more})

    def own_hook(self, event: str, command: str) -> None:
        """A hook of the person's own, in ``sh``, beside ours."""
        hooks.beside(self._settings, event, command)

    def client(
        self,
        *args: str,
        mode: str = "default",
        env: Mapping[str, str] | None = None,
        under: Sequence[str] = (),
    ) -> Subject:
        """`under`: the beginning of a command that starts the client, a shell for example."""
        self.ready()
        more = {**self.hook_env, **(env or {})}
        program = [*under, self.program]
        started = Subject(self.moments, program, self.api.url, self.home, *args, mode=mode, env=more)
        return self._stack.enter_context(started)

    @property
    def _settings(self) -> str:
        return f"{self.home.config}/settings.json"


@pytest.fixture
def bare(api: Api, client_program: str) -> Iterator[Watched]:
    """Watchers, but no hooks yet."""
    with temporary_folder() as folder, Watched(api, client_program, Home.make(folder, {})) as found:
        yield found


@pytest.fixture
def watched(bare: Watched) -> Watched:
    """Watchers and hooks; clients are started by the test."""
    bare.install()
    return bare
