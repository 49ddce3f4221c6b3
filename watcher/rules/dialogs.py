"""What the registry has said of a process, and which requests that settles.

It says that somebody is asked, not who. A request is over when its dialog has come and gone, or would have come by now:
both can be told from the words that were said since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from watcher.rules.kinds import NOW, THEN
from watcher.rules.pace import LAG_S, MOMENT_S, SETTLE_S, WRITTEN_S
from watcher.rules.requests import has_just_ended, in_background

if TYPE_CHECKING:
    from contract.facts import Fact
    from watcher.rules.evidence import Evidence, Said
    from watcher.rules.requests import Ask

SHOWN_S = 0.06  # nobody answers sooner: the client must have drawn the dialog, or heard a hook
MATE_S = 1.0  # the registry and the lead tell of a teammate's dialog up to this far apart
MOST_WORDS = 16


class Word(NamedTuple):
    """What the registry said of a process for a while."""

    status: str
    at: float
    until: float  # when it said something else
    after: float = 0.0  # since when the last dialog before it had been open; 0 if none is known

    @property
    def is_quiet(self) -> bool:
        """No dialog was open."""
        return self.status != "waiting"


def heard(history: tuple[Word, ...], said: Said, until: float) -> tuple[Word, ...]:
    """With a word that holds no more."""
    return (*history, _word(history, said, until))[-MOST_WORDS:]


def _word(history: tuple[Word, ...], said: Said, until: float) -> Word:
    last = history[-1] if history else None
    after = (last.after if last.is_quiet else last.at) if last else 0.0
    return Word(said.status, said.at, until, after)


def by_registry(asks: list[Ask], evidence: Evidence) -> list[Ask]:
    """Whose dialog has been closed, or was never opened."""
    said = evidence.said or evidence.lead
    if said is None:
        return asks
    if said.status == "waiting":
        return _somebody_is_asked(asks, said, evidence)
    return [ask if ask.answered else _nobody_is_asked(ask, said, asks, evidence) for ask in asks]


def soonest(ask: Ask, evidence: Evidence) -> float:
    """When it can have been answered: from its call on, as a hook may have allowed it before ours told of it."""
    return ask.at if ask.is_form or ask.agent in in_background(evidence) else ask.began


def of_a_mate(said: Said | None, lead: Fact | None) -> bool:
    """Whether the dialog that is open is a teammate's, which its lead shows and tells of."""
    told = [note.at.boot for note in lead.notes.values() if note.word and note.at] if lead else []
    return said is not None and said.status == "waiting" and any(abs(at - said.at) < MATE_S for at in told)


def before_a_mate(history: tuple[Word, ...], said: Said | None, lead: Fact | None) -> tuple[Word, ...]:
    """What the registry must have said, if we were not there: a lead tells of a teammate's dialog if none was open."""
    is_known = any(word.is_quiet for word in history)
    return history if is_known or said is None or not of_a_mate(said, lead) else (Word("busy", 0.0, said.at),)


# --- nobody is asked now


def _nobody_is_asked(ask: Ask, said: Said, asks: list[Ask], evidence: Evidence) -> Ask:
    """Then it was answered, or its dialog is about to open: the client tells of that within moments."""
    if ask.source == "transcript":
        return _told(ask, said)  # it is written, but its turn has not come, or it is over
    if _may_be_refused(ask, said, evidence):
        return ask
    now = _word(evidence.history, said, evidence.now)
    is_over = _was_shown(ask, now) or _was_its_dialog(ask, now, asks, evidence)
    if is_over or any(_is_settled(ask, quiet, evidence) for quiet in _quiet(evidence.history)):
        return _told(ask, said)
    would_tell = said.is_now or said.at > ask.at or ask.at > said.slept_at
    return _told(ask, said) if would_tell and _had_time(ask, now, evidence) else ask


def _told(ask: Ask, said: Said) -> Ask:
    return ask.answer(f"registry: {said.status}", max(said.at, ask.at), NOW if said.is_now else THEN)


def _may_be_refused(ask: Ask, said: Said, evidence: Evidence) -> bool:
    """With teammates in panes a lead is busy in either case; that a person refused is written a moment later."""
    return ask.agent == "main" and evidence.mates.all > 0 and evidence.now < said.at + WRITTEN_S


# --- somebody is asked now


def _somebody_is_asked(asks: list[Ask], said: Said, evidence: Evidence) -> list[Ask]:
    """Not who was settled while no dialog was open."""
    quiets = _quiet(before_a_mate(evidence.history, evidence.said, evidence.facts.get("main")))
    told = [ask for ask in asks if not ask.answered and ask.source != "transcript"]  # what is only written may be late
    over = [ask for ask in told if any(_is_settled(ask, quiet, evidence) for quiet in quiets)]
    settled = [_told_before(ask, quiets) if ask in over else ask for ask in asks]
    if any(not ask.answered for ask in settled) or has_just_ended(asks, evidence.now) or _is_of_others(said, evidence):
        return settled
    # Then it is the newest, which was not shown yet when that was said; or one that no hook has told of yet.
    left = [ask for ask in over if not _is_certain(ask, quiets, asks, evidence) and ask.fits(said.waiting_for)]
    last = max(left, key=lambda ask: ask.at, default=None)
    return [ask if ask is last else done for ask, done in zip(asks, settled, strict=True)]


def _told_before(ask: Ask, quiets: list[Word]) -> Ask:
    last = quiets[-1]
    return ask.answer(f"registry: {last.status}", max(last.at, ask.at), NOW)


def _is_of_others(said: Said, evidence: Evidence) -> bool:
    """Whether the dialog that is open is a server's, or a teammate's that its lead shows for it."""
    main = evidence.facts.get("main")
    return bool(main and main.questions) or (said is evidence.said and of_a_mate(said, main))


def _is_certain(ask: Ask, quiets: list[Word], asks: list[Ask], evidence: Evidence) -> bool:
    """Whether the dialog that is open now cannot be this one's."""
    if any(_was_its_dialog(ask, quiet, asks, evidence) for quiet in quiets):
        return True
    return ask.agent not in in_background(evidence) and any(_has_passed(ask, quiet) for quiet in quiets)


# --- what a while without a dialog says of a request


def _is_settled(ask: Ask, quiet: Word, evidence: Evidence) -> bool:
    """Whether it was over at the end of this while, even if a dialog has been opened since."""
    behind = ask.agent in in_background(evidence)
    if not behind and _has_passed(ask, quiet):
        return True
    if _had_time(ask, quiet, evidence):
        return True
    return _was_shown(ask, quiet) and (quiet.after > ask.began or quiet.at > _seen_by(ask, behind=behind))


def _seen_by(ask: Ask, *, behind: bool) -> float:
    """From when on the registry would have told of its dialog; in the background that opens after the hooks."""
    return ask.at + MOMENT_S if behind else min(ask.began + MOMENT_S, ask.at + SETTLE_S)


def _has_passed(ask: Ask, quiet: Word) -> bool:
    """Whether the dialog of one in the foreground would have been told of: it opens at once, or after that before."""
    stayed_closed = _was_shown(ask, quiet) and quiet.until > quiet.at + SETTLE_S
    return stayed_closed or quiet.until > ask.at + LAG_S


def _had_time(ask: Ask, quiet: Word, evidence: Evidence) -> bool:
    """Whether its dialog would have been told of by the end of this while, if it was held back by no hook."""
    return quiet.until > ask.at + LAG_S and (_was_shown(ask, quiet) or not _is_held_back(ask, quiet, evidence))


def _was_shown(ask: Ask, quiet: Word) -> bool:
    """Whether the registry has changed its word since: then its dialog has come and gone."""
    if ask.is_form:
        return quiet.after > ask.at
    if ask.agent == "main":
        # Between two turns it says idle for a moment, and nobody can have refused so soon.
        return quiet.at > ask.began + (0.0 if quiet.status == "busy" else MOMENT_S)
    return quiet.status == "busy" and quiet.at > ask.at + SHOWN_S and ask.is_announced


def _was_its_dialog(ask: Ask, quiet: Word, asks: list[Ask], evidence: Evidence) -> bool:
    """The dialog that had been closed when this was said, if it can have been nobody else's. Its hook may be late."""
    if quiet.status != "busy" or quiet.after <= soonest(ask, evidence):
        return False
    others = [one for one in asks if one is not ask and one.began < quiet.at]
    return all(one.answered and one.answered_at < quiet.after for one in others)


def _is_held_back(ask: Ask, quiet: Word, evidence: Evidence) -> bool:
    """Whether a hook may have been at it until then: nobody is shown the request before."""
    if ask.agent == "main" or evidence.helpers is None:
        return ask.agent != "main"
    return any(abs(one.began - ask.at) < LAG_S and one.until > quiet.until for one in evidence.helpers)


def _quiet(history: tuple[Word, ...]) -> list[Word]:
    return [word for word in history if word.is_quiet]
