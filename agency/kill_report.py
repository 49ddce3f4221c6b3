"""What `yourturn kill` says: before, for the person to agree to, and after, as sentences or as JSON."""

from __future__ import annotations

import json
import shlex
import sys
from typing import TYPE_CHECKING, NamedTuple

from contract import typed
from contract.clean import clean
from contract.mask import mask
from processes.programs import invocation
from processes.shells import command_text
from statusbar.text import wording
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agency.audit import Subject
    from agency.outcome import Outcome
    from agency.target import Target
    from processes.lineage import Node
    from processes.process import Proc

COMMAND_LENGTH = 80
LISTED = 20
NOTE_LENGTH = 400


class Report(NamedTuple):
    outcome: Outcome
    subject: Subject  # without a session if nobody was meant
    words: str = ""  # the target, for people
    by: str = ""  # the signal that ended it
    left: tuple[Node, ...] = ()  # what runs on below it
    notes: tuple[str, ...] = ()


def question(target: Target, client: Proc, below: Sequence[Node], *, tree: bool, is_known: bool) -> str:
    """What would be ended, and the question whether it shall be."""
    state = wording.spaced(target.status.status) if target.status and is_known else "state unknown"
    called = invocation(client.argv, client.name)
    program = called.program if called else clean(client.name, COMMAND_LENGTH)
    head = f"{target.words}: {state}, process {client.pid} ({program}), {_counted(below)} below it"
    return f"{head}\nEnd it{f' and the {_counted(below)} below it' if tree and below else ''}? [y/N] "


def remains_question(words: str, below: Sequence[Node]) -> str:
    head = "\n".join([f"{words} has ended. Still running:", *_listed(below)])
    return f"{head}\nEnd {'it' if len(below) == 1 else 'them'}? [y/N] "


def _counted(nodes: Sequence[Node]) -> str:
    return "1 process" if len(nodes) == 1 else f"{len(nodes)} processes"


def tell(report: Report, *, as_json: bool) -> None:
    if as_json:
        print(_json(report))
        return
    for line in _sentences(report):
        print(line)
    outcome = report.outcome
    if outcome.code:
        # Line breaks are ours; what comes from outside was made fit to be shown where the reason was written.
        print(f"yourturn: {outcome.word}: {outcome.reason}", file=sys.stderr)
    for note in report.notes:
        print(f"yourturn: {clean(note, NOTE_LENGTH)}", file=sys.stderr)


def _sentences(report: Report) -> Iterator[str]:
    outcome = report.outcome
    if outcome.code == 0:
        yield f"{report.words}: {outcome.word}" + (f" ({report.by})" if report.by else "")
    if report.left:
        yield "still running:"
        yield from _listed(report.left)
        session = shlex.quote(tidy(report.subject.session, COMMAND_LENGTH))
        yield f"To end what runs on: {typed.command(f'kill {session} --tree')}"


def _listed(nodes: Sequence[Node]) -> list[str]:
    rest = [f"  … and {len(nodes) - LISTED} more"] if len(nodes) > LISTED else []
    return [f"  {node.pid}  {command(node)}" for node in nodes[:LISTED]] + rest


def command(node: Node) -> str:
    """What of it is known to be harmless; of a shell of the Bash tool, the command that it runs."""
    if called := invocation(node.argv, node.name):
        return called.program  # its arguments may hold a prompt
    shown = mask((command_text(node.argv) or " ".join(node.argv))[:400])
    return clean(shown, COMMAND_LENGTH) or clean(node.name, COMMAND_LENGTH)


def _json(report: Report) -> str:
    outcome, subject = report.outcome, report.subject
    who = {
        "session_id": subject.session or None, "name": subject.name or None, "pid": subject.pid or None,
        "start": subject.start or None,
    }  # fmt: skip
    left = [{"pid": node.pid, "start": node.start, "command": command(node)} for node in report.left]
    said = {"outcome": outcome.word, "reason": outcome.reason, "signal": report.by or None}
    return json.dumps({"v": 1, "ok": outcome.code == 0, **said, **who, "left": left, "notes": list(report.notes)})
