"""AppleScript without pasting: the script is fixed, and what comes from outside is an argument of it."""

from __future__ import annotations

# The first argument ends osascript's options: a text that begins with -e would be a script otherwise.
END_OF_OPTIONS = "yourturn"


def argv(script: str, *values: str) -> list[str]:
    """The script gets the values from `item 2 of argv` on."""
    return ["osascript", "-e", script.strip(), END_OF_OPTIONS, *(value.replace("\0", "") for value in values)]
