"""How the tests run each client on loopback: one file each, with the same names inside.

`PROGRAMS` are those that it needs beside node. `furnish(place, api_url, program)` writes its settings, so that it asks
nothing at its start. `listen(place)` sets our hooks in them, as a person would: by `installation.install`.
`environment(place, api_url)` is what it needs beside `Place.plain`. `ARGUMENTS` come after the program.

`READY` is what the screen shows when a prompt can be typed, `TYPED` is a pattern for a prompt that stands in the input
line (`{}` is the prompt), `ASKS` one for the dialog that asks for an approval. `is_aside(body)` says whether a request
to the model is of a helper, not of an agent. `PROCESS` is the name of the process that is the agent, where a launcher
of another name starts it. `leave(place)` ends what a client leaves running when its terminals are closed. `shell`,
`question` and `spawn` are steps of a script, with its own names of tools.

`before_a_worker(watched)` does what a person must have done before one can be started through us. `LIMITS` are the
rules that such a worker gets, a step of a script that makes `made` by them, and one that would make `other`.
`busy(door)` are the rules, and a step by which a worker runs a command until the test lets it end.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from contract.client_modules import found_in

if TYPE_CHECKING:
    from e2e.agents.watched import WatchedAgents
    from e2e.harness.place import Place
    from e2e.harness.script import Step


class Kind(Protocol):
    @property
    def ARGUMENTS(self) -> tuple[str, ...]: ...  # noqa: N802 - a constant of the module
    @property
    def READY(self) -> str: ...  # noqa: N802 - as above
    @property
    def TYPED(self) -> str: ...  # noqa: N802 - as above
    @property
    def ASKS(self) -> str: ...  # noqa: N802 - as above
    @property
    def PROGRAMS(self) -> tuple[str, ...]: ...  # noqa: N802 - as above
    @property
    def PROCESS(self) -> str: ...  # noqa: N802 - as above
    @property
    def LIMITS(self) -> tuple[list[str], Step, Step]: ...  # noqa: N802 - as above
    def before_a_worker(self, watched: WatchedAgents, /) -> None: ...
    def furnish(self, place: Place, api_url: str, program: str, /) -> None: ...
    def listen(self, place: Place, /) -> None: ...
    def environment(self, place: Place, api_url: str, /) -> dict[str, str]: ...
    def leave(self, place: Place, /) -> None: ...
    def is_aside(self, body: dict[str, Any], /) -> bool: ...
    def shell(self, command: str, /) -> Step: ...
    def question(self, words: str, /, *options: str) -> Step: ...
    def spawn(self, description: str, prompt: str, /) -> Step: ...
    def busy(self, door: str, /) -> tuple[list[str], Step]: ...


CLIENTS = {
    name: cast("Kind", import_module(module)) for name, module in found_in("e2e.agents.clients", __file__).items()
}
