"""Rules for tools in a client's own names: which tools they mean, and which of them a client cannot follow. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agency.rights import base

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agency.rights import Rights

    Tools = Mapping[str, tuple[str, ...]]  # by our names: what a client calls them

BASH = "Bash"
PREFIX = ":*"  # so ends a rule for all commands that begin so


def part(tool: str) -> str:
    """`git log:*` of `Bash(git log:*)`; '' for a whole tool."""
    return tool[len(base(tool)) :].strip().removeprefix("(").removesuffix(")")


def named(tools: Tools, rules: Iterable[str]) -> list[str]:
    """The tools of which these rules are, each once."""
    return list(dict.fromkeys(name for rule in rules for name in tools[base(rule)]))


def unknown(tools: Tools, rights: Rights) -> str:
    """The first rule that is neither for a whole tool of the client nor for a part of Bash."""
    rules = (*(rights.allow or ()), *rights.deny)
    return next((rule for rule in rules if base(rule) not in tools or (part(rule) and base(rule) != BASH)), "")
