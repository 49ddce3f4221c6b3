"""`yourturn spawn`: starts an agent that is on the board from its first moment."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from agency import definitions, registration, request_builder, target, tmux, waiting_process
from agency.outcome import NotDone, could_not, wrong_usage
from agency.request_builder import Wish
from agency.start_agent import Context
from contract import paths, typed
from processes import caller
from statusbar.model import reader
from statusbar.settings import settings

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from agency.request import Request
    from agency.running_workers import End

NO_COMMAND = "no command. Such as: {spawn} -- claude -p, or: {spawn} --agent NAME 'prompt'"


def run(args: argparse.Namespace) -> int:
    try:
        context = context_here(os.environ)
        request = _request(args, context)
        if args.wait:
            return _wait(args, waiting_process.in_front(request, context))
        start = tmux.start if args.tmux else waiting_process.behind
        _say(args, start(request, context, args.output or ""))
    except NotDone as error:
        return fail(error, as_json=args.json)
    return 0


def context_here(env: Mapping[str, str]) -> Context:
    home = paths.home()
    return Context(home, env, settings.load(env), caller.asks(reader.read(home).sessions))


def parent_here(context: Context, wanted: str) -> str:
    """The agent that a new one works for: as said; else the one whose command this is; else none."""
    if wanted:
        return target.find(context.home, wanted).session
    named = context.env.get("YOURTURN_AGENT", "")
    known = {agent.session for agent in registration.living(context.home)}
    return named if named in known else context.who.session


def fail(error: NotDone, *, as_json: bool) -> int:
    outcome = error.outcome
    if as_json:
        print(json.dumps({"v": 1, "ok": False, "outcome": outcome.word, "reason": outcome.reason}))
    else:
        print(f"yourturn: {'refused: ' if outcome.word == 'refused' else ''}{outcome.reason}", file=sys.stderr)
    return outcome.code


def _request(args: argparse.Namespace, context: Context) -> Request:
    wish = Wish(args.name or "", args.cwd or "", allow=args.allow, deny=args.deny or (), timeout_s=args.timeout or 0.0)
    wish = wish._replace(asks=args.ask)
    parent = request_builder.parent_of(context.home, parent_here(context, args.parent or ""))
    if not args.agent:
        if args.ask:
            raise wrong_usage("--ask is for an agent that is described: --agent NAME")
        if not args.command:
            raise wrong_usage(NO_COMMAND.format(spawn=typed.command("spawn")))
        return request_builder.from_command(args.command, wish, parent, context.env)
    definition = definitions.load(context.env, args.agent)
    if missing := definitions.missing(definition, context.env):
        raise could_not(missing)
    return request_builder.from_definition(definition, _prompt(args.command), wish, parent, context.env)


def _prompt(words: Sequence[str]) -> str:
    """As an argument, or on standard input: everybody can read arguments."""
    if len(words) > 1:
        raise wrong_usage("the prompt is one argument: put it in quotes, or give it on standard input")
    prompt = words[0] if words and words[0] != "-" else sys.stdin.read()
    if not prompt.strip():
        raise wrong_usage("the prompt is empty")
    return prompt


def _wait(args: argparse.Namespace, end: End) -> int:
    """Its exit code is ours; but an agent that says 0 and has failed is no success."""
    if args.json:
        print(json.dumps({"v": 1, **ended_as(end)}))
    if end.code < 0:
        return 128 - end.code
    return end.code or (0 if end.result.ok else 1)


def _say(args: argparse.Namespace, report: Mapping[str, Any]) -> None:
    print(json.dumps({"v": 1, "ok": True, **report}) if args.json else f"{report['name']}  {report['session']}")


def ended_as(end: End) -> dict[str, Any]:
    agent, how = end.worker.agent, end.result
    return {
        "name": agent.name, "session": agent.session, "ok": how.ok, "exit": end.code, "reason": how.reason,
        "lasted": round(end.lasted, 3), "message": how.message, "denials": list(how.denials),
    }  # fmt: skip
