"""A command of ours in a terminal that stays until the person closes it, with the beginning of its text in view.

Run by its path, so it imports nothing of ours.
"""

import os
import re
import shutil
import subprocess
import sys

CLOSE, MORE = "Press Enter to close this window.", "Press Enter to read on."
# Whatever the person has set for less: with their options it could close at once, or show escapes as letters.
PAGER = ["less", "-R", "-~", "-P", "Arrow keys scroll, q closes this window"]
SGR = re.compile("\x1b\\[[0-9;]*m")


def main(argv: list[str]) -> int:
    is_terminal = sys.stdout.isatty() and sys.stdin.isatty()
    env = {**os.environ, "FORCE_COLOR": "1"} if is_terminal else None
    done = subprocess.run([sys.executable, *argv], stdout=subprocess.PIPE, env=env, check=False)
    text = done.stdout.decode("utf-8", "replace")
    pages = _pages(text.splitlines(), shutil.get_terminal_size()) if is_terminal else [text.splitlines()]
    if len(pages) < 2 or not _has_shown(text):  # noqa: PLR2004 - it fits, or there is no pager
        _show(pages)
    return done.returncode


def _has_shown(text: str) -> bool:
    env = {name: value for name, value in os.environ.items() if not name.startswith("LESS")} | {"LESSSECURE": "1"}
    try:
        return not subprocess.run(PAGER, input=text.encode(), env=env, check=False).returncode
    except OSError:
        return False


def _show(pages: list[list[str]]) -> None:
    """Page by page."""
    for number, page in enumerate(pages, 1):
        is_last = number == len(pages)
        print(*page, "", CLOSE if is_last else MORE, sep="\n", flush=True)
        sys.stdin.readline()


def _pages(lines: list[str], size: os.terminal_size) -> list[list[str]]:
    """As many lines as the window can show at once, with one for what we say below them. Long lines are broken."""
    pages: list[list[str]] = [[]]
    left = size.lines - 3
    for line in lines:
        height = max(-(-len(SGR.sub("", line)) // size.columns), 1)
        if height > left and pages[-1]:
            pages.append([])
            left = size.lines - 3
        pages[-1].append(line)
        left -= height
    return pages


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
