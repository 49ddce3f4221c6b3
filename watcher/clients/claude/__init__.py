"""Claude Code: its registry, its transcripts, its teams, and the children of its process."""
