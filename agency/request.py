"""What somebody wants to have started."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agency import clients
from agency.rights import EVERYTHING, Rights

if TYPE_CHECKING:
    from agency.task import Task

COMMAND = "command"  # the client's name of a program that is no coding agent we know
AGENT, WORKER, DISPATCHER = "agent", "worker", "copilot"  # kinds, as files and rows call them


@dataclass(frozen=True)
class Request:
    """An agent to start. `prompt` and `env` never reach a disk."""

    name: str
    session: str  # the id under which it will be known
    program: tuple[str, ...]  # with an interpreter before it, if there is one
    arguments: tuple[str, ...]  # a person's own
    cwd: str
    client: str = COMMAND
    kind: str = AGENT
    parent: str = ""  # session
    agent: str = ""  # its name in the folder of agents, if it is from there
    rights: Rights = EVERYTHING
    timeout_s: float = 0.0  # 0: none
    prompt: str | None = field(default=None, repr=False)  # on its standard input; None: it has none
    task: Task | None = None  # for which its client's command line is built, if it is from the folder of agents
    env: dict[str, str] = field(default_factory=dict, repr=False)
    policy: str = ""  # the file with its limits, for a client that takes them in one

    @property
    def has_task(self) -> bool:
        """Whether it begins to work by itself. A client that a person will type into does not."""
        client = clients.named(self.client)
        return client is None or self.task is not None or client.works_alone(self.arguments)

    @property
    def asks(self) -> bool:
        """Whether a person is asked over its stream for what it may not do unasked."""
        return self.task is not None and self.task.asks

    @property
    def argv(self) -> tuple[str, ...]:
        """Built when it is wanted: until the agent starts, its rights may still be restricted."""
        client = clients.named(self.client)
        if client is None:
            return (*self.program, *self.arguments)
        limits = clients.with_policy(self.client, self.policy) if self.policy else []
        if self.task is None:
            return (*self.program, *limits, *client.restricted(self.arguments, self.session, self.rights))
        return (*self.program, *self.arguments, *limits, *client.command(self.task, self.rights))
