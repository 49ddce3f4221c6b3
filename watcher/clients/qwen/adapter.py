"""Qwen Code: its hooks tell every request, every answer and every end, so nothing else is looked at."""

from watcher.clients.hooks_only import HooksOnly

ADAPTER = HooksOnly("qwen", headless=("-p", "--prompt"))
