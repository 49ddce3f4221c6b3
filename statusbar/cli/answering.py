"""What `allow`, `deny` and `answer` have in common: which request is meant, who says so, and what came of it."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING

from answers import folder, give
from answers.shown import shown
from contract import paths, typed
from processes import who
from statusbar.cli import output
from statusbar.cli.requests import asker, described
from statusbar.model import reader, titled
from statusbar.model.targets import NoSuchTarget, Unclear
from statusbar.text.width import tidy

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from answers.asked import Request
    from answers.word import Word

COULD_NOT, NO_SUCH, REFUSED = 1, 2, 3
LONG = 80
AGENTS = ("CLAUDECODE", "AGENT_MODE", "COPILOT_CLI", "GEMINI_SESSION_ID", "QWEN_PROJECT_DIR")
BY_AGENT = "an agent may not answer for a person: nothing was sent"


class NotDone(Exception):  # noqa: N818 - an expected outcome
    def __init__(self, words: str, code: int) -> None:
        super().__init__(words)
        self.code = code


class Desk:
    """The requests that are open, and who stands before them."""

    def __init__(self, home: str, env: Mapping[str, str]) -> None:
        self.home, self.statuses, self.env = home, reader.read(home), env
        self.requests = folder.requests(home)

    def check_who(self) -> None:
        """A courtesy, not a wall: a process of this user can write to the pipe itself."""
        if any(self.env.get(name) for name in AGENTS) or who.asks(self.statuses.sessions).kind == who.AGENT:
            raise NotDone(BY_AGENT, REFUSED)

    def the_one(self, word: str) -> Request:
        """By its id or the beginning of it, or by the session that asks; '' for the only one."""
        found = [one for one in self.requests if one.id.startswith(word)] if word else self.requests
        if word and not found:
            found = self._of_session(word)
        if len(found) == 1:
            return found[0]
        if not found:
            named = f" '{tidy(word, LONG)}'" if word else ""
            raise NotDone(f"there is no open request{named} that can be answered from here", NO_SUCH)
        listed = "\n".join(
            f"  {one.id}  {asker(one, self.statuses)}  {tidy(one.tool, LONG)}: {one.target}" for one in found
        )
        raise NotDone(f"which one?\n{listed}", REFUSED)

    def _of_session(self, word: str) -> list[Request]:
        try:
            target = titled.one(self.statuses, word)
        except NoSuchTarget:
            return []
        except Unclear as error:
            raise NotDone(str(error), error.exit_code) from None
        agent = target.agent.key if target.agent else ""
        return [one for one in self.requests if one.session == target.session.session_id and agent in ("", one.agent)]


def run(args: argparse.Namespace, decide: Callable[[Desk, argparse.Namespace], tuple[Request, Word]]) -> int:
    """`decide` gives the request as the person saw it, and their word on it."""
    desk = Desk(paths.home(), os.environ)
    try:
        drawn, answer = decide(desk, args)
        desk.check_who()
        outcome = give.give(desk.home, drawn, answer)
    except NotDone as error:
        return _tell(args, "", str(error), error.code)
    except ValueError as error:
        return _tell(args, "", str(error), NO_SUCH)
    return _tell(args, drawn.id, outcome.words, 0 if outcome.ok else COULD_NOT)


def must_be_whole(request: Request) -> None:
    seen = shown(request)
    if not seen.is_whole:
        raise NotDone(f"{seen.lacks}: look at it in its terminal. From here it can only be denied.", REFUSED)


def must_be_seen(desk: Desk, request: Request, question: str) -> None:
    """Who names no request has not said which one they saw: they are shown it, and asked."""
    if not output.is_terminal(sys.stdin, sys.stdout):
        raise NotDone(f"say which request is meant: {typed.command('requests')}", NO_SUCH)
    out = output.printer(sys.stdout, os.environ)
    out.draw(described(request, desk.statuses, time.time()))
    out.write(f"{question} [y/N] ")
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise NotDone("nothing was sent", REFUSED)


def _tell(args: argparse.Namespace, id_: str, words: str, code: int) -> int:
    if args.json:
        print(json.dumps({"v": 1, "id": id_ or None, "ok": code == 0, "words": words}))
    elif code:
        print(f"yourturn: {words}", file=sys.stderr)
    else:
        print(words)
    return code
