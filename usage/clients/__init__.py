"""The clients whose transcripts are counted: one file each, with the same names inside.

`transcripts(env)` gives all of them, `of_session(env, session)` those of one session. `message(line)` says which answer
of a model a line tells of, and `opening(line)` when it was written and in which folder the client worked. Where a line
on an answer does not name its model, an earlier one does: it has the mark `MODEL` in it (else that is empty), and
`model(line)` is the name.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from contract.client_modules import found_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from usage.message import Message, Opening

CLIENTS = found_in("usage.clients", __file__)


class Transcript(NamedTuple):
    path: str
    session: str
    is_main: bool  # else a sub-agent's
    folder: str = ""  # in which the client worked, if no line tells


class Client(Protocol):
    @property
    def MODEL(self) -> bytes: ...  # noqa: N802 - a constant of the module
    def transcripts(self, env: Mapping[str, str], /) -> Iterator[Transcript]: ...
    def of_session(self, env: Mapping[str, str], session: str, /) -> Iterator[Transcript]: ...
    def message(self, line: bytes, /) -> Message | None: ...
    def model(self, line: bytes, /) -> str: ...
    def opening(self, line: bytes, /) -> Opening: ...


def known() -> list[Client]:
    return [named(name) for name in CLIENTS]


def named(name: str) -> Client:
    return cast("Client", import_module(CLIENTS[name]))
