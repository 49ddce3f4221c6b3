"""Which requests are settled by what the registry tells of their process.

It says that somebody is asked, not who. A request is over when its dialog has come and gone, or would have come by now:
the reports since then tell both.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from watcher.rules.kinds import INFERRED, NOW, THEN
from watcher.rules.pace import HOOK_S, LAG_S, MOMENT_S, SETTLE_S, WRITTEN_S
from watcher.rules.past_reports import as_past
from watcher.rules.requests import has_just_ended, in_background
from watcher.rules.signs import RESTS

if TYPE_CHECKING:
    from contract.facts import Fact
    from watcher.rules.evidence import Evidence, RegistryReport
    from watcher.rules.past_reports import PastReport
    from watcher.rules.requests import Ask

SHOWN_S = 0.06  # nobody answers sooner: the client must have drawn the dialog, or heard a hook
NOTED_S = 0.15  # the registry's stamp of a teammate's dialog is no later than its lead's note: that has a hook to start
MATE_S = 1.0  # the registry and the lead tell of a teammate's dialog up to this far apart


def by_registry(asks: list[Ask], evidence: Evidence) -> list[Ask]:
    """Whose dialog has been closed, or was never opened."""
    report = evidence.report or evidence.lead_report
    if report is None:
        return asks
    if not report.tells_dialogs:
        return [_unless_at_rest(ask, report) for ask in asks]
    asks = [_settled(ask, report) if _has_given_way(ask, report, evidence) else ask for ask in asks]
    if report.status == "waiting":
        return _somebody_is_asked([_unless_of_another(ask, report) for ask in asks], report, evidence)
    return [ask if ask.answered else _nobody_is_asked(ask, report, asks, evidence) for ask in asks]


def soonest(ask: Ask, evidence: Evidence) -> float:
    """When it can have been answered: from its call on, as a hook may have allowed it before ours told of it."""
    return ask.at if ask.is_form or ask.agent in in_background(evidence) else ask.began


def mate_shown_at(report: RegistryReport | None, lead: Fact | None) -> float | None:
    """When the dialog that is open was, if it is a teammate's, which its lead shows and tells of.

    It tells of one only if no other was open.
    """
    if report is None or report.status != "waiting":
        return None
    notified = [note.at.boot for note in lead.notes.values() if note.word and note.at] if lead else []
    near = [at for at in notified if abs(at - report.at) < MATE_S]  # either may be told late
    nearest = min(near, key=lambda at: abs(at - report.at), default=None)
    return None if nearest is None else min(nearest, report.at)


# --- nobody is asked now


def _nobody_is_asked(ask: Ask, report: RegistryReport, asks: list[Ask], evidence: Evidence) -> Ask:
    """Then it was answered, or its dialog is about to open: the client tells of that within moments."""
    if ask.source == "transcript":
        return _settled(ask, report)  # it is written, but its turn has not come, or it is over
    if any(_is_settled(ask, quiet, evidence) for quiet in _quiet(evidence.history)):
        return _settled(ask, report)
    if _may_be_refused(ask, report, evidence):
        return replace(ask, until=report.at + WRITTEN_S)
    now = as_past(evidence.history, report, evidence.now)
    if _was_shown(ask, now) or _was_its_dialog(ask, now, asks, evidence):
        return _settled(ask, report)
    would_tell = report.is_now or report.at > ask.at or ask.at > report.slept_at
    is_settled = would_tell and _had_time(ask, now, evidence)
    return _settled(ask, report) if is_settled else replace(ask, until=_told_by(ask, evidence))


def _unless_at_rest(ask: Ask, report: RegistryReport) -> Ask:
    """A registry that says busy while somebody is asked tells only that nobody is, when it says that all is over."""
    is_over = report.status in RESTS and report.at > ask.at
    return _settled(ask, report) if is_over and not ask.answered else ask


def _has_given_way(ask: Ask, report: RegistryReport, evidence: Evidence) -> bool:
    """Whether the registry has spoken again since a lead told of a teammate's dialog.

    That was open then, with none before it; and one that follows it has its stamp. On a busy machine its own word may
    be stamped late too.
    """
    if ask.answered or not ask.is_shown or evidence.report is not None:
        return False
    spoken = [*evidence.history, as_past(evidence.history, report, evidence.now)]
    later = [past for past in spoken if past.at > ask.at + NOTED_S]
    was_quiet = any(past.is_quiet and past.at <= ask.at < past.until for past in spoken)
    is_its_own = was_quiet and bool(later) and not later[0].is_quiet and later[0].at < ask.at + MATE_S
    return len(later) > is_its_own


def _settled(ask: Ask, report: RegistryReport) -> Ask:
    return ask.answer(f"registry: {report.status}", max(report.at, ask.at), NOW if report.is_now else THEN)


def _may_be_refused(ask: Ask, report: RegistryReport, evidence: Evidence) -> bool:
    """With teammates in panes a lead is busy in either case; that a person refused is written a moment later."""
    return ask.agent == "main" and evidence.mates.all > 0 and evidence.now < report.at + WRITTEN_S


# --- somebody is asked now


def _unless_of_another(ask: Ask, report: RegistryReport) -> Ask:
    """Where the client tells which agents are asked, an older request of another one has been answered."""
    others = report.asked or ()
    is_over = bool(others) and ask.agent not in others and ask.at < report.asked_at
    return _settled(ask, report) if is_over and not ask.answered else ask


def _somebody_is_asked(asks: list[Ask], report: RegistryReport, evidence: Evidence) -> list[Ask]:
    """Not who was settled while no dialog was open."""
    asks, quiets = [_unless_before_a_mate(ask, evidence) for ask in asks], _quiet(evidence.history)
    announced = [ask for ask in asks if not ask.answered and ask.source != "transcript"]  # a transcript may be late
    over = [ask for ask in announced if any(_is_settled(ask, quiet, evidence) for quiet in quiets)]
    settled = [_settled_before(ask, quiets) if ask in over else ask for ask in asks]
    is_explained = has_just_ended(asks, report, evidence.now) or _is_of_others(evidence)
    if is_explained or any(not ask.answered for ask in settled):
        return settled
    # Then it is the newest, which was not shown yet at that time; or one that no hook has told of yet.
    left = [ask for ask in over if not _is_certain(ask, quiets, asks, evidence) and ask.fits(report.waiting_for)]
    left = [ask for ask in left if not _may_be_anothers(ask, report, evidence)]
    last = max(left, key=lambda ask: ask.at, default=None)
    return [ask if ask is last else done for ask, done in zip(asks, settled, strict=True)]


def _unless_before_a_mate(ask: Ask, evidence: Evidence) -> Ask:
    """A request before a teammate's dialog would have had its own by then, unless a hook held it back."""
    shown = mate_shown_at(evidence.report, evidence.facts.get("main"))
    if ask.answered or shown is None or ask.at + MOMENT_S > shown:
        return ask
    is_held_back = ask.agent in in_background(evidence) and _is_held_back(ask, shown, evidence)
    return ask if is_held_back else ask.answer("a teammate's dialog after it", shown, INFERRED)


def _may_be_anothers(ask: Ask, report: RegistryReport, evidence: Evidence) -> bool:
    """Whether a hook may yet tell whose dialog it is, and this one has been without a dialog for so long."""
    return report.at > _told_by(ask, evidence) and evidence.now < report.at + HOOK_S


def _settled_before(ask: Ask, quiets: list[PastReport]) -> Ask:
    last = quiets[-1]
    return ask.answer(f"registry: {last.status}", max(last.at, ask.at), NOW)


def _is_of_others(evidence: Evidence) -> bool:
    """Whether the dialog that is open is a server's, or a teammate's that its lead shows for it."""
    main = evidence.facts.get("main")
    return bool(main and main.questions) or mate_shown_at(evidence.report, main) is not None


def _is_certain(ask: Ask, quiets: list[PastReport], asks: list[Ask], evidence: Evidence) -> bool:
    """Whether the dialog that is open now cannot be this one's."""
    if any(_was_its_dialog(ask, quiet, asks, evidence) for quiet in quiets):
        return True
    return ask.agent not in in_background(evidence) and any(_has_passed(ask, quiet, evidence) for quiet in quiets)


# --- what a while without a dialog says of a request


def _is_settled(ask: Ask, quiet: PastReport, evidence: Evidence) -> bool:
    """Whether it was over at the end of this while, even if a dialog has been opened since."""
    behind = ask.agent in in_background(evidence)
    if not behind and _has_passed(ask, quiet, evidence):
        return True
    if _had_time(ask, quiet, evidence):
        return True
    return _was_shown(ask, quiet) and (quiet.after > ask.began or quiet.at > _seen_by(ask, behind=behind))


def _seen_by(ask: Ask, *, behind: bool) -> float:
    """From when on the registry would have told of its dialog; in the background that opens after the hooks."""
    return ask.at + MOMENT_S if behind else min(ask.began + MOMENT_S, ask.at + SETTLE_S)


def _told_by(ask: Ask, evidence: Evidence) -> float:
    """When the registry must have told of its dialog.

    What an earlier watcher went on to show it knew better: its client was stopped, perhaps, before it could tell.
    """
    told_by, watched_from = ask.at + LAG_S, evidence.held.get(ask.agent, 0.0)
    return watched_from + LAG_S if watched_from > told_by else told_by


def _has_passed(ask: Ask, quiet: PastReport, evidence: Evidence) -> bool:
    """Whether the dialog of one in the foreground would have been told of: it opens at once, or after that before."""
    stayed_closed = _was_shown(ask, quiet) and quiet.until > quiet.at + SETTLE_S
    return stayed_closed or quiet.until > _told_by(ask, evidence)


def _had_time(ask: Ask, quiet: PastReport, evidence: Evidence) -> bool:
    """Whether its dialog would have been told of by the end of this while, if it was held back by no hook."""
    is_time = quiet.until > _told_by(ask, evidence)
    return is_time and (_was_shown(ask, quiet) or not _is_held_back(ask, quiet.until, evidence))


def _was_shown(ask: Ask, quiet: PastReport) -> bool:
    """Whether the registry has changed its report since: then its dialog has come and gone."""
    if ask.is_form:
        return quiet.after > ask.at
    if ask.is_shown:  # the end of the dialog before it may be stamped a little later, but nobody answers that at once
        is_its_own = ask.at - MOMENT_S < quiet.after <= ask.at < quiet.at and quiet.status == "busy"
        return is_its_own or quiet.at > ask.at + NOTED_S
    if ask.agent == "main":
        # Between two turns it says idle for a moment, and nobody can have refused so soon; nor can it have had a dialog
        # if it is busy since another one, or since the turn began.
        is_anothers = quiet.status != "busy" or 0.0 < quiet.after < ask.began
        return quiet.at > ask.began + (MOMENT_S if is_anothers else 0.0)
    was_anothers = 0.0 < quiet.after < ask.began  # the dialog that was closed; its own opened then, at the soonest
    return quiet.status == "busy" and quiet.at > ask.at + (MOMENT_S if was_anothers else SHOWN_S) and ask.is_announced


def _was_its_dialog(ask: Ask, quiet: PastReport, asks: list[Ask], evidence: Evidence) -> bool:
    """The dialog that had been closed by then, if it can have been nobody else's. Its hook may be late."""
    if quiet.status != "busy" or quiet.after <= soonest(ask, evidence):
        return False
    others = [other for other in asks if other is not ask and other.began < quiet.at]
    return all(other.answered and other.answered_at < quiet.after for other in others)


def _is_held_back(ask: Ask, until: float, evidence: Evidence) -> bool:
    """Whether a hook may have been at it until then: nobody is shown the request before."""
    if ask.agent == "main" or (evidence.report and evidence.report.asked is not None):
        return False  # or the client tells of each agent whether it is asked
    if evidence.helpers is None:
        return True
    return any(abs(helper.began - ask.at) < LAG_S and helper.until > until for helper in evidence.helpers)


def _quiet(history: tuple[PastReport, ...]) -> list[PastReport]:
    return [past for past in history if past.is_quiet]
