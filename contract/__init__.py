"""The shared table: what the hook writes, the watcher decides and the status bar draws."""
