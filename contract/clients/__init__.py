"""What several rooms must know of a client: one file each, with the same names inside, and this table.

`CONFIG` is the variable that names its folder ('' if none does), `config_dir(env)` the folder, `settings(env)` the file
that its hooks are set in; `registered(env)` gives a name for each process of it that says that it runs. What only one
room must know is in that room.
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
        def config_dir(self, env: Mapping[str, str], /) -> str: ...
        def settings(self, env: Mapping[str, str], /) -> str: ...
        def registered(self, env: Mapping[str, str], /) -> list[str]: ...


CLIENTS = {
    "claude": "contract.clients.claude",
    "codex": "contract.clients.codex",
    "copilot": "contract.clients.copilot",
    "gemini": "contract.clients.gemini",
    "opencode": "contract.clients.opencode",
    "qwen": "contract.clients.qwen",
}


def known() -> list[Client]:
    """Imported when they are asked for: the hook seldom does."""
    for module in CLIENTS.values():
        __import__(module)
    return [sys.modules[module] for module in CLIENTS.values()]
