"""Copilot CLI: its list of open sessions, and the events that it writes down for each of them."""
