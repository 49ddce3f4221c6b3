"""All that is known about where an agent's terminal is. It comes from outside: every value is checked before use."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, NamedTuple

from statusbar.text.width import tidy

if TYPE_CHECKING:
    from collections.abc import Mapping

Steps = list[list[str]]
TTY = re.compile(r"/dev/(pts/)?[A-Za-z0-9]+")
# Only displays of this machine, or forwarded to it: a name from outside must not choose the host.
DISPLAY = re.compile(r"(localhost)?:[0-9]{1,5}(\.[0-9]{1,3})?")
LONGEST = 200


class Cannot(Exception):  # noqa: N818 - an expected outcome
    """Why a terminal cannot be brought to the front."""


class Whereabouts(NamedTuple):
    terminal: Mapping[str, str]
    cwd: str = ""
    above: tuple[str, ...] = ()  # the programs above the agent's process, the nearest first
    platform: str = "linux"
    tools: frozenset[str] = frozenset()  # which of `TOOLS` are installed

    def get(self, name: str) -> str:
        return self.terminal.get(name, "")

    def number(self, name: str) -> str:
        """Digits only; '' for anything else."""
        value = self.get(name)
        return value if value.isascii() and value.isdigit() and len(value) <= 20 else ""  # noqa: PLR2004 - 64 bits

    def path(self, name: str) -> str:
        """An absolute path, so that no command can take it for an option; '' for anything else."""
        value = self.get(name)
        return value if value.startswith("/") else ""

    def tty(self) -> str:
        """The path of a terminal device; '' for anything else."""
        value = self.get("tty")
        return value if TTY.fullmatch(value) else ""

    def display(self) -> str:
        """The X11 display; '' for anything that cannot be one."""
        value = self.get("DISPLAY")
        return value if DISPLAY.fullmatch(value) else ""

    def word(self, name: str) -> str:
        """Quoted as one clean word, for a command that a person may copy into a shell."""
        return shlex.quote(tidy(self.get(name), LONGEST))

    def first_tool(self, *names: str) -> str:
        return next((name for name in names if name in self.tools), "")


TOOLS = (
    "xdotool", "wmctrl", "code", "code-insiders", "codium", "cursor", "windsurf", "idea", "pycharm", "webstorm",
    "goland", "clion", "phpstorm", "rubymine", "rider", "rustrover", "datagrip", "studio",
)  # fmt: skip
