"""OpenCode: our plugin tells every request, every answer and every end, so nothing else is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watcher.clients.hooks_only import HooksOnly

if TYPE_CHECKING:
    from watcher.clients.base import Adapter

ADAPTER: Adapter = HooksOnly("opencode", headless=("run",))
