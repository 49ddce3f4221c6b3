"""What the watcher writes: statuses and observations."""
