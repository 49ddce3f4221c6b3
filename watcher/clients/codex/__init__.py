"""Codex: its rollouts, its daemon, and the terminals that show what runs there."""
