"""What is remembered of a client's process between two looks: its start, whether it is stopped, its children."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from processes.helpers import Helpers
from watcher.rules.commands_seen import first_seen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract.facts import Fact
    from processes.helpers import Helper
    from processes.shells import Command
    from processes.table import Probe
    from watcher.clients.base import Adapter

AWAKE_S = 2.0  # so long after it was stopped a client may not have brought its registry up to date


@dataclass
class ClientProcess:
    stopped_at: float | None = None  # since when it has been seen to do nothing, after Ctrl-Z for instance
    slept_at: float = 0.0  # when it was last stopped: what it had said holds until then
    awake_from: float = 0.0  # from when on it keeps its registry up to date again
    _start: tuple[int, str | None] | None = None  # with its pid
    _born: tuple[int, float] | None = None  # with its pid
    _commands: dict[tuple[int, str], Command] = field(default_factory=dict)
    _helpers: Helpers = field(default_factory=Helpers)

    def start(self, pid: int, probe: Probe) -> str | None:
        """What tells it from a later process of this pid, where the hook could not say; asked once for each process."""
        if self._start is None or self._start[0] != pid or not self._start[1]:
            self._start = (pid, probe.start_of(pid))
        return self._start[1]

    def began(self, pid: int | None, probe: Probe) -> float:
        """Since boot; asked once for each process. 0 if it cannot be seen."""
        if pid is None:
            return 0.0
        if self._born is None or self._born[0] != pid:
            client = probe.process(pid)
            self._born = (pid, client.began if client else 0.0)
        return self._born[1]

    def look(self, pid: int | None, now: float, probe: Probe) -> None:
        """Whether it is stopped."""
        process = probe.glance(pid) if pid is not None else None
        is_stopped = process is not None and process.stopped
        self.stopped_at = (self.stopped_at or now) if is_stopped else None
        if is_stopped:
            self.slept_at, self.awake_from = self.stopped_at or now, now + AWAKE_S

    def is_awake(self, now: float, spoke_at: float) -> bool:
        """Whether it keeps its registry up to date. `spoke_at`: when it last did, which a stopped one cannot."""
        return now >= self.awake_from or spoke_at > self.seen_stopped_at

    @property
    def seen_stopped_at(self) -> float:
        """When it last was."""
        return self.awake_from - AWAKE_S

    def forget_children(self) -> None:
        self._commands, self._helpers = {}, Helpers()

    def children(  # noqa: PLR0913 - the look, then what is known of calls
        self, pid: int, now: float, probe: Probe, *, adapter: Adapter, facts: Mapping[str, Fact], over: set[str]
    ) -> tuple[tuple[Command, ...], tuple[Helper, ...]]:
        """Commands seen since they were last forgotten, and its other children. `over`: calls that have a result.

        A command that has ended meanwhile was approved all the same.
        """
        children = probe.children(pid)
        running = adapter.commands(children, pid)
        for command in running:
            seen = self._commands.get((command.pid, command.start))
            # One without a mark may be a shell, or its starter, that has yet to become the command.
            if seen is None or (not command.is_marked and seen.text != command.text):
                known = [one for one in self._commands.values() if one is not seen]
                self._commands[command.pid, command.start] = first_seen(command, facts, known, over)
        pids = {command.pid for command in running}
        others = (child for child in children if child.pid not in pids)
        return tuple(self._commands.values()), self._helpers.look(others, now)
