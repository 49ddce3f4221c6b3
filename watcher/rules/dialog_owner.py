"""Whose dialog it is that the registry or a notification shows: a known request's, or a dialog that no hook told of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from watcher.rules.kinds import INFERRED
from watcher.rules.pace import HOOK_S, LAG_S, MOMENT_S, SETTLE_S
from watcher.rules.past_reports import dialog_until
from watcher.rules.requests import may_be_a_mates
from watcher.rules.times import tick
from watcher.rules.vocabulary import ANSWER_NOTE, DIALOG_NOTES, INPUT, PERMISSION, QUESTION_NOTE

if TYPE_CHECKING:
    from contract.facts import Mark
    from watcher.rules.evidence import RegistryReport
    from watcher.rules.requests import Ask
    from watcher.rules.view import View

# What the registry says that a process waits for, in our words. Any other may be a menu that a person has opened.
DIALOGS = {
    PERMISSION: "permission",
    INPUT: "question",
    "sandbox request": "sandbox request",
    "worker request": "teammate asks",
}
REPEATED_S = 10.0  # the client repeats a request after 6 s
TOLD_BY_HOOKS = (PERMISSION, INPUT)
ANSWERED_S = 1.0  # the registry's file is no further behind an answer
TOGETHER_S = 1.0  # a notification and the registry's stamp, of one dialog


@dataclass(frozen=True)
class KnownRequests:
    """Of the whole process."""

    asks: tuple[Ask, ...] = ()  # answered ones too
    ended_calls: tuple[tuple[float, float], ...] = ()  # when they were asked for, and when they ended


class Note(NamedTuple):
    at: float
    word: str


def newest_note(view: View, *kinds: str) -> Note | None:
    """The newest notification of these kinds."""
    notes = view.agent.fact.notes if view.agent.fact else {}
    fitting = [Note(note.at.boot, note.word) for kind, note in notes.items() if kind in kinds and note.at]
    return max(fitting, default=None)


def newest_dialog_note(view: View) -> Note | None:
    """The newest notification of a dialog that may be open: a server's question is over when that is told."""
    question, answer = newest_note(view, QUESTION_NOTE), newest_note(view, ANSWER_NOTE)
    is_over = question is not None and answer is not None and answer.at > question.at
    notes = (newest_note(view, *DIALOG_NOTES), None if is_over else question)
    return max((note for note in notes if note), default=None)


def has_gone_on(view: View, at: float) -> bool:
    """Whether nobody can be blocked any more by a dialog that was notified at this time.

    With teammates in panes it is one of theirs, since hooks tell of the agent's own.
    """
    return max(view.agent.newest_sign, view.mates.heard_at) > at


def is_repetition(view: View, at: float) -> bool:
    """Whether a notification repeats a request that the hooks told of, answered or not.

    It may be a teammate's, which the client shows in its lead; of the next request it tells only when that is closed.
    """
    of_mates = any(notified > at - REPEATED_S for notified in _mates_notified_at(view))
    of_asks = any(ask.at <= at for ask in view.requests.asks if not ask.is_form)
    return of_mates or of_asks or any(asked <= at <= ended for asked, ended in view.requests.ended_calls)


def is_known(view: View, report: RegistryReport) -> bool:
    """Whether the dialog that the registry shows is told of elsewhere, or has just been answered."""
    asks = [ask for ask in view.requests.asks if ask.fits(report.waiting_for)]
    if view.mates.is_asking or any(_can_be_shown(ask, view, report) for ask in asks):
        return True
    return any(view.now < at for at in _explained_until(view, report))


def _can_be_shown(ask: Ask, view: View, report: RegistryReport) -> bool:
    """Whether an open request may be the one whose dialog the registry shows.

    What only a transcript tells of was written before its dialog. One that is younger has its dialog behind another,
    until the main agent, which was asked first, goes on.
    """
    if ask.answered or ask.is_form:
        return False
    is_behind = ask.source == "transcript" and ask.at > report.at
    return not is_behind or view.agent.newest_sign > report.at + SETTLE_S


def _explained_until(view: View, report: RegistryReport) -> list[float]:
    """How long the dialog that the registry shows may be one that was told of, or has just been answered.

    For a moment only: when a dialog follows a teammate's, nothing tells of it, and the registry keeps its stamp.
    """
    notified = [at + LAG_S for at in _mates_notified_at(view) if abs(at - report.at) < TOGETHER_S]
    asks = [ask for ask in view.requests.asks if ask.answered and _has_shown(report, ask)]
    return [*notified, *(ask.answered_at + ANSWERED_S for ask in asks if _may_show(view, report, ask))]


def _has_shown(report: RegistryReport, ask: Ask) -> bool:
    """Whether the dialog can be the request's. An old client calls each a permission; then both are of one moment."""
    return ask.fits(report.waiting_for) or (report.waiting_for == PERMISSION and abs(ask.at - report.at) < TOGETHER_S)


def _may_show(view: View, report: RegistryReport, ask: Ask) -> bool:
    """Whether the registry may still show a dialog that was answered. One that opened after the answer is another.

    A dialog of a teammate in a pane may have been behind it, of which nothing tells: its lead stays asked until the
    registry says that nobody is.
    """
    if ask.answered_at <= report.at:
        return False
    return not view.mates.busy or (ask.kind == INFERRED and not may_be_a_mates(ask, report, view.mates))


def is_about_to_be_told(view: View) -> bool:
    """The registry is often a moment ahead of the hook, and only the hook says who asks and for what."""
    told_by = _told_by(view)
    return told_by is not None and view.now < told_by


def known_better_at(view: View) -> float | None:
    """When it is known better whose dialog the registry shows; None if that time has passed."""
    if view.report is None or view.report.status != "waiting":
        return None
    times = [_told_by(view), *_explained_until(view, view.report)]
    return min((at for at in times if at is not None and at > view.now), default=None)


def _told_by(view: View) -> float | None:
    """When a hook must have told whose dialog the registry shows; None if none will."""
    report = view.report
    if report is None or report.status != "waiting":
        return None
    if report.waiting_for and report.waiting_for not in DIALOGS:
        # One that a person has opened in mid-turn is told of when the turn ends, before a hook tells of that.
        return report.at + HOOK_S
    if report.waiting_for not in TOLD_BY_HOOKS:
        return None
    # With teammates in panes a dialog is shown until the registry says that it is closed: it would go and come again.
    follows_at_once = view.mates.all > 0 and report.at < dialog_until(view.history) + MOMENT_S
    return report.at + HOOK_S if view.agent.has_hooks and not follows_at_once else None


def _mates_notified_at(view: View) -> list[float]:
    """Notifications that a teammate asks: only these have words."""
    notes: list[Mark] = list(view.agent.fact.notes.values()) if view.agent.fact else []
    return [at for note in notes if note.word and (at := tick(note.at)) is not None]
