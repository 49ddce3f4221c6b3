"""Which sessions there are, and one session as the watcher keeps it."""
