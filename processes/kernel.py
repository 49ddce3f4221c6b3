"""Which of the two answers for processes on this machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol

if sys.platform == "linux":
    from processes.procfs import Procfs as Table
else:
    from processes.psutil_table import PsTable as Table

if TYPE_CHECKING:
    from processes.process import Proc


class Kernel(Protocol):
    """The questions that may be put to the process table."""

    def row(self, pid: int) -> Proc | None: ...
    def children(self, pid: int) -> list[int]: ...
    def pids(self) -> list[int]: ...
    def is_mine(self, pid: int) -> bool: ...
    def argv(self, pid: int) -> tuple[str, ...]: ...
    def agent_mode(self, pid: int) -> bool | None: ...
    def tty(self, pid: int) -> str | None: ...
    def forget(self) -> None: ...


def here() -> Kernel:
    return Table()
