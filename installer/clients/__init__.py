"""The clients that we can install into: one file each, with the same names inside.

`TITLE` is its name for people, `PROGRAMS` are the names of its program. `editor(program)` puts our part into the text
of its file (`settings` of `contract.clients`) and takes it out again. `caveats(path, text)` says what keeps the hooks
of a file with this text from working, such as a step that only the user can do; `AFTER` is what to say after installing
if nothing does, `note(path)` what to know of hooks that work ('' if nothing). Whatever else of the client's files is
looked at is only read.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from contract.clients import NAMES

if TYPE_CHECKING:
    from installer.clients.caveat import Caveat
    from installer.hooks.editor import Editor
    from installer.hooks.program import Program

    class Client(Protocol):
        @property
        def TITLE(self) -> str: ...  # noqa: N802 - a constant of the module
        @property
        def PROGRAMS(self) -> tuple[str, ...]: ...  # noqa: N802 - as above
        @property
        def AFTER(self) -> str: ...  # noqa: N802 - as above
        def editor(self, program: Program, /) -> Editor: ...
        def caveats(self, path: str, text: str, /) -> list[Caveat]: ...
        def note(self, path: str, /) -> str: ...


DEFAULT = "claude"
CLIENTS = {name: cast("Client", import_module(f"installer.clients.{name}")) for name in NAMES}
