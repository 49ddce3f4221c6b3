"""The front ends: they read status files and write no state."""
