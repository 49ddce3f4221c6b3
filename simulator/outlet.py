"""All that leaves a client: hooks, transcript lines, its registry entry, its commands."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from simulator.observation import File, Hook, Line, Process

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulator.lines import Record
    from simulator.stage import Play
    from simulator.world import World


class EscapeError(Exception):
    """The person has interrupted what the agent was doing."""


class Outlet:
    def __init__(self, world: World, pid: int) -> None:
        self._world, self._pid = world, pid
        self.env = {"CLAUDE_PID": str(pid), "CLAUDE_CODE_ENTRYPOINT": "cli"}

    # --- hooks

    def hook(self, payload: Record) -> Play:
        """One that the client waits for; an interruption takes it along if it has not got anywhere yet."""
        world, name = self._world, self._name(payload)
        stamp = world.now + world.delay("hook starts", name)
        written = stamp + world.delay("hook writes", name)
        cancel = self._show_hook(payload, stamp, written)
        try:
            yield written - world.now + world.delay("hook ends", name)
        except EscapeError:
            cancel()
            raise

    def async_hook(self, payload: Record) -> None:
        """One that the client does not wait for: they may overtake each other."""
        world, name = self._world, self._name(payload)
        stamp = world.now + world.delay("async hook starts", name)
        self._show_hook(payload, stamp, stamp + world.delay("hook writes", name))

    def _name(self, payload: Record) -> str:
        return f"{payload['hook_event_name']} {self._world.number('hook')}"

    def _show_hook(self, payload: Record, stamp: float, written: float) -> Callable[[], None]:
        """The way to take it back."""
        world, taken_back = self._world, []

        def show() -> None:
            if not taken_back:
                world.show(Hook(world.now, (world.wall(stamp), world.tick(stamp)), dict(self.env), payload))

        world.stage.at(written, show)
        return lambda: taken_back.append(True)

    # --- files

    def line(self, path: str, record: Record) -> None:
        world = self._world
        number = world.number("line")
        at = world.flush(path, "line")
        moment = datetime.fromtimestamp(world.wall(world.now), UTC)
        stamp = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        data = {"parentUuid": None, "uuid": f"u{number}", **record, "timestamp": stamp, "version": "2.1.325"}
        world.show(Line(at, path, json.dumps(data).encode() + b"\n"))

    def registry(self, entry: Record) -> None:
        if self._world.program.registry:
            self.file(f"{self._world.config}/sessions/{self._pid}.json", entry)

    def file(self, path: str, record: Record) -> None:
        self._world.show(File(self._world.now, path, json.dumps(record).encode()))

    # --- processes

    def begins(self, pid: int, ppid: int, argv: tuple[str, ...]) -> None:
        self._world.show(Process(self._world.now, pid, ppid, argv))

    def ends(self, pid: int) -> None:
        self._world.show(Process(self._world.now, pid, is_alive=False))


def shell(command: str) -> tuple[str, ...]:
    """The argv of a Bash tool's shell."""
    quoted = command.replace("'", "'\"'\"'")
    source = "source /home/me/.claude/shell-snapshots/snapshot-bash-1794830400000-abc123.sh 2>/dev/null || true"
    return ("/bin/bash", "-c", f"{source} && shopt -u extglob && eval '{quoted}' && pwd -P >| /tmp/claude-1a2b-cwd")


def given_to(tool: str, target: str) -> dict[str, Any]:
    """A tool's input."""
    if tool == "Bash":
        return {"command": target, "description": "run it"}
    if tool in ("Edit", "Write", "Read"):
        return {"file_path": f"/home/me/proj/{target}"}
    if tool == "AskUserQuestion":
        return {"questions": [{"question": target, "header": "Which", "options": [], "multiSelect": False}]}
    return {"plan": target} if tool == "ExitPlanMode" else {"what": target}


def words_for(tool: str, target: str) -> str:
    """What a person would call such a call."""
    named = {"AskUserQuestion": "question", "ExitPlanMode": "plan"}
    return named.get(tool) or (f"{tool}: {target}" if tool in ("Bash", "Edit", "Write", "Read", "Agent") else tool)
