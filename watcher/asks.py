"""Who asks for permission, and which requests have been answered without a word from the hooks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contract.facts import Call, Fact
    from watcher.evidence import Evidence
    from watcher.shells import Command

SETTLE_S = 0.2  # the registry and a hook tell of one moment up to this far apart
LATELY_S = 5.0
TICK_S = 0.02  # the kernel counts process starts in hundredths
ALWAYS_ASK = {"AskUserQuestion": "question", "ExitPlanMode": "plan"}  # also where no permission is asked for


@dataclass(frozen=True, slots=True)
class Ask:
    agent: str
    call: str  # '' for one that no call fits
    name: str
    target: str
    at: float
    answered: str = ""  # by what; '' while it is open
    answered_at: float = 0.0

    @property
    def words(self) -> str:
        if self.name in ALWAYS_ASK:
            return ALWAYS_ASK[self.name]
        return f"{self.name}: {self.target}" if self.target else self.name

    @property
    def quote(self) -> str:
        """What of the words is the agent's own."""
        return "" if self.name in ALWAYS_ASK else self.target

    def answer(self, by: str, at: float) -> Ask:
        return replace(self, answered=by, answered_at=at)


def all_asks(evidence: Evidence) -> tuple[Ask, ...]:
    """Every request that the hooks tell of, marked as answered where other evidence says so."""
    asked = [ask for key, fact in evidence.facts.items() if not fact.stopped for ask in _asked(key, fact)]
    asked += _shown_by_lead(evidence)
    settled = [_settled(ask, evidence) for ask in asked]
    settled = _by_command(settled, evidence)
    return (*_by_registry(settled, evidence), *_lately_ended(evidence))


def _lately_ended(evidence: Evidence) -> list[Ask]:
    """Requests whose call has ended: the registry may show their dialog for a moment longer."""
    return [
        Ask(agent, name, call.name, "", call.asked[1], "its call has ended", call.at[1])
        for agent, fact in evidence.facts.items()
        for name, call in fact.done.items()
        if call.asked and call.at and evidence.now - call.at[1] < LATELY_S
    ]


def _asked(agent: str, fact: Fact) -> list[Ask]:
    found = [_ask(agent, name, call) for name, call in fact.calls.items() if call.asked or call.name in ALWAYS_ASK]
    return found + [_ask(agent, "", call) for call in fact.asks]


def _shown_by_lead(evidence: Evidence) -> list[Ask]:
    """A teammate's own hooks do not tell that it asks: it is the newest call of that tool that began before."""
    main = evidence.facts.get("main")
    if main is None:
        return []
    found = []
    for shown in evidence.shown:
        pending = [(key, call) for key, call in main.calls.items() if call.name == shown.tool and not call.asked]
        calls = [(call.began[1], key, call) for key, call in pending if call.began]
        fitting = [one for one in calls if one[0] <= shown.at]
        if fitting:
            _, key, call = max(fitting, key=lambda one: one[0])
            found.append(Ask("main", key, call.name, call.target, shown.at))
    return found


def _ask(agent: str, name: str, call: Call) -> Ask:
    at = call.asked or call.began or (0.0, 0.0)
    return Ask(agent, name, call.name, call.target, at[1])


def _settled(ask: Ask, evidence: Evidence) -> Ask:
    """What the agent's own facts and transcript say of it."""
    fact, turn = evidence.facts[ask.agent], evidence.turns.get(ask.agent)
    if not _can_prompt(evidence):
        return ask.answer("cannot prompt", ask.at)
    if fact.turn and fact.turn.opened and fact.turn.opened[1] > ask.at:
        return ask.answer("newer turn", fact.turn.opened[1])
    if turn is None:
        return ask
    if ask.call in turn.results:
        return ask.answer("result in transcript", turn.results[ask.call].at)
    if turn.ended_at is not None and turn.how == "interrupt" and turn.ended_at > ask.at:
        return ask.answer("interrupted", turn.ended_at)
    if turn.prompted_at is not None and turn.prompted_at > ask.at + SETTLE_S and not _queued(fact):
        return ask.answer("newer prompt", turn.prompted_at)
    return ask


def _queued(fact: Fact) -> bool:
    return bool(fact.turn and fact.turn.queued)


def _can_prompt(evidence: Evidence) -> bool:
    """`-p` denies by itself what it would have to ask for; so does a job in the background that shows no dialog."""
    main = evidence.facts.get("main")
    client = main.client if main else None
    if client is None:
        return True
    shows = evidence.said is not None and evidence.said.status == "waiting"
    return client.entrypoint != "sdk-cli" and (not client.background or shows)


def _by_command(asks: list[Ask], evidence: Evidence) -> list[Ask]:
    """A command that began after it was asked for has been approved."""
    waiting = [ask for ask in asks if ask.name == "Bash" and not ask.answered]
    others = [
        call.target
        for fact in evidence.facts.values()
        for call in fact.calls.values()
        if call.name == "Bash" and not call.asked
    ]
    found: dict[Ask, Command] = {}
    for command in evidence.commands:
        fits = [ask for ask in waiting if ask not in found and command.began + TICK_S >= ask.at]
        meant = [ask for ask in fits if same_command(ask.target, command.text)]
        if not meant and len(waiting) == 1 and not any(same_command(target, command.text) for target in others):
            meant = fits  # rewritten on the way, by a hook for instance; nobody else could be meant
        if meant:
            found[meant[0]] = command
    return [ask.answer("its command runs", found[ask].began) if ask in found else ask for ask in asks]


def same_command(target: str, text: str) -> bool:
    """Whether a short target is the beginning of this command; quoting and white space do not count."""
    begin = _letters(target.partition("***")[0].rstrip("…"))
    return bool(begin) and _letters(text).startswith(begin)


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum())


def _by_registry(asks: list[Ask], evidence: Evidence) -> list[Ask]:
    """The process shows no dialog any more: that answers the one open request, never one of several."""
    said = evidence.said or evidence.lead
    waiting = [ask for ask in asks if not ask.answered]
    if said is None or said.status == "waiting" or len(waiting) != 1:
        return asks
    (ask,) = waiting
    # `idle` may be said of the main agent alone.
    if said.at <= ask.at + SETTLE_S or (ask.agent != "main" and said.status != "busy"):
        return asks
    return [one.answer(f"registry: {said.status}", said.at) if one is ask else one for one in asks]
