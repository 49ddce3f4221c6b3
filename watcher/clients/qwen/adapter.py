"""Qwen Code: its hooks tell every request, every answer and every end, so nothing else is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watcher.clients.hooks_only import HooksOnly

if TYPE_CHECKING:
    from watcher.clients.base import Adapter

# The last one is that of a worker of ours, whose prompt comes on standard input.
ADAPTER: Adapter = HooksOnly("qwen", headless=("-p", "--prompt", "--output-format=json"))
