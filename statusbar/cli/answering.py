"""What `allow`, `deny` and `answer` have in common: which request is meant, who says so, and what came of it."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING

from answers import give, open_requests
from answers.request_text import remedy, shown
from contract import clients, paths, typed
from processes import caller
from statusbar.cli import output
from statusbar.cli.requests import asker, described
from statusbar.model import reader, request_owner, targets_by_title
from statusbar.model.targets import NoSuchTarget, Unclear
from statusbar.text.width import tidy

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping, Sequence

    from answers.give import Outcome
    from answers.request import Request
    from answers.word import Word

    Decided = Sequence[tuple[Request, Word]]  # each request as the person saw it, and their word on it

COULD_NOT, NO_SUCH, REFUSED = 1, 2, 3
LONG = 80
SHORTEST = 4  # as many digits are the beginning of an id: fewer may be a name, or the number of an option
OUR_MARK = "AGENT_MODE"  # of what was started through us
BY_AGENT = "an agent may not answer for a person: nothing was sent"


class NotDone(Exception):  # noqa: N818 - an expected outcome
    def __init__(self, words: str, code: int) -> None:
        super().__init__(words)
        self.code = code


class Desk:
    """The requests that are open, and who stands before them."""

    def __init__(self, home: str, env: Mapping[str, str]) -> None:
        self.home, self.statuses, self.env = home, reader.read(home), env
        self.requests = open_requests.requests(home)

    def check_who(self) -> None:
        """A courtesy, not a wall: a process of this user can write to the pipe itself."""
        marks = (OUR_MARK, *(mark for client in clients.known() for mark in client.MARKS))
        if any(self.env.get(mark) for mark in marks) or caller.asks(self.statuses.sessions).kind == caller.AGENT:
            raise NotDone(BY_AGENT, REFUSED)

    def by_id(self, word: str) -> list[Request]:
        """Those whose id begins so: who names one has seen it."""
        return [one for one in self.requests if one.id.startswith(word)] if len(word) >= SHORTEST else []

    def the_one(self, word: str) -> Request:
        """By its id or the beginning of it, or by the session that asks; '' for the only one."""
        found = (self.by_id(word) or self._of_session(word)) if word else self.requests
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
            target = targets_by_title.one(self.statuses, word)
        except NoSuchTarget:
            return []
        except Unclear as error:
            raise NotDone(str(error), error.exit_code) from None
        agent = target.agent.key if target.agent else ""
        known = {session.session_id for session in self.statuses.sessions}
        asked = [one for one in self.requests if request_owner.owner(one, known) == target.session.session_id]
        return [one for one in asked if agent in ("", one.agent)]


def run(args: argparse.Namespace, decide: Callable[[Desk, argparse.Namespace], Decided]) -> int:
    desk = Desk(paths.home(), os.environ)
    try:
        desk.check_who()
        outcomes = [(drawn, give.give(desk.home, drawn, answer)) for drawn, answer in decide(desk, args)]
    except NotDone as error:
        return _tell(args, "", str(error), error.code)
    except ValueError as error:
        return _tell(args, "", str(error), NO_SUCH)
    if len(outcomes) > 1:
        return _tell_each(args, outcomes)
    ((drawn, outcome),) = outcomes
    return _tell(args, drawn.id, outcome.words, 0 if outcome.ok else COULD_NOT)


def must_be_whole(request: Request) -> None:
    seen = shown(request)
    if not seen.is_whole:
        more = "" if request.host else ". From here it can only be denied"
        raise NotDone(f"{seen.lacks}: {remedy(request)}{more}.", REFUSED)


def must_be_seen(desk: Desk, requests: Sequence[Request], question: str) -> None:
    """Whoever gives no id has not said what they saw, only who asks, if that: they are shown it, and asked."""
    if not output.is_terminal(sys.stdin, sys.stdout):
        raise NotDone(f"say which request is meant, by its id: {typed.command('requests')}", NO_SUCH)
    out = output.printer(sys.stdout, os.environ)
    out.draw([line for request in requests for line in described(request, desk.statuses, time.time())])
    out.write(f"{question} [y/N] ")
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise NotDone("nothing was sent", REFUSED)


def _tell_each(args: argparse.Namespace, outcomes: Sequence[tuple[Request, Outcome]]) -> int:
    """Of several that were answered together, each has an end of its own."""
    is_done = all(outcome.ok for _, outcome in outcomes)
    each = [{"id": drawn.id, "ok": outcome.ok, "words": outcome.words} for drawn, outcome in outcomes]
    if args.json:
        print(json.dumps({"v": 1, "ok": is_done, "answers": each}))
    else:
        for one in each:
            print(f"{one['id']}  {one['words']}", file=sys.stdout if one["ok"] else sys.stderr)
    return 0 if is_done else COULD_NOT


def _tell(args: argparse.Namespace, id_: str, words: str, code: int) -> int:
    if args.json:
        print(json.dumps({"v": 1, "id": id_ or None, "ok": code == 0, "words": words}))
    elif code:
        print(f"yourturn: {words}", file=sys.stderr)
    else:
        print(words)
    return code
