r"""Claude Code's commands.

Their shell sources a snapshot of the user's shell or ends by writing its folder to a file, with an `eval` of the
command between:

    /bin/bash -c "source …/shell-snapshots/snapshot-bash-….sh && eval 'npm test' && pwd -P >| /tmp/…-cwd"

Anything else, however much like a command it looks, is none: a hook may well say `eval` too.
"""

from __future__ import annotations

import re

from processes.shell_words import first_word

SNAPSHOT = re.compile(r"\s*(?:source|\.) [^&\n]{1,1024}/shell-snapshots/snapshot-")
EVAL = re.compile(r"&& '?eval'? ")
PLAIN_EVAL = "&& eval "
FOLDER_KEPT = re.compile(r"&& pwd -P >\| \S+\s*\Z")


def command(argv: tuple[str, ...]) -> str | None:
    """A sandbox may wrap the shell."""
    for word in argv[1:]:
        if EVAL.search(word) and (SNAPSHOT.match(word) or FOLDER_KEPT.search(word)):
            _, found, rest = word.partition(PLAIN_EVAL)
            return first_word(rest) if found else ""
    return None
