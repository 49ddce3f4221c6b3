"""Who asks for permission: every request that is known, and what its own agent has told of its end.

What settles a request, from the strongest on: its own agent's later words (told then); what the registry says of the
process at this moment, and has said since (told now, `dialogs.py`); a command that looks like the one asked for
(inferred, `commands_seen.py`). An inference never closes the last request while the registry says that somebody is
asked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING

from watcher.rules.evidence import is_heard
from watcher.rules.kinds import NOW, THEN
from watcher.rules.pace import LAG_S, SETTLE_S
from watcher.rules.vocabulary import ALWAYS_ASK, ANSWER_NOTE, HEADLESS, INPUT, PERMISSION, QUESTION

if TYPE_CHECKING:
    from contract.facts import Call, Fact, Stamp
    from watcher.rules.evidence import Evidence, Mates, RegistryReport
    from watcher.rules.kinds import Kind
    from watcher.rules.turn import Turn

FORM = "Elicitation"  # a server asks, through whichever agent has called it
WORDS = {**ALWAYS_ASK, FORM: "question"}  # of requests that are questions


@dataclass(frozen=True, slots=True)
class Ask:
    agent: str
    call: str  # '' for one that no call fits
    name: str
    target: str
    at: float
    began: float  # when its call did
    answered: str = ""  # by what; '' while it is open
    answered_at: float = 0.0
    kind: Kind | None = None  # of the evidence that it is answered
    source: str = "hook"  # who told of it
    is_announced: bool = True  # by the request itself, not by a call that will ask
    is_shown: bool = False  # its dialog was open when that was told, with none before it
    until: float | None = None  # when an open one counts as answered, if the registry tells of no dialog by then

    @property
    def words(self) -> str:
        if self.name in WORDS:
            return WORDS[self.name]
        return f"{self.name}: {self.target}" if self.target else self.name

    @property
    def quote(self) -> str:
        """What of the words is the agent's own."""
        return "" if self.name in WORDS else self.target

    @property
    def is_form(self) -> bool:
        return self.name == FORM

    def fits(self, waiting_for: str) -> bool:
        """Whether the dialog that the registry speaks of can be this one's: it tells questions from permissions.

        A plan is a permission.
        """
        if waiting_for == PERMISSION:
            return self.name not in (QUESTION, FORM)
        return waiting_for != INPUT or self.name in ("", QUESTION, FORM)

    def answer(self, by: str, at: float, kind: Kind) -> Ask:
        return replace(self, answered=by, answered_at=at, kind=kind)


def requests(evidence: Evidence) -> list[Ask]:
    asked = [ask for key, fact in evidence.facts.items() if not fact.stopped for ask in _asked(key, fact)]
    asked += [*_written(evidence), *_shown_by_lead(evidence)]
    return [*(_unless_over(ask, evidence) for ask in asked), *_lately_ended(evidence)]


def in_background(evidence: Evidence) -> set[str]:
    """Sub-agents whose dialogs open only when the hooks have ended; those of all others open with the call."""
    return {spawn.id for fact in evidence.facts.values() for spawn in fact.spawned}


def has_just_ended(asks: list[Ask], report: RegistryReport, now: float) -> bool:
    """Whether the registry may still show the dialog of somebody who was answered a moment ago, and not before it."""
    since = max(now - LAG_S, report.at - SETTLE_S)
    return any(ask.kind == THEN and ask.answered_at > since for ask in asks)


def may_be_a_mates(ask: Ask, report: RegistryReport, mates: Mates) -> bool:
    """Whether the dialog that is open is that of a teammate in a pane, of which nothing may tell: it is older."""
    return mates.busy > 0 and ask.began >= report.at + SETTLE_S


# --- who asks


def _asked(agent: str, fact: Fact) -> list[Ask]:
    calls = [_ask(agent, name, call) for name, call in fact.calls.items() if call.asked or call.name in ALWAYS_ASK]
    forms = [tick(question.at) for question in fact.questions]
    return [*calls, *(_ask(agent, "", call) for call in fact.asks), *(Ask(agent, "", FORM, "", at, at) for at in forms)]


def _ask(agent: str, name: str, call: Call) -> Ask:
    at = tick(call.asked or call.began)
    return Ask(agent, name, call.name, call.target, at, min(tick(call.began), at), is_announced=bool(call.asked))


def tick(stamp: Stamp | None) -> float:
    return stamp.boot if stamp else 0.0


def _written(evidence: Evidence) -> list[Ask]:
    """A question or a plan that is open in the transcript of an agent without hooks.

    Where there are hooks they tell when it is asked: one of several calls is written long before its turn comes. What a
    live transcript tells of is asked now.
    """
    live = {agent: turn for agent, turn in evidence.turns.items() if turn.is_live}
    asks = [(agent, ask) for agent, turn in live.items() for ask in turn.asks.values()]
    told = [Ask(agent, a.call_id, a.tool, a.target, a.at, a.at, source="transcript") for agent, a in asks]
    turns = [(agent, turn) for agent, turn in evidence.turns.items() if not is_heard(evidence.facts.get(agent), turn)]
    turns = [*live.items(), *(one for one in turns if one[0] not in live)]
    # Where the registry says that somebody is asked, a call before it that still runs says that this one is not.
    first = 1 if evidence.report and evidence.report.tells_dialogs else None
    due = [(agent, list(turn.calls.values())[:first]) for agent, turn in turns]
    calls = [(agent, call) for agent, open_calls in due for call in open_calls if call.tool in ALWAYS_ASK]
    asked = [Ask(agent, call.call_id, call.tool, "", call.at, call.at, source="transcript") for agent, call in calls]
    return [*told, *asked]


def _shown_by_lead(evidence: Evidence) -> list[Ask]:
    """A teammate's own hooks do not tell that it asks: it is the newest call of that tool that began before."""
    main = evidence.facts.get("main")
    if main is None:
        return []
    asks = []
    for shown in evidence.shown:
        pending = [(key, call) for key, call in main.calls.items() if call.name == shown.tool and not call.asked]
        begun = [(call.began.boot, key, call) for key, call in pending if call.began and call.began.boot <= shown.at]
        if begun:
            _, key, call = max(begun, key=itemgetter(0))
            # Not from its call on: it travels to the lead for a second, in which that may say anything of its own.
            asks.append(Ask("main", key, call.name, call.target, shown.at, shown.at, is_shown=True))
    return asks


# --- what its agent tells of its end


def _lately_ended(evidence: Evidence) -> list[Ask]:
    """Requests that are over: the registry may show their dialog for a moment longer."""
    since, facts = evidence.now - LAG_S, evidence.facts.items()
    calls = [(a, name, call) for a, fact in facts for name, call in fact.done.items() if call.asked]
    ended = [
        Ask(agent, name, call.name, "", tick(call.asked), tick(call.asked), "its call has ended", tick(call.at), THEN)
        for agent, name, call in calls
        if tick(call.at) > since
    ]
    forms = [(agent, tick(note.at)) for agent, fact in facts if (note := fact.notes.get(ANSWER_NOTE))]
    ended += [Ask(a, "", FORM, "", at, at, "its server has heard", at, THEN) for a, at in forms if at > since]
    lines = [(agent, turn.answered_at) for agent, turn in evidence.turns.items() if turn.answered_at is not None]
    ended += [
        Ask(a, "", "", "", at, at, "result in transcript", at, THEN, "transcript") for a, at in lines if at > since
    ]
    return ended


def _unless_over(ask: Ask, evidence: Evidence) -> Ask:
    """What the agent's own facts and transcript say of it."""
    fact, turn = evidence.facts.get(ask.agent), evidence.turns.get(ask.agent)
    if not _can_prompt(evidence):
        return ask.answer("cannot prompt", ask.at, THEN)
    if ask.at < evidence.began:
        return ask.answer("of an earlier process", evidence.began, NOW)
    # A form may be a sub-agent's, though it is told as main's; and what is live is told of as long as it is open.
    if ask.is_form or (turn is not None and turn.is_live):
        return ask
    if fact and fact.turn and fact.turn.opened and fact.turn.opened.boot > ask.at:
        return ask.answer("newer turn", fact.turn.opened.boot, THEN)
    if turn is None:
        return ask
    if (result_at := _result_at(ask, turn, fact)) is not None:
        return ask.answer("result in transcript", result_at, THEN)
    if turn.has_handed(ask.began):
        return ask.answer("the model has its result", turn.handed[-1].at, THEN)
    if turn.ended_at is not None and turn.how == "interrupt" and turn.ended_at > ask.at:
        return ask.answer("interrupted", turn.ended_at, THEN)
    if turn.prompted_at is not None and turn.prompted_at > ask.at + SETTLE_S and not (fact and _queued(fact)):
        return ask.answer("newer prompt", turn.prompted_at, THEN)
    return ask


def _result_at(ask: Ask, turn: Turn, fact: Fact | None) -> float | None:
    """When its result was written. Of a question or plan whose call is not known, that of the last one."""
    if ask.call in turn.results:
        return turn.results[ask.call].at
    if ask.call:
        return None
    if ask.name not in ALWAYS_ASK:
        return _untold_result_at(ask, turn, fact) if fact else None
    return turn.answered_at if turn.answered_at is not None and turn.answered_at > ask.at else None


def _untold_result_at(ask: Ask, turn: Turn, fact: Fact) -> float | None:
    """When the result of a call was written of which no hook told either: it is its own, if no other asks so."""
    if [other.name for other in fact.asks].count(ask.name) > 1:
        return None
    untold = [result for key, result in turn.results.items() if key not in fact.calls and key not in fact.done]
    return next((result.at for result in untold if result.tool == ask.name and result.at > ask.at), None)


def _queued(fact: Fact) -> bool:
    return bool(fact.turn and fact.turn.queued)


def _can_prompt(evidence: Evidence) -> bool:
    """`-p` denies by itself what it would have to ask for; so does a job in the background that shows no dialog."""
    if evidence.headless:
        return False
    main = evidence.facts.get("main")
    client = main.client if main else None
    if client is None:
        return True
    shows = evidence.report is not None and evidence.report.status == "waiting"
    return client.entrypoint != HEADLESS and (not client.background or shows)
