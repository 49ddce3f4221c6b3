"""AppleScript with fixed scripts: what comes from outside is an argument, never part of the script."""

from __future__ import annotations

# The first argument ends osascript's options: otherwise a text that begins with -e would be a script.
END_OF_OPTIONS = "yourturn"


def argv(script: str, *values: str) -> list[str]:
    """The script gets the values from `item 2 of argv` on."""
    return ["osascript", "-e", script.strip(), END_OF_OPTIONS, *(value.replace("\0", "") for value in values)]
