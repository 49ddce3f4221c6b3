"""Starting the watcher, as the hook calls it; front ends do it the same way."""

from contract.launch import ensure_watcher

__all__ = ["ensure_watcher"]
