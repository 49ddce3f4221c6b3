"""What several rooms must know of a client: one file each, with the same names inside, and the table of all clients.

Each room that knows clients has a file for each of them, called as it is here; no room has a table of its own.

`CONFIG` is the variable that names its folder ('' if none does), `config_dir(env)` the folder, `settings(env)` the file
that its hooks are set in; `registered(env)` gives a name for each process of it that says that it runs. `MARKS` are
variables that it gives to what it starts. Its program is recognised by its name or, where a script is only called
cli.js or index.js, by a folder of its package (`PACKAGES`); `SERVICES` are first arguments with which it manages or
serves something instead, `HOSTS` those with which it holds the sessions of others. What only one room must know is in
that room.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    class Client(Protocol):
        @property
        def CONFIG(self) -> str: ...  # noqa: N802 - a constant of the module
        @property
        def MARKS(self) -> tuple[str, ...]: ...  # noqa: N802 - as above
        @property
        def PACKAGES(self) -> tuple[str, ...]: ...  # noqa: N802 - as above
        @property
        def SERVICES(self) -> tuple[str, ...]: ...  # noqa: N802 - as above
        @property
        def HOSTS(self) -> tuple[str, ...]: ...  # noqa: N802 - as above
        def config_dir(self, env: Mapping[str, str], /) -> str: ...
        def settings(self, env: Mapping[str, str], /) -> str: ...
        def registered(self, env: Mapping[str, str], /) -> list[str]: ...


NAMES = ("claude", "codex", "copilot", "gemini", "opencode", "qwen")
CLIENTS = {name: "contract.clients." + name for name in NAMES}


def known() -> list[Client]:
    """Imported when they are asked for: the hook seldom does."""
    for module in CLIENTS.values():
        __import__(module)
    return [sys.modules[module] for module in CLIENTS.values()]
