"""Notifications: what is worth one, and how each desktop shows it."""
