"""How a client's file says which hooks to run: what differs from client to client. Values only."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


MARK = " # yourturn-hook"


class Shape(NamedTuple):
    client: str
    """What the hook is told that it speaks for."""
    title: str
    """The client's name, for people."""
    line: str = "command"
    """The key of an entry's shell line."""
    is_grouped: bool = True
    """Whether an event has a list of groups, each with a list of hooks; else it has the hooks themselves."""
    has_comments: bool = False
    """Whether the client reads JSON with comments."""
    empty: str = "{}\n"
    """A file without any hook."""
    more: Mapping[str, str] | None = None
    """What the hook is told besides, by the event."""
    mark: str = MARK
    """How the line of an entry of ours ends."""

    def told(self, event: str) -> str:
        """What follows the hook's script on the shell line."""
        more = (self.more or {}).get(event, "")
        return f" {self.client} {more}" if more else f" {self.client}"


CLAUDE = Shape("claude", "Claude Code")
