"""How each client is started as a worker, and what its output says of the end: one file each, same names inside.

`unfit(task)` names the key of a task that the client cannot follow, `unheld(rights)` a rule that it cannot be held to.
`command(task, rights)` gives the arguments after the program, for a prompt on standard input. `restricted` gives the
arguments that hold a command line of the user's own to its rights, `environment` the variables that do. `result(code,
output)` says what an end means.

A client that can ask its host for permission has a second file: how its stream is read and answered. One that takes its
limits in a file only also has `policy(rights)`, what is in it, and `with_policy(path)`, the arguments that name it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from contract.client_modules import found_in, module_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agency.events import Asked, Event
    from agency.registration import Spawned
    from agency.result import Result
    from agency.rights import Rights
    from agency.task import Task
    from answers.request import Request
    from answers.word import Word

CLIENTS = found_in("agency.clients", __file__)
STREAMS = found_in("agency.clients", __file__, "_stream")
NOT_ENFORCED = "It finds its limits in YOURTURN_ALLOW and YOURTURN_DENY, and may ignore them."


class Client(Protocol):
    ENFORCES: str  # what of the rights the client itself holds its agent to, in a sentence
    TAKES_A_SESSION: bool  # of an id that we choose; else it names its session itself
    TAKES_INSTRUCTIONS: bool  # apart from the prompt
    UNATTENDED: Mapping[str, str]  # variables for one that gets its prompt from us, and has no terminal

    def unfit(self, task: Task) -> str: ...  # what of it the client cannot do
    def unheld(self, rights: Rights) -> str: ...
    def environment(self, rights: Rights, env: Mapping[str, str]) -> dict[str, str]: ...
    def command(self, task: Task, rights: Rights) -> list[str]: ...
    def restricted(self, arguments: tuple[str, ...], session: str, rights: Rights) -> list[str]: ...
    def works_alone(self, arguments: tuple[str, ...]) -> bool: ...
    def session_named(self, arguments: tuple[str, ...]) -> str: ...
    def result(self, code: int, output: bytes) -> Result: ...


class Stream(Protocol):
    ENVIRONMENT: Mapping[str, str]  # what the client is to be started with

    def prompt(self, words: str) -> bytes: ...
    def heard(self, line: bytes) -> Event | None: ...
    def cut_off(self, beginning: bytes) -> Event | None: ...
    def described(self, asked: Asked, agent: Spawned, env: Mapping[str, str], mode: str) -> Request | None: ...
    def decided(self, id_: str, request: Request, answer: Word) -> bytes: ...
    def failed(self, id_: str, why: str) -> bytes: ...


def named(client: str) -> Client | None:
    """None for a program that is no client we can start as a worker."""
    found: Client | None = module_of(CLIENTS, client)
    return found


def enforced(client: str) -> str:
    """What of its rights a worker is held to, in a sentence; also for a program that is no client."""
    found = named(client)
    return found.ENFORCES if found else NOT_ENFORCED


def policy(client: str, rights: Rights) -> str:
    """What is in the file that holds a worker to its rights; '' if its client needs none."""
    written = getattr(named(client), "policy", None)
    return str(written(rights)) if written else ""


def with_policy(client: str, path: str) -> list[str]:
    words: list[str] = module_of(CLIENTS, client).with_policy(path)
    return words


def stream(client: str) -> Stream | None:
    """None for a client that cannot ask its host."""
    found: Stream | None = module_of(STREAMS, client)
    return found
