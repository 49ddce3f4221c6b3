"""Our hooks in the settings of a client."""
