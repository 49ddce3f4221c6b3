"""What the front ends need of the machine: file events, the session bus, AppleScript, a watcher."""
