"""yourturn's hooks in the settings of Claude Code."""
