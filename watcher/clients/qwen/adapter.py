"""Qwen Code: its hooks tell every request, every answer and every end, so nothing else is looked at."""

from watcher.clients.hooks_only import HooksOnly

# The last one is that of a worker of ours, whose prompt comes on standard input.
ADAPTER = HooksOnly("qwen", headless=("-p", "--prompt", "--output-format=json"))
