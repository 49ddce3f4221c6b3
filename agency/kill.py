"""`yourturn kill`: ends the process of a session, and with --tree what runs below it, or says why not."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from agency import audit, ended_agents, gate, kill_note, kill_report, target, target_process
from agency.audit import Subject
from agency.end import Plan, end, end_family
from agency.family import Family
from agency.kill_report import Report
from agency.outcome import ALREADY_GONE, NO_SUCH_TARGET, NotDone, Outcome, already_gone, could_not, refused
from contract import machine, paths
from processes import caller
from processes.identity import Identity
from processes.table import Probe
from statusbar.cli import output
from statusbar.model import reader
from statusbar.settings import settings

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from agency.end import Ended
    from agency.target import Target
    from processes.lineage import Node
    from processes.process import Proc


def run(args: argparse.Namespace) -> int:
    report = Kill(args, paths.home()).run()
    kill_report.tell(report, as_json=args.json)
    return report.outcome.code


class Kill:
    """One request to end an agent, from the word that names it to the last line of the audit."""

    def __init__(self, args: argparse.Namespace, home: str) -> None:
        self.args, self.home, self.probe = args, home, Probe()
        self.plan = Plan((args.signal,), args.grace) if args.signal else Plan(grace_s=args.grace)
        self.statuses = reader.read(home)
        self.is_watched = self.statuses.is_well(time.time())
        self.by = caller.asks(self.statuses.sessions, self.probe)
        self.subject, self.words = Subject(""), ""
        self.nested: list[Subject] = []  # sessions below it that end too
        self.notes: list[str] = []

    def run(self) -> Report:
        try:
            return self._run()
        except NotDone as error:
            if self.subject.session:
                self._note(audit.KILL, error.outcome)
            return self._report(error.outcome)

    def _run(self) -> Report:
        try:
            aim = self._find()
            found = target_process.process_of(aim, self.probe, target_process.here(is_watched=self.is_watched))
        except NotDone as error:
            if error.outcome.word == ALREADY_GONE and self.args.tree:
                return self._end_remains(error)
            raise
        return self._end(aim, found)

    def _find(self) -> Target:
        try:
            aim = target.find(self.home, self.args.target)
        except NotDone as error:
            session = (
                ended_agents.session_of(self.home, self.args.target) if error.outcome.code == NO_SUCH_TARGET else ""
            )
            if not session:
                raise
            self.subject, self.words = Subject(session), session[:8]
            raise already_gone(f"{self.words} has ended.") from None
        self.subject, self.words = Subject(aim.session, aim.name), aim.words
        if aim.agent != paths.MAIN:
            raise refused(target.inside(aim, self.statuses))
        return aim

    def _end(self, aim: Target, found: Proc) -> Report:
        self.subject = self.subject._replace(pid=found.pid, start=found.start)
        family = Family(found, self.probe)
        below = family.look()
        self._check_not_around_us(found, *below)
        self._ask_gate(aim.status.cwd if aim.status else aim.fact.cwd if aim.fact else "")
        self._agree(kill_report.question(aim, found, below, tree=self.args.tree, is_known=self.is_watched))
        with self._begun():
            self._mark(self.subject)
            if self.args.tree:
                self._mark_nested(family.look())
            return self._carry_out(found, family)

    def _check_not_around_us(self, *meant: Proc | Node) -> None:
        """Who ends the agent around itself cannot tell any more what became of it."""
        line = {(proc.pid, proc.start) for proc in caller.line_above(self.probe, os.getpid())}
        if any((one.pid, one.start) in line for one in meant):
            raise refused(f"this command runs inside {self.words} and would end itself. Use another terminal.")

    def _ask_gate(self, cwd: str) -> None:
        request = gate.EndRequest(self.home, self.by, self.subject, cwd, has_tree=self.args.tree)
        if why := gate.may_end(request, settings.load(os.environ)):
            raise refused(why)

    def _agree(self, question: str) -> None:
        if self.args.yes:
            return
        if not output.is_terminal(sys.stdin, sys.stderr):
            raise refused("nobody can be asked without a terminal: say --yes")
        print(question, end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            raise refused("you did not agree")

    @contextmanager
    def _begun(self) -> Iterator[None]:
        """From the audit's line that it has begun, whatever breaks it off is a line too."""
        try:
            self._begin()
            yield
        except NotDone:
            raise
        except BaseException:
            self._note(audit.END, Outcome("interrupted", 1))
            raise

    def _begin(self) -> None:
        """What cannot be written down is not done."""
        try:
            self._write(audit.KILL, Outcome("begun", 0))
        except OSError as error:
            raise could_not(f"{error.filename} cannot be written ({error.strerror}), so nothing was ended.") from error

    def _mark_nested(self, below: tuple[Node, ...]) -> None:
        """Sessions that run below this one end with it."""
        known = target.clients(self.home)
        for node in below:
            if found := known.get((node.pid, node.start)):
                self.nested.append(Subject(found.session, found.name, node.pid, node.start))
                self._mark(self.nested[-1])

    def _mark(self, subject: Subject) -> None:
        try:
            kill_note.put(self.home, subject, self.by)
        except OSError as error:
            self.notes.append(f"that it was killed could not be noted in its fact: {error}")

    def _carry_out(self, found: Proc, family: Family) -> Report:
        family.look()  # what it has started while the person was asked
        ended = end(found.pid, found.start, self.plan, family.look)
        left = self._rest(family) if ended.is_gone else ()
        if not ended.is_gone:
            self._unmark(self.subject)
        return self._over(self._judged(ended, left), ended.by, left)

    def _rest(self, family: Family) -> tuple[Node, ...]:
        return end_family(family, self.plan) if self.args.tree else family.look()

    def _judged(self, ended: Ended, left: tuple[Node, ...]) -> Outcome:
        if not ended.is_gone:
            return Outcome("could not", 1, f"{self.words}: {ended.why}")
        if left and self.args.tree:
            return Outcome("could not", 1, f"{self.words} has ended, but not all that ran below it")
        return Outcome("ended" if ended.by else ALREADY_GONE, 0)

    def _unmark(self, subject: Subject) -> None:
        try:
            kill_note.take_back(self.home, subject)
        except OSError as error:
            self.notes.append(f"its fact still says that it was killed: {error}")

    def _end_remains(self, gone: NotDone) -> Report:
        """The client has ended: of its family those are known that an earlier kill has left."""
        known = ended_agents.left_of(self.home, self.subject.session, machine.here())
        family = Family(known[0], self.probe, known[1]) if known else None
        below = family.look() if family else ()
        if family is None or not below:
            raise gone
        self._check_not_around_us(*below)
        self._ask_gate("")
        self._agree(kill_report.remains_question(self.words, below))
        with self._begun():
            left = end_family(family, self.plan)
            why = f"{self.words} has ended, but not all that ran below it"
            return self._over(Outcome("could not", 1, why) if left else Outcome("ended", 0), left=left)

    def _over(self, outcome: Outcome, by: str = "", left: tuple[Node, ...] = ()) -> Report:
        self._note(audit.END, outcome, **_more(by, left))
        self.probe.tick()
        for nested in self.nested:
            lives = self.probe.identity(nested.pid, nested.start) is Identity.SAME
            if lives:
                self._unmark(nested)
            self._note(audit.END, Outcome("could not" if lives else "ended", 0, outcome.reason), nested)
        return self._report(outcome, by, left)

    def _report(self, outcome: Outcome, by: str = "", left: tuple[Node, ...] = ()) -> Report:
        return Report(outcome, self.subject, self.words, by, left, tuple(self.notes))

    def _write(self, verb: str, outcome: Outcome, subject: Subject | None = None, **more: Any) -> None:
        what = (self.by, subject or self.subject, outcome.word, outcome.reason, tuple(more.items()))
        audit.note(self.home, audit.Entry(time.time(), verb, *what))

    def _note(self, verb: str, outcome: Outcome, subject: Subject | None = None, **more: Any) -> None:
        """As well as possible: what has happened has happened."""
        try:
            self._write(verb, outcome, subject, **more)
        except OSError as error:
            self.notes.append(f"not in the audit: {error}")


def _more(by: str, left: tuple[Node, ...]) -> dict[str, Any]:
    """The signal that ended it, and what it has left, which a later kill may want to end."""
    more: dict[str, Any] = {"signal": by} if by else {}
    if left:
        more |= {"place": list(machine.here()), "left": [{"pid": node.pid, "start": node.start} for node in left]}
    return more
