"""`yourturn dispatch`: hands out a batch of tasks to workers, and prints what they bring back."""

from __future__ import annotations

import os
import shlex
import sys
import time
import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING

from agency import request_builder, start_agent
from agency.dispatch import earlier_run, graph, reading
from agency.dispatch import journal as journals
from agency.dispatch.dispatcher import Dispatcher, Work
from agency.dispatch.journal import Journal
from agency.dispatch.plan import Plan
from agency.dispatch.progress import Progress
from agency.dispatch.report import Report
from agency.dispatch.worker_requests import Batch, requests_for
from agency.outcome import NotDone, wrong_usage
from agency.request import DISPATCHER, Request
from agency.request_builder import Parent, Wish
from agency.result import Result
from agency.spawn import context_here, fail, parent_here
from contract import typed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from agency.dispatch.job import Job
    from agency.start_agent import Context


def run(args: argparse.Namespace) -> int:
    try:
        return _dispatch(args, context_here(os.environ))
    except NotDone as error:
        return fail(error, as_json=False)


def _dispatch(args: argparse.Namespace, context: Context) -> int:
    source, jobs = _jobs(args)
    if not jobs:
        print(f"yourturn: no tasks in {source}", file=sys.stderr)
        return 0
    journal = Journal.again(context.home, args.resume) if args.resume else None
    try:
        own = _own_request(args, context, journal, len(jobs))
        work = _work(args, source, jobs, own)
        if journal:
            earlier_run.refuse_changes(source, journal.earlier, jobs)
    except BaseException:
        if journal:
            journal.close()
        raise
    return _carry_out(args, context, own, work, journal)


def _jobs(args: argparse.Namespace) -> tuple[str, list[Job]]:
    if args.resume and args.name:
        raise wrong_usage("--name: what is resumed keeps its name")
    source, data = ("stdin", sys.stdin.buffer.read()) if args.tasks == "-" else (args.tasks, _read(args.tasks))
    jobs = reading.jobs(source, data, args.agent or "")
    graph.check(source, jobs)
    return source, jobs


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise wrong_usage(f"{path}: {error.strerror}") from None


def _own_request(args: argparse.Namespace, context: Context, journal: Journal | None, tasks: int) -> Request:
    """This process, as it is shown."""
    session = journal.earlier.session if journal else str(uuid.uuid4())
    name = journal.earlier.name if journal else args.name or f"dispatch-{session[:4]}"
    parent = request_builder.parent_of(context.home, parent_here(context, ""))
    wish = Wish(name, args.cwd or "", kind=DISPATCHER, allow=args.allow, deny=args.deny or ())
    words = ("yourturn", "dispatch", f"{tasks} tasks")
    return request_builder.for_this_process(words, session, wish, parent)


def _work(args: argparse.Namespace, source: str, jobs: Sequence[Job], own: Request) -> Work:
    batch = Batch(source, own.name, Parent(own.session, own.rights), dict(os.environ), own.cwd, args.timeout or 0.0)
    return Work(jobs, requests_for(batch, jobs), Plan(jobs, args.workers, keep_going=args.keep_going))


def _carry_out(args: argparse.Namespace, context: Context, own: Request, work: Work, journal: Journal | None) -> int:
    journals.sweep(context.home, time.time())
    journal = journal or Journal.new(context.home, own.session, own.name)
    report = Report(work.jobs, Progress(sys.stderr, context.env), at_end=args.at_end)
    is_over = False
    try:
        with _on_the_board(own, context) as codes:
            print(f"yourturn: dispatch {journal.id}: {len(work.jobs)} tasks, {args.workers} at a time", file=sys.stderr)
            dispatcher = Dispatcher(work, context, journal, report)
            codes.append(dispatcher.run())
            is_over = not dispatcher.is_cut_short
    finally:
        _let_go(args, journal, is_over=is_over)
    return codes[0]


def _let_go(args: argparse.Namespace, journal: Journal, *, is_over: bool) -> None:
    if is_over or not journal.has_tasks:
        journal.remove()
        return
    again = typed.command(f"dispatch {shlex.quote(args.tasks)} --resume {journal.id}")
    print(f"yourturn: to go on: {again}", file=sys.stderr)
    journal.close()


@contextmanager
def _on_the_board(own: Request, context: Context) -> Iterator[list[int]]:
    agent = start_agent.join(own, context)
    codes: list[int] = []
    try:
        yield codes
    finally:
        code = codes[0] if codes else 1
        start_agent.leave(agent, Result(code == 0, "completed" if code == 0 else f"exit {code}"), code, context)
