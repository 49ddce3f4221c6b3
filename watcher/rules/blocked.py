"""The rules that say that an agent is blocked on you: it asks, or its client is stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract.status import NEEDS_APPROVAL, WAITING
from watcher.rules import dialog_owner, server_question
from watcher.rules.pace import SETTLE_S
from watcher.rules.verdict import Verdict

if TYPE_CHECKING:
    from watcher.rules.view import View


def approval_asked(view: View) -> Verdict | None:
    if not view.open_asks:
        return None
    ask = min(view.open_asks, key=lambda ask: ask.at)
    until = min((ask.until for ask in view.open_asks if ask.until is not None), default=None)
    return Verdict(NEEDS_APPROVAL, ask.words, ask.at, ask.source, quote=ask.quote, until=until)


def question_of_a_server(view: View) -> Verdict | None:
    """An MCP server asks, through whichever agent has called it."""
    at = server_question.asked_at(view)
    if at is None or server_question.is_over(view, at):
        return None
    return Verdict(NEEDS_APPROVAL, "question", at, "hook", until=view.registry_must_know_by(at))


def registry_waits(view: View) -> Verdict | None:
    """A dialog that no hook told of. A dialog that a person opened, with no turn open, blocks nobody."""
    report = view.report
    if report is None or report.status != "waiting":
        return None
    if dialog_owner.is_known(view, report) or dialog_owner.is_about_to_be_told(view):
        return None
    words, has_gone_on = dialog_owner.DIALOGS.get(report.waiting_for), view.agent.newest_sign > report.at + SETTLE_S
    if words is None and (not view.is_open_without_registry or has_gone_on):
        return None
    if not report.is_now and view.suspended_at is None and has_gone_on:
        return None
    quote = "" if words else report.waiting_for
    return Verdict(NEEDS_APPROVAL, words or quote or "dialog", report.at, "registry", quote=quote)


def dialog_notified(view: View) -> Verdict | None:
    """A notification is the only sign of a dialog, where there is no registry, and no transcript that tells of it."""
    note = dialog_owner.newest_dialog_note(view)
    is_told = view.agent.is_live or (view.report is not None and view.report.tells_dialogs)
    if note is None or is_told or view.headless or not view.is_open:
        return None
    if dialog_owner.has_gone_on(view, note.at) or dialog_owner.is_repetition(view, note.at):
        return None
    return Verdict(NEEDS_APPROVAL, note.word or "dialog", note.at, "hook", until=view.open_until)


def client_stopped(view: View) -> Verdict | None:
    """Ctrl-Z, or a signal: nothing goes on until a person brings it back."""
    at = view.suspended_at
    return None if at is None else Verdict(WAITING, "stopped", at, "process")
