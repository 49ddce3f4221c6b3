"""What goes on beside an agent's own turn: its agents and teammates, shells, monitors, workflows, cron lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from watcher.rules.evidence import Mates
from watcher.rules.pace import HOOK_S
from watcher.rules.times import NEVER, tick

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract.facts import Cron, Fact, Task
    from watcher.rules.agent import Agent
    from watcher.rules.evidence import RegistryReport


@dataclass(frozen=True)
class Background:
    fact: Fact | None = None  # of the agent whose background it is
    report: RegistryReport | None = None  # on the process
    children: tuple[Agent, ...] = ()  # those that go on
    mates: Mates = field(default_factory=Mates)  # teammates in panes
    finished: Mapping[str, float] = field(default_factory=dict)  # tasks whose end its transcript told, and when

    @property
    def has_agents(self) -> bool:
        return bool(self.children) or self.mates.busy > 0

    @property
    def may_be_busy(self) -> bool:
        """Whether the process may be busy though its main agent is not.

        Agents in the background make it busy, and teammates in panes do even when all of them are idle.
        """
        return self.has_agents or self.mates.all > 0 or bool(self._tasks("teammate"))

    @property
    def agents_in_words(self) -> str:
        mates = sum(child.is_teammate for child in self.children)
        sub_agents = len(self.children) - mates
        return listed(counted(sub_agents, "sub-agent"), counted(mates + self.mates.busy, "teammate"))

    @property
    def workflows_in_words(self) -> str:
        return counted(len(self._tasks("workflow")), "workflow")

    @property
    def shells_in_words(self) -> str:
        shells, monitors = counted(len(self._shells), "shell"), counted(len(self._resting("monitor")), "monitor")
        words = listed(shells and f"{shells} running", monitors and f"{monitors} armed")
        is_told = self.report is not None and self.report.status == "shell"
        return words or ("shell running" if is_told else "")

    @property
    def crons(self) -> tuple[Cron, ...]:
        return tuple(self.fact.crons) if self.fact else ()

    def _tasks(self, kind: str) -> tuple[Task, ...]:
        """As the client listed them at its last Stop."""
        tasks = self.fact.background if self.fact else ()
        return tuple(task for task in tasks if task.type == kind and task.status in ("running", ""))

    def _resting(self, kind: str) -> tuple[Task, ...]:
        """Those beside which the agent rests, without those whose end was told since. Others' ends wake it.

        The list is made before the hook that tells of it is started.
        """
        listed_from = self._listed_at - HOOK_S
        return tuple(task for task in self._tasks(kind) if self.finished.get(task.id, NEVER) <= listed_from)

    @property
    def _listed_at(self) -> float:
        return (tick(self.fact.listed) if self.fact else None) or 0.0

    @property
    def _shells(self) -> tuple[Task, ...]:
        return () if self._shells_ended else self._resting("shell")

    @property
    def _shells_ended(self) -> bool:
        """The registry says `shell` as long as one runs, and `idle` when the last one has ended."""
        return self.report is not None and self.report.status == "idle" and self.report.at > self._listed_at


def counted(number: int, word: str) -> str:
    return f"{number} {word}{'s' if number > 1 else ''}" if number else ""


def listed(*parts: str) -> str:
    return ", ".join(part for part in parts if part)
