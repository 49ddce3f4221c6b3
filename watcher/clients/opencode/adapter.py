"""OpenCode: our plugin tells every request, every answer and every end, so nothing else is looked at."""

from watcher.clients.hooks_only import HooksOnly

ADAPTER = HooksOnly("opencode", headless=("run",))
