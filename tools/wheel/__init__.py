"""`import yourturn` where it is installed: the command is in `yourturn.py` beside this file, and does not run yet."""

from importlib import import_module


def main() -> int:
    return int(import_module("yourturn.yourturn").main())
