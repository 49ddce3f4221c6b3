"""All that is known of where an agent's terminal is. What is in it comes from outside: nothing goes on unchecked."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, NamedTuple

from statusbar.text.width import tidy

if TYPE_CHECKING:
    from collections.abc import Mapping

Steps = list[list[str]]
TTY = re.compile(r"/dev/(pts/)?[A-Za-z0-9]+")
# Of this machine, or forwarded to it: no name from outside decides which host is spoken to.
DISPLAY = re.compile(r"(localhost)?:[0-9]{1,5}(\.[0-9]{1,3})?")
LONGEST = 200


class Cannot(Exception):  # noqa: N818 - it is no fault of ours
    """Why a terminal cannot be brought to the front, in words for a person."""


class Whereabouts(NamedTuple):
    terminal: Mapping[str, str]
    cwd: str = ""
    above: tuple[str, ...] = ()  # the programs above the agent's process, the nearest first
    platform: str = "linux"
    tools: frozenset[str] = frozenset()  # those of `TOOLS` that are installed

    def get(self, name: str) -> str:
        return self.terminal.get(name, "")

    def number(self, name: str) -> str:
        """A number as a command takes it; '' if it is none."""
        found = self.get(name)
        return found if found.isascii() and found.isdigit() and len(found) <= 20 else ""  # noqa: PLR2004 - 64 bits

    def path(self, name: str) -> str:
        """An absolute path, so that no command can take it for an option; '' if it is none."""
        found = self.get(name)
        return found if found.startswith("/") else ""

    def tty(self) -> str:
        """The path of a terminal device; '' if it is none."""
        found = self.get("tty")
        return found if TTY.fullmatch(found) else ""

    def display(self) -> str:
        """Where X11 listens; '' if it is none that one would believe."""
        found = self.get("DISPLAY")
        return found if DISPLAY.fullmatch(found) else ""

    def word(self, name: str) -> str:
        """For a command that a person may copy into a shell: one clean word of it, whatever it is."""
        return shlex.quote(tidy(self.get(name), LONGEST))

    def first_tool(self, *names: str) -> str:
        return next((name for name in names if name in self.tools), "")


TOOLS = (
    "xdotool", "wmctrl", "code", "code-insiders", "codium", "cursor", "windsurf", "idea", "pycharm", "webstorm",
    "goland", "clion", "phpstorm", "rubymine", "rider", "rustrover", "datagrip", "studio",
)  # fmt: skip
