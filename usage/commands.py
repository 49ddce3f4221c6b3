"""The command that shows what was spent, with its options. Its module is imported when it runs."""

from __future__ import annotations

import argparse
import sys
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING

from contract.run_command import carefully
from usage import days
from usage.report import BY

if TYPE_CHECKING:
    from datetime import date

USAGE = """Print how many tokens your agents have used, from the transcripts that Claude
Code, Codex, Copilot CLI, Gemini CLI and Qwen Code keep, and what they would
cost at API prices. Sub-agents are included, and each answer of a model is
counted once, even after a resume, a fork or a compaction. Nothing is sent
anywhere. The first look reads all transcripts, later ones only what is
new. What was counted stays counted when its transcript is deleted."""
EXAMPLES = """examples:
  yourturn usage                               each day
  yourturn usage --since today --by project    where it goes today
  yourturn usage --since 7d --by model         seven days, today included
  yourturn usage --project shop --by session
  yourturn usage --json | jq .total.cost
  yourturn usage --prices                      prices, and how to change them

Days are those of your time zone; each answer counts for the time when it was
written. A cost of ? is not known, because the model has no price; 12.34+ means
at least that much. What Claude Code spends on titles and on compacting, and
Codex and Gemini CLI on titles, is in no transcript, and so not in these
figures.

Exit codes: 0 done, 1 could not be done (the message says why), 2 wrong usage,
130 interrupted."""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser], _word: str = "") -> None:
    command = subparsers.add_parser(
        "usage", help="print how many tokens were used, and their cost", description=USAGE, epilog=EXAMPLES
    )
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.add_argument("--by", choices=BY, default=BY[0], help="one line for each (default: %(default)s)")
    command.add_argument("--since", type=_since, metavar="WHEN", help="today, 7d, or a date such as 2026-11-01")
    command.add_argument("--project", metavar="NAME", help="only this project: its name as shown, or its folder")
    command.add_argument("--json", action="store_true", help="print JSON, for scripts")
    command.add_argument("--prices", action="store_true", help="print the prices in use and where to change them")
    command.set_defaults(func=_run)


def _run(args: argparse.Namespace) -> int:
    if find_spec("_sqlite3") is None:  # its headers were missing when this Python was built
        print("yourturn: this Python has no SQLite, which usage needs; install one that has it", file=sys.stderr)
        return 1
    return carefully("usage.show", args)


def _since(word: str) -> date:
    try:
        return days.since(word, time.time())
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is neither today, nor days such as 7d, nor a date") from None
