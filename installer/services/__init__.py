"""The watcher as a service of launchd or systemd, and the icon as a login entry."""
