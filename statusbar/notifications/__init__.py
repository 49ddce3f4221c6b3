"""Notifications: what the person is notified of, and how each desktop shows it."""
