"""Which requests a command that runs has answered: a guess, and never against what the registry says of the present."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract.mask import HIDDEN
from watcher.rules.dialog_owner import ANSWERED_S
from watcher.rules.dialogs import soonest
from watcher.rules.kinds import INFERRED
from watcher.rules.pace import LAG_S, MOMENT_S
from watcher.rules.requests import has_just_ended, tick
from watcher.rules.times import latest
from watcher.rules.vocabulary import SHELL, STARTS_AGENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from contract.facts import Call, Ended, Fact
    from processes.shells import Command
    from watcher.rules.evidence import Evidence, RegistryReport
    from watcher.rules.requests import Ask

TICK_S = 0.02  # the kernel counts process starts in hundredths
LONGEST_TARGET = 400  # of a longer command only the beginning was looked at
UNDECIDED = "?"  # of several equal calls a command may belong to any


def by_command(asks: list[Ask], evidence: Evidence) -> list[Ask]:
    """A command that began after it was asked for has been approved."""
    waiting = [ask for ask in asks if ask.name == SHELL and not ask.answered]
    if not waiting:
        return _asked_before_a_run(asks, evidence)
    approved = _exact(waiting, evidence)
    approved |= _alike([ask for ask in waiting if ask not in approved], asks, evidence)
    if not approved and len(waiting) == 1:
        approved = _rewritten(waiting[0], evidence)
    is_last = len(approved) == sum(not ask.answered for ask in asks)
    report, last = evidence.report, max(approved, key=lambda ask: ask.at, default=None)
    if last and is_last and report is not None and _may_be_shown(last, approved[last], report, asks, evidence):
        # The registry says that somebody is asked: not everybody can have been answered. A lead may mean another mate.
        del approved[last]
    return _asked_before_a_run(
        [ask.answer("its command runs", approved[ask].began, INFERRED) if ask in approved else ask for ask in asks],
        evidence,
    )


def _asked_before_a_run(asks: list[Ask], evidence: Evidence) -> list[Ask]:
    """Where an agent runs nothing before all is answered, one call that runs, or has, answers for those beside it."""
    facts = evidence.facts.values()
    agents = sum(call.name in STARTS_AGENT for fact in facts for call in fact.calls.values())
    if not evidence.asks_first or agents > 1:  # of several, nobody says whose a call is
        return asks
    ended = [tick(call.at) for fact in facts for call in fact.done.values() if call.asked]
    ran_at = latest([*ended, *(ask.answered_at for ask in asks if ask.kind == INFERRED)])
    return [
        ask if ask.answered or ask.at > ran_at else ask.answer("a call beside it runs", ran_at, INFERRED)
        for ask in asks
    ]


def _may_be_shown(ask: Ask, command: Command, report: RegistryReport, asks: list[Ask], evidence: Evidence) -> bool:
    """Whether the dialog that the registry shows may be this one's, though a command like it runs."""
    if report.status != "waiting" or not ask.fits(report.waiting_for) or evidence.mates.is_asking:
        return False
    # A teammate in a pane has its dialog here too. One that follows at once gives the registry nothing new to tell.
    is_explained = has_just_ended(asks, report, evidence.now) or evidence.mates.busy > 0
    return not is_explained and not _is_outdated(report, command, evidence.now)


def _is_outdated(report: RegistryReport, command: Command, now: float) -> bool:
    """Whether the word is older than the command and was read after it began: the next one is on its way.

    For a moment only. What was read before stands until the registry takes it back.
    """
    return report.at < command.began < report.seen_at and now < command.began + ANSWERED_S


def _exact(waiting: list[Ask], evidence: Evidence) -> dict[Ask, Command]:
    """Requests whose very command runs; one that was allowed unasked and reads the same comes first."""
    unasked = _unasked(evidence, waiting)
    approved: dict[Ask, Command] = {}
    for command in evidence.commands:
        mine = next((target for target in unasked if same_command(target, command.text)), None)
        if mine is not None and command.call not in {ask.call for ask in waiting if ask.call}:
            unasked.remove(mine)
            continue
        fits = [ask for ask in waiting if ask not in approved and command.began + TICK_S >= _earliest(ask, evidence)]
        meant = [ask for ask in fits if same_command(ask.target, command.text) and command.call in ("", ask.call)]
        if meant:
            approved[meant[0]] = command
    return approved


def _earliest(ask: Ask, evidence: Evidence) -> float:
    """When its command can have begun: a hook of the user's may allow it before ours has told that it is asked."""
    fact = evidence.facts.get(ask.agent)
    call = fact.calls.get(ask.call) if fact else None
    if call is None:
        return soonest(ask, evidence)
    facts = evidence.facts.values()
    begun = [(call.name, call.digest) for fact in facts for call in fact.calls.values()]
    ended = [(done.name, done.digest) for fact in facts for done in fact.done.values() if tick(done.at) > ask.began]
    is_only_one = [*begun, *ended].count((call.name, call.digest)) == 1
    # From its call on, also where a lead tells of a teammate's request, which may be later than the answer.
    return min(tick(call.began), ask.began) if is_only_one else soonest(ask, evidence)


def _alike(waiting: list[Ask], asks: list[Ask], evidence: Evidence) -> dict[Ask, Command]:
    """Equal requests of which nobody can say which one a command answers: all of them, once as many commands run."""
    approved: dict[Ask, Command] = {}
    for ask in waiting:
        rivals = [rival for rival in waiting if rival.target == ask.target and _at_once(rival.at, ask.at)]
        undecided = [command for command in evidence.commands if command.call == UNDECIDED]
        alike = [command for command in undecided if same_command(ask.target, command.text)]
        begun = [command for command in alike if command.began + TICK_S >= _earliest(ask, evidence)]
        ran = [command for command in alike if command in begun or ask.call in command.claims]
        claimed = {call for command in ran for call in command.claims}
        over = (_over_beside(ask, asks, evidence) & claimed) | _never_asked(ran, asks)
        if begun and len(ran) - len(over) >= len(rivals):
            approved[ask] = ran[-1]
    return approved


def _over_beside(ask: Ask, asks: list[Ask], evidence: Evidence) -> set[str]:
    """Calls that were asked for at the same moment and have ended."""
    done = [(key, call) for fact in evidence.facts.values() for key, call in fact.done.items()]
    ended = {key for key, call in done if call.name == ask.name and call.asked and _at_once(call.asked.boot, ask.at)}
    beside = [other for other in asks if other.name == ask.name and _at_once(other.at, ask.at)]
    return ended | {other.call for other in beside if other.answered}


def _never_asked(ran: list[Command], asks: list[Ask]) -> set[str]:
    """Calls that one of these commands may belong to, and for which nobody was asked: it is theirs, then."""
    return {call for command in ran for call in command.claims} - {ask.call for ask in asks}


def _at_once(first: float, second: float) -> bool:
    return abs(first - second) < MOMENT_S


class _Meant(NamedTuple):
    """A call that a command may belong to."""

    asked: float  # 0 if nobody was asked for it
    age: float  # of one that nobody was asked for: the newest comes first, as an older one may yet ask
    call: str
    agent: str


def first_seen(command: Command, facts: Mapping[str, Fact], known: Iterable[Command], over: set[str]) -> Command:
    """With the call that it belongs to: when that has ended, nothing else would tell.

    Dialogs are shown in order, but not those of agents in the background that ask at once: each is shown when its own
    hooks have ended. `over`: calls that have a result already; no hook tells of the end of one that was refused.
    """
    known = list(known)
    meant = _meant(command, facts, over.union(other.call for other in known))
    if not meant:
        return command
    unasked, claimed = [one.call for one in meant if not one.asked], {call for other in known for call in other.claims}
    is_fresh = any(one.asked for one in meant) and any(_may_yet_ask(one, command) for one in meant)
    if len(unasked) > 1 or claimed.intersection(unasked) or is_fresh:
        return command._replace(call=UNDECIDED, claims=tuple(one.call for one in meant))
    first, behind = meant[0], {spawn.id for fact in facts.values() for spawn in fact.spawned}
    at_once = [one for one in meant if first.asked and one.asked < first.asked + MOMENT_S]
    if len(at_once) > 1 and not behind.isdisjoint(one.agent for one in at_once):
        return command._replace(call=UNDECIDED, claims=tuple(one.call for one in at_once))
    return command._replace(call=first.call)


def _may_yet_ask(one: _Meant, command: Command) -> bool:
    """Whether its call had only just begun: then the command may be that of another one, which was asked for."""
    return not one.asked and -one.age > command.began - MOMENT_S


def _meant(command: Command, facts: Mapping[str, Fact], taken: set[str]) -> list[_Meant]:
    calls = [(fact.agent, name, call) for fact in facts.values() for name, call in fact.calls.items()]
    calls = [(agent, name, c) for agent, name, c in calls if c.name == SHELL and same_command(c.target, command.text)]
    begun = [
        _Meant(tick(c.asked), 0.0 if c.asked else -tick(c.began), name, agent)
        for agent, name, c in calls
        if name not in taken and _may_run(c, command)
    ]
    return _left_behind(command, facts, {call.digest for _, _, call in calls}) + sorted(begun)


def _left_behind(command: Command, facts: Mapping[str, Fact], digests: set[str]) -> list[_Meant]:
    """Equal calls that have ended since the command began: it may go on in the background."""
    ended = [(fact.agent, name, call) for fact in facts.values() for name, call in fact.done.items()]
    return sorted(
        _Meant(tick(call.asked), 0.0, name, agent)
        for agent, name, call in ended
        if call.digest in digests and tick(call.at) > command.began and _may_run(call, command)
    )


def _may_run(call: Call | Ended, command: Command) -> bool:
    """Whether a call had begun when the command did. Of one that ended long ago that is not known."""
    return tick(call.began) <= command.began + TICK_S


def _rewritten(ask: Ask, evidence: Evidence) -> dict[Ask, Command]:
    """The one open request, where another command runs and nobody else could have started it.

    A hook may have changed the command on the way. Never against the registry, and never while a call may have
    begun, or have ended meanwhile, that explains the command.
    """
    if evidence.report is not None or evidence.lead_report is not None:
        return {}
    marked = [command for command in evidence.commands if command.is_marked]
    begun = [command for command in marked if command.began + TICK_S >= ask.at]
    fits = [command for command in begun if evidence.now - command.began > LAG_S]
    others = _beside(ask, evidence)
    for command in fits:
        if not any(ended is None or ended >= command.began for ended in others):
            return {ask: command}
    return {}


def _beside(ask: Ask, evidence: Evidence) -> list[float | None]:
    """When other calls ended, None if they go on: not only Bash runs commands, a monitor does as well."""
    calls = [(key, name, call) for key, fact in evidence.facts.items() for name, call in fact.calls.items()]
    begun = [one for key, name, one in calls if not one.asked and (key, name) != (ask.agent, ask.call)]
    done = [one for fact in evidence.facts.values() for one in fact.done.values() if one.name not in STARTS_AGENT]
    return [*(None for one in begun if one.name not in STARTS_AGENT), *(tick(one.at) for one in done)]


def _unasked(evidence: Evidence, asks: list[Ask]) -> list[str]:
    """Targets of the Bash calls that are under way and that nobody was asked for."""
    asked = {(ask.agent, ask.call) for ask in asks}
    calls = [(key, name, call) for key, fact in evidence.facts.items() for name, call in fact.calls.items()]
    return [c.target for key, name, c in calls if c.name == SHELL and not c.asked and (key, name) not in asked]


def same_command(target: str, text: str) -> bool:
    """Whether a short target is this command: each piece of it that was not hidden, in order, and nothing else.

    Quoting and white space do not count. Where the target was cut, the rest of the command may be anything.
    """
    pieces = [_letters(piece) for piece in target.removesuffix("…").split(HIDDEN)]
    first, *others = pieces
    whole = _letters(text)
    if not any(pieces) or not whole.startswith(first):
        return False
    if not others:
        return whole == first or (target.endswith("…") and bool(first))
    return _in_order(whole[len(first) :], others, ends=not target.endswith("…") and len(text) <= LONGEST_TARGET)


def _in_order(rest: str, pieces: list[str], *, ends: bool) -> bool:
    *middle, last = pieces
    for piece in middle:
        _, is_there, rest = rest.partition(piece) if piece else ("", True, rest)
        if not is_there:
            return False
    return rest.endswith(last) if ends else last in rest


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum())
