"""All that leaves a client: hooks, transcript lines, its registry entry, its commands."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from simulator.observation import File, Hook, Line, Process, event_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulator.lines import Record
    from simulator.stage import Play
    from simulator.world import World


TMUX = "/tmp/tmux-0/default,77,0"  # noqa: S108 - a word that the hook is told
AGAIN_S = 0.02  # where two of our hooks are installed
UNTOLD = "an agent's start was lost"
UNASKED, ITS_ASK = "an agent's request was lost", "and is shown on the main agent"


class EscapeError(Exception):
    """The person has interrupted what the agent was doing."""

    def __init__(self, *, at_dialog: bool = False) -> None:
        super().__init__()
        self.at_dialog = at_dialog


class Outlet:
    client = "claude"

    def __init__(self, world: World, pid: int) -> None:
        self._world, self._pid = world, pid
        self.is_leaving = False  # a client that ends in order ends the hooks that it waits for
        self.lost_stops = 0
        self.lost_forms = 0  # hooks that would have told of a server's question
        self.is_dead = False  # what a killed client has not written yet is never written
        self._forms_told_twice = 0
        self.env = {"CLAUDE_PID": str(pid), "CLAUDE_CODE_ENTRYPOINT": "cli"}
        if world.program.has_panes:
            self.env |= {"TMUX": TMUX, "TMUX_PANE": "%0"}

    # --- hooks

    def hook(self, payload: Record) -> Play:
        """One that the client waits for; an interruption takes it along if it has not got anywhere yet."""
        if not self._world.program.hooks:
            return
        world = self._world
        name, number, stamp = self._begin(payload, "hook starts")
        written, again = stamp + world.delay("hook writes", name), self._again_s(number, event_of(payload))
        cancel = self._show_hook(payload, stamp, written, number, again)
        try:
            yield written + again - world.now + world.delay("hook ends", name)
        except EscapeError:
            cancel()
            raise
        except GeneratorExit:
            if self.is_leaving:
                cancel()
            raise

    def async_hook(self, payload: Record) -> None:
        """One that the client does not wait for: they may overtake each other."""
        if not self._world.program.hooks:
            return
        name, number, stamp = self._begin(payload, "async hook starts")
        again = self._again_s(number, event_of(payload))
        self._show_hook(payload, stamp, stamp + self._world.delay("hook writes", name), number, again)

    def _begin(self, payload: Record, delay: str) -> tuple[str, int, float]:
        """Its name, its number, and when it takes its stamp. `delay`: how long a hook usually takes to get there."""
        name, number = self._name(payload), self._world.number("hook")
        is_late = self._world.has_fault("late", number)
        return name, number, self._world.now + self._world.delay("late hook" if is_late else delay, name)

    def _again_s(self, number: int, event: str) -> float:
        """How much later the second entry tells the same; the client waits for both.

        One that has told of a server's form tells of its answer, too.
        """
        fault = self._world.fault("twice", number)
        if event == "ElicitationResult":
            is_told = self._forms_told_twice > 0
            self._forms_told_twice -= is_told
            return AGAIN_S if is_told else 0.0
        self._forms_told_twice += bool(fault) and event == "Elicitation"
        return (fault.seconds or AGAIN_S) if fault else 0.0

    def _name(self, payload: Record) -> str:
        event, agent = event_of(payload), payload.get("agent_id", "main")
        return f"{event} {agent} {self._world.number(f'{event} {agent}')}"

    def _show_hook(
        self, payload: Record, stamp: float, written: float, number: int, again: float
    ) -> Callable[[], None]:
        """The way to take it back."""
        world = self._world
        taken_back: list[bool] = []
        if world.has_fault("lost", number):
            self._note_loss(payload)
            return lambda: None
        if again:
            world.stage.at(written + again, lambda: show(stamp + again))

        def show(at: float) -> None:
            if not taken_back:
                world.show(Hook(world.now, stamp_of(world, at), dict(self.env), payload, self.client, self._pid))

        world.stage.at(written, lambda: show(stamp))
        return lambda: taken_back.append(True)

    def _note_loss(self, payload: Record) -> None:
        label, truth, now = f"{self._pid} {payload['session_id']}", self._world.truth, self._world.now
        if payload["hook_event_name"] == "SubagentStart":
            truth.begin(UNTOLD, (label, ""), now)
        elif payload["hook_event_name"] == "PermissionRequest":
            agent = payload.get("agent_id", "main")
            truth.begin(UNASKED, (label, agent), now)
            if agent != "main":
                truth.begin(ITS_ASK, (label, "main"), now)
        self.lost_forms += payload["hook_event_name"] == "Elicitation"
        self.lost_stops += payload["hook_event_name"] == "Stop"

    # --- files

    def line(self, path: str, record: Record, own: float | None = None) -> None:
        """`own`: the time that it carries, if it is not that of now."""
        world = self._world
        number = world.number("line")
        at = world.flush(path, "late line" if world.has_fault("lag") else "line")
        moment = datetime.fromtimestamp(world.wall(world.now if own is None else own), UTC)
        stamp = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        data = {"parentUuid": None, "uuid": f"u{number}", **record, "timestamp": stamp, "version": "2.1.325"}
        self._write(path, at, json.dumps(data).encode() + b"\n")

    def repeat(self, path: str, written: list[bytes]) -> None:
        """Lines of another transcript, with their old times."""
        for data in written:
            self._write(path, self._world.flush(path, "line"), data)

    def _write(self, path: str, at: float, data: bytes) -> None:
        world, line = self._world, Line(at, path, data)
        world.stage.at(at, lambda: world.show(line) if not self.is_dead else None)

    def flushed(self, path: str) -> float:
        """How long until everything is written."""
        return max(0.0, self._world.flushed(path) - self._world.now)

    def registry(self, entry: Record) -> None:
        if self._world.program.registry:
            self.file(f"{self._world.config}/sessions/{self._pid}.json", entry)

    def file(self, path: str, record: Record) -> None:
        self._world.show(File(self._world.now, path, json.dumps(record).encode()))

    # --- processes

    def gone(self) -> None:
        """A client that says goodbye takes its entry along."""
        if self._world.program.registry:
            self._world.show(File(self._world.now, f"{self._world.config}/sessions/{self._pid}.json", None))

    def is_stopped(self, pid: int, *, stopped: bool) -> None:
        self._world.show(Process(self._world.now, pid, is_stopped=stopped))

    def begins(self, pid: int, ppid: int, argv: tuple[str, ...], cwd: str = "") -> None:
        self._world.show(Process(self._world.now, pid, ppid, argv, cwd))

    def ends(self, pid: int) -> None:
        self._world.show(Process(self._world.now, pid, is_alive=False))


def stamp_of(world: World, at: float) -> tuple[float, float]:
    return world.wall(at), world.tick(at)


def shell(command: str) -> tuple[str, ...]:
    """The argv of a Bash tool's shell."""
    quoted = command.replace("'", "'\"'\"'")
    source = "source /home/me/.claude/shell-snapshots/snapshot-bash-1794830400000-abc123.sh 2>/dev/null || true"
    return ("/bin/bash", "-c", f"{source} && shopt -u extglob && eval '{quoted}' && pwd -P >| /tmp/claude-1a2b-cwd")


def given_to(tool: str, target: str) -> dict[str, Any]:
    """A tool's input."""
    if tool in ("Bash", "Monitor"):
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
