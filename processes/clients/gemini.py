r"""Gemini CLI's commands.

Their shell notes what the command leaves behind:

    bash -c "shopt -u …; _bgpids_file=/tmp/gemini-shell-…/bgpids.tmp
    (
      trap 'jobs -p > "$_bgpids_file"' EXIT
    npm test
    )
    __code=$?
    exit $__code"
"""

from __future__ import annotations

import re

from processes.shell_words import LONGEST

NOTED = re.compile(r"\s*(?:shopt [^;\n]{1,400};)?\s*_bgpids_file=[^\n]{1,1024}\n\(\n\s*trap [^\n]{1,200} EXIT\n")
NOTED_END = re.compile(r"\n\)\n__code=\$\?\nexit \$__code\s*\Z")


def command(argv: tuple[str, ...]) -> str | None:
    """A sandbox may wrap the shell."""
    for word in argv[1:]:
        if begun := NOTED.match(word):
            return NOTED_END.sub("", word[begun.end() :])[:LONGEST]
    return None
