"""Gemini CLI: no hook tells that a call was approved or rejected; its children and transcript do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from processes import shells
from processes.clients.gemini import command
from watcher.clients.gemini.transcripts import Following
from watcher.clients.hooks_only import HooksOnly

if TYPE_CHECKING:
    from collections.abc import Iterable

    from processes.process import Proc
    from processes.shells import Command
    from watcher.clients.base import Adapter
    from watcher.files.allowance import Share


class Gemini(HooksOnly):
    asks_first = True

    def follow(self, session: str, _folder: str, path: str, share: Share | None) -> Following:
        return Following(session, path, share)

    def commands(self, children: Iterable[Proc], pid: int) -> tuple[Command, ...]:
        return shells.commands(children, pid, command)


# The last one is that of a worker of ours, whose prompt comes on standard input.
ADAPTER: Adapter = Gemini("gemini", headless=("-p", "--prompt", "--output-format=stream-json"))
