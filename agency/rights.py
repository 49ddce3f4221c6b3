"""Which tools an agent may use: what its parent may, or less. Pure.

A tool is named as Claude Code's rules name it: `Bash`, or a part of it, `Bash(git log:*)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class ExceededError(Exception):
    """Asked for more than the parent has."""


class Rights(NamedTuple):
    allow: tuple[str, ...] | None = None  # None: every tool that is not denied
    deny: tuple[str, ...] = ()

    @property
    def are_restricted(self) -> bool:
        return self.allow is not None or bool(self.deny)

    def has(self, tool: str) -> bool:
        """Whether all of this tool may be used, or all of this part of it."""
        whole = base(tool)
        if whole in self.deny or tool in self.deny:
            return False
        return self.allow is None or whole in self.allow or tool in self.allow


EVERYTHING = Rights()


def base(tool: str) -> str:
    """The tool of which a rule names a part."""
    return tool.partition("(")[0].strip()


def inherited(parent: Rights, allow: Sequence[str] | None, deny: Sequence[str]) -> Rights:
    """What a child may do. To ask for nothing is to get what the parent has."""
    exceeding = [tool for tool in allow or () if not parent.has(tool)]
    if exceeding:
        raise ExceededError(f"its parent may not use {', '.join(exceeding)}, so it cannot pass it on")
    denied = tuple(dict.fromkeys((*parent.deny, *deny)))
    granted = parent.allow if allow is None else tuple(dict.fromkeys(allow))
    if granted is not None:
        granted = tuple(tool for tool in granted if base(tool) not in denied and tool not in denied)
    return Rights(granted, denied)
