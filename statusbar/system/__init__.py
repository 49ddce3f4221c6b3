"""What this room asks of the machine: file events, the session bus, AppleScript."""
