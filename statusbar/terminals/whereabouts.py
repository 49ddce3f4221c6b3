"""All that is known of where an agent's terminal is. What is in it comes from outside: nothing goes on unchecked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

Steps = list[list[str]]


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

    def first_tool(self, *names: str) -> str:
        return next((name for name in names if name in self.tools), "")


TOOLS = (
    "xdotool", "wmctrl", "code", "code-insiders", "codium", "cursor", "windsurf", "idea", "pycharm", "webstorm",
    "goland", "clion", "phpstorm", "rubymine", "rider", "rustrover", "datagrip", "studio",
)  # fmt: skip
