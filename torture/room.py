"""A home of nobody's: a state folder, a client's folder, and the hook as the client runs it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from bench.place import Place
from contract import facts, paths, store
from contract.facts import Stamp
from recorder.receive import receive
from watcher.clock import BOOT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from contract.facts import Fact

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PYTHON = os.path.realpath(sys.executable)
OF_THE_HOOK = ("contract", "recorder")
SESSION = "9df7420c-3c33-4845-8b68-60c055e751a8"
PATIENCE_S = 120.0  # used up only by what hangs


class Done(NamedTuple):
    code: int
    said: bytes

    @property
    def is_silent(self) -> bool:
        return (self.code, self.said) == (0, b"")


class Room(NamedTuple):
    path: str
    guest: str  # a copy of the hook and all it needs

    @classmethod
    def make(cls, path: str, guest: str) -> Self:
        os.makedirs(path, 0o755)
        if not os.path.exists(guest):
            settle_guest(guest)
        return cls(path, guest)

    @property
    def state(self) -> str:
        return Place(self.path).state

    @property
    def config(self) -> str:
        return Place(self.path).config

    @property
    def argv(self) -> list[str]:
        return [PYTHON, "-S", "-E", f"{self.guest}/hook.py"]

    def argv_with(self, change: str) -> list[str]:
        """The hook with something else changed first."""
        code = f"import sys; sys.path.insert(0, {self.guest!r})\n{change}\nfrom recorder.serve import serve; serve('')"
        return [PYTHON, "-S", "-E", "-c", code]

    def env(self, **more: str) -> dict[str, str]:
        alone = {"YOURTURN_NO_WATCHER": "1", "CLAUDE_PID": str(os.getpid())}
        return Place(self.path).environment(**{**alone, **more})

    def hook(
        self,
        payload: dict[str, Any] | bytes,
        around: Sequence[str] = (),
        argv: Sequence[str] = (),
        first: Callable[[], None] | None = None,
        env: dict[str, str] | None = None,
    ) -> Done:
        """`around` is what it runs under; `first` is done in its process before it begins."""
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        try:
            done = subprocess.run(
                [*around, *(argv or self.argv)],
                input=data,
                capture_output=True,
                env=self.env(**env or {}),
                cwd=self.path,
                timeout=PATIENCE_S,
                preexec_fn=first,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Done(124, b"it hung")
        return Done(done.returncode, done.stdout + done.stderr)

    def keep(self, payload: dict[str, Any], pid: int = 0) -> None:
        """What a hook of this client does, in this process."""
        stamp = Stamp((round(time.time(), 6), round(time.clock_gettime(BOOT), 6)))
        receive(self.state, self.env(CLAUDE_PID=str(pid or os.getpid())), json.dumps(payload).encode(), stamp)

    def fact_path(self, agent: str = paths.MAIN, session: str = SESSION) -> str:
        return paths.fact(self.state, session, agent)

    def fact(self, agent: str = paths.MAIN, session: str = SESSION) -> Fact | None:
        """None for one that is not there or torn."""
        return facts.decode(contents(self.fact_path(agent, session)))

    def calls(self, agent: str = paths.MAIN) -> set[str] | None:
        """What is under way; None if the fact is there and cannot be read."""
        data = contents(self.fact_path(agent))
        fact = facts.decode(data) if data else None
        return set(fact.calls) if fact else (None if data else set())

    def all_calls(self) -> set[str]:
        """What is under way in any fact that can be read."""
        folder = paths.fact_dir(self.state)
        found = [facts.decode(contents(f"{folder}/{name}")) for name in store.names(folder)]
        return {name for fact in found if fact for name in fact.calls}

    def log(self) -> str:
        return contents(paths.hook_log(self.state)).decode("utf-8", "replace")


def settle_guest(guest: str) -> None:
    os.makedirs(guest, 0o755)
    shutil.copy(f"{PROJECT}/hook.py", guest)
    for room in OF_THE_HOOK:
        shutil.copytree(f"{PROJECT}/{room}", f"{guest}/{room}", ignore=shutil.ignore_patterns("__pycache__"))


def contents(path: str) -> bytes:
    """Nothing of what is not there."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def event(name: str, session: str = SESSION, **more: Any) -> dict[str, Any]:
    transcript = f"/home/me/.claude/projects/-p/{session}.jsonl"
    base = {"session_id": session, "transcript_path": transcript, "cwd": "/home/me/proj", "prompt_id": "p1"}
    return {**base, "hook_event_name": name, **more}


def call(name: str, id_: str, session: str = SESSION, **more: Any) -> dict[str, Any]:
    given = {"tool_use_id": id_, "tool_name": "Bash", "tool_input": {"command": f"echo {id_}"}}
    return event(name, session, **given, **more)


def asks(session: str = SESSION, **more: Any) -> dict[str, Any]:
    return event("PermissionRequest", session, tool_name="Bash", tool_input={"command": "git push"}, **more)
