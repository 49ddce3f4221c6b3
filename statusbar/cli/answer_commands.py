"""The commands that answer what an agent asks for, with their options."""

from __future__ import annotations

from statusbar.command import JSON, Command, declare

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from statusbar.command import Subparsers

REQUESTS = """List in full what agents ask for, where it can be answered from here: see `install --answers` and
`spawn --ask`. Other requests are answered in their terminals."""
ALLOW = """Let an agent do what it asks for, this once. Exactly what `requests` showed under this id is
allowed, or nothing. Without an id, the one that is meant is shown, and you are asked. Several requests of one session
can be allowed together only if they are byte for byte the same: by the id of each, or with --equal."""
DENY = """Refuse what an agent asks for. It is told so, with your message, and goes on."""
ANSWER = """Answer the question that an agent asks: the number of an option, its label, or words of your own; one for
each question, in quotes where needed. Where several options may be chosen, with commas between them."""
REQUEST = "its id or the beginning of it, or the session that asks"
ANSWER_CODES = """Exit codes: 0 the client has gone on with your answer; 1 it was answered elsewhere, or nobody waits
any more; 2 no such request, or wrong usage; 3 several fit, or refused."""


def _requests(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=JSON)


def _allow(parser: argparse.ArgumentParser) -> None:
    parser.epilog = ANSWER_CODES
    parser.add_argument("requests", nargs="*", metavar="REQUEST", help=f"{REQUEST}; several only if they are the same")
    parser.add_argument("--equal", action="store_true", help="show all equal requests of the session, and ask me")
    parser.add_argument("--json", action="store_true", help=JSON)


def _deny(parser: argparse.ArgumentParser) -> None:
    parser.epilog = ANSWER_CODES
    parser.add_argument("request", nargs="?", default="", metavar="REQUEST", help=REQUEST)
    parser.add_argument("--json", action="store_true", help=JSON)
    parser.add_argument("--message", "-m", metavar="TEXT", help="what the agent is told")


def _answer(parser: argparse.ArgumentParser) -> None:
    parser.epilog = ANSWER_CODES
    parser.usage = "%(prog)s [REQUEST] CHOICE|TEXT…"
    parser.add_argument(
        "words", nargs="+", metavar="CHOICE|TEXT", help=f"one for each question; before it, REQUEST: {REQUEST}"
    )
    parser.add_argument("--json", action="store_true", help=JSON)


COMMANDS = {
    "requests": Command("statusbar.cli.requests", "list what agents ask for", REQUESTS, _requests),
    "allow": Command("statusbar.cli.allow", "let an agent do what it asks for", ALLOW, _allow),
    "deny": Command("statusbar.cli.deny", "refuse what an agent asks for", DENY, _deny),
    "answer": Command("statusbar.cli.answer", "answer the question that an agent asks", ANSWER, _answer),
}


def register(subparsers: Subparsers, word: str = "") -> None:
    declare(COMMANDS, subparsers, word)
