"""The watcher and the icon as services of this machine's manager."""
