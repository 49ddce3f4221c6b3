"""Gemini CLI: its hooks, its transcript for what these leave out, and the commands below its process."""
