"""The clients whose events we understand: one file each, with the same names inside.

`translate(payload)` gives the changes that a payload tells of, none if it is of no interest; ValueError, in words of
ours that hold no value, if it is none of this client's. `process(env)` gives what the client says of its own process:
its pid ('' if it says none), its entrypoint, whether it works in the background. `plugin(env)` gives the folder that
the hook runs from as a plugin of the client, '' if it is none; `notice(words, env)` the object that a hook prints to
have these words shown to the user and to nobody else, {} if no user is there.
"""

from __future__ import annotations

import sys

from contract.clients import NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from recorder.change import Change

    class Client(Protocol):
        def translate(self, payload: dict[str, Any], /) -> tuple[Change, ...]: ...
        def process(self, env: Mapping[str, str], /) -> tuple[str, str, bool]: ...
        def plugin(self, env: Mapping[str, str], /) -> str: ...
        def notice(self, words: str, env: Mapping[str, str], /) -> dict[str, Any]: ...


# By the word after `hook.py` in the hook's command.
CLIENTS = {name: "recorder.clients." + name for name in NAMES}
# Others run the hooks of Claude Code's settings as well. By what each gives to its hooks, and not to its commands, in
# which a Claude Code may run: its name, '' for one whose words we do not know.
OTHERS = {"COPILOT_PROJECT_DIR": "copilot", "QWEN_PROJECT_DIR": "", "GEMINI_SESSION_ID": "", "GROK_HOOK_EVENT": ""}


def speaking(name: str, env: Mapping[str, str]) -> str:
    """Who runs a hook whose command names this client; '' if it is nobody whom we understand."""
    if name != "claude":
        return name
    for mark, other in OTHERS.items():
        if mark in env:
            return other
    # Its commands get COPILOT_CLI too, but with the id of the session that they are of.
    return "copilot" if "COPILOT_CLI" in env and "COPILOT_AGENT_SESSION_ID" not in env else name


def named(name: str) -> Client:
    """Imported when it speaks: a hook pays for its own client only."""
    module = CLIENTS.get(name)
    if module is None:
        raise ValueError("the hook's command names no client that we know; install the hooks again")
    if module not in sys.modules:
        __import__(module)
    return sys.modules[module]
