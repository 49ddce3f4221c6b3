"""Which requests a command that runs has answered: a guess, and never against what the registry says of the present."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract.mask import HIDDEN
from watcher.rules.dialogs import soonest
from watcher.rules.kinds import INFERRED
from watcher.rules.pace import LAG_S, MOMENT_S
from watcher.rules.requests import has_just_ended, tick
from watcher.rules.vocabulary import SHELL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from contract.facts import Fact
    from processes.shells import Command
    from watcher.rules.evidence import Evidence
    from watcher.rules.requests import Ask

TICK_S = 0.02  # the kernel counts process starts in hundredths
LONGEST_TARGET = 400  # of a longer command only the beginning was looked at
UNDECIDED = "?"  # of several equal calls a command may belong to any


def by_command(asks: list[Ask], evidence: Evidence) -> list[Ask]:
    """A command that began after it was asked for has been approved."""
    waiting = [ask for ask in asks if ask.name == SHELL and not ask.answered]
    if not waiting:
        return asks
    found = _exact(waiting, evidence)
    found |= _alike([ask for ask in waiting if ask not in found], asks, evidence)
    if not found and len(waiting) == 1:
        found = _rewritten(waiting[0], evidence)
    is_last = len(found) == sum(not ask.answered for ask in asks)
    said, is_explained = evidence.said, evidence.mates.is_asking or has_just_ended(asks, evidence.now)
    may_be_shown = said is not None and said.status == "waiting" and waiting[0].fits(said.waiting_for)
    if found and is_last and may_be_shown and not is_explained:
        # The registry says that somebody is asked: not everybody can have been answered. A lead may mean another mate.
        del found[max(found, key=lambda ask: ask.at)]
    return [ask.answer("its command runs", found[ask].began, INFERRED) if ask in found else ask for ask in asks]


def _exact(waiting: list[Ask], evidence: Evidence) -> dict[Ask, Command]:
    """Requests whose very command runs; one that was allowed unasked and reads the same comes first."""
    unasked = _unasked(evidence, waiting)
    found: dict[Ask, Command] = {}
    for command in evidence.commands:
        mine = next((target for target in unasked if same_command(target, command.text)), None)
        if mine is not None and command.call not in {ask.call for ask in waiting if ask.call}:
            unasked.remove(mine)
            continue
        fits = [ask for ask in waiting if ask not in found and command.began + TICK_S >= _earliest(ask, evidence)]
        meant = [ask for ask in fits if same_command(ask.target, command.text) and command.call in ("", ask.call)]
        if meant:
            found[meant[0]] = command
    return found


def _earliest(ask: Ask, evidence: Evidence) -> float:
    """When its command can have begun: a hook of the user's may allow it before ours has told that it is asked."""
    fact = evidence.facts.get(ask.agent)
    call = fact.calls.get(ask.call) if fact else None
    if call is None:
        return soonest(ask, evidence)
    facts = evidence.facts.values()
    begun = [(one.name, one.digest) for fact in facts for one in fact.calls.values()]
    ended = [(one.name, one.digest) for fact in facts for one in fact.done.values() if tick(one.at) > ask.began]
    is_only_one = [*begun, *ended].count((call.name, call.digest)) == 1
    return ask.began if is_only_one else soonest(ask, evidence)


def _alike(waiting: list[Ask], asks: list[Ask], evidence: Evidence) -> dict[Ask, Command]:
    """Equal requests of which nobody can say which one a command answers: all of them, once as many commands run."""
    found: dict[Ask, Command] = {}
    for ask in waiting:
        rivals = [one for one in waiting if one.target == ask.target and _at_once(one.at, ask.at)]
        ran = [one for one in evidence.commands if one.call == UNDECIDED and same_command(ask.target, one.text)]
        if ran and len(ran) - len(_over_beside(ask, asks, evidence)) >= len(rivals):
            found[ask] = ran[-1]
    return found


def _over_beside(ask: Ask, asks: list[Ask], evidence: Evidence) -> set[str]:
    """Calls that were asked for at the same moment and have ended."""
    done = [(name, one) for fact in evidence.facts.values() for name, one in fact.done.items()]
    ended = {name for name, one in done if one.name == ask.name and one.asked and _at_once(one.asked.boot, ask.at)}
    return ended | {one.call for one in asks if one.answered and one.name == ask.name and _at_once(one.at, ask.at)}


def _at_once(one: float, other: float) -> bool:
    return abs(one - other) < MOMENT_S


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
    meant = _meant(command, facts, over.union(one.call for one in known))
    if not meant:
        return command
    first, behind = meant[0], {spawn.id for fact in facts.values() for spawn in fact.spawned}
    at_once = [one.agent for one in meant if first.asked and one.asked < first.asked + MOMENT_S]
    is_undecided = len(at_once) > 1 and not behind.isdisjoint(at_once)
    return command._replace(call=UNDECIDED if is_undecided else first.call)


def _meant(command: Command, facts: Mapping[str, Fact], taken: set[str]) -> list[_Meant]:
    calls = [(fact.agent, name, call) for fact in facts.values() for name, call in fact.calls.items()]
    calls = [(agent, name, c) for agent, name, c in calls if c.name == SHELL and same_command(c.target, command.text)]
    begun = [
        _Meant(tick(c.asked), 0.0 if c.asked else -tick(c.began), name, agent)
        for agent, name, c in calls
        if name not in taken
    ]
    return _left_behind(command, facts, {call.digest for _, _, call in calls}) + sorted(begun)


def _left_behind(command: Command, facts: Mapping[str, Fact], digests: set[str]) -> list[_Meant]:
    """Equal calls that have ended since the command began: it may go on in the background."""
    ended = [(fact.agent, name, call) for fact in facts.values() for name, call in fact.done.items()]
    since = [one for one in ended if one[2].digest in digests and tick(one[2].at) > command.began]
    return sorted(_Meant(tick(call.asked), 0.0, name, agent) for agent, name, call in since)


def _rewritten(ask: Ask, evidence: Evidence) -> dict[Ask, Command]:
    """The one open request, where another command runs and nobody else could have started it.

    A hook may have changed the command on the way. Never against the registry, and never while a call may have
    begun, or have ended meanwhile, that explains the command.
    """
    if evidence.said is not None or evidence.lead is not None:
        return {}
    fits = [one for one in evidence.commands if one.began + TICK_S >= ask.at and evidence.now - one.began > LAG_S]
    others = _unasked(evidence, [ask])
    ended = [tick(call.at) for fact in evidence.facts.values() for call in fact.done.values() if call.name == SHELL]
    for command in fits:
        if not others and not any(at >= command.began for at in ended):
            return {ask: command}
    return {}


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
        _, found, rest = rest.partition(piece) if piece else ("", True, rest)
        if not found:
            return False
    return rest.endswith(last) if ends else last in rest


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum())
