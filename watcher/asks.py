"""Who asks for permission, and which requests have been answered without a word from the hooks.

What settles a request, from the strongest on: its own agent's later words (told then); what the registry says of the
process at this moment (told now); a command that looks like the one asked for (inferred). An inference never closes
the last request while the registry says that a dialog is open.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from contract.mask import HIDDEN
from watcher.evidence import is_heard
from watcher.kinds import INFERRED, NOW, THEN
from watcher.turn import ALWAYS_ASK

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from contract.facts import Call, Fact, Stamp
    from watcher.evidence import Evidence, Said
    from watcher.shells import Command

SETTLE_S = 0.2  # the registry and a hook tell of one moment up to this far apart
LAG_S = 2.0  # the registry's file is at most this far behind the hooks, on a busy machine too
LATELY_S = 5.0
WRITTEN_S = 0.3  # so much later the transcript may tell of what the registry tells
SHOWN_S = 0.06  # nobody answers sooner: the client must have drawn the dialog, or heard a hook
PERSON_S = 0.3  # and no person sooner than this
MATE_S = 1.0  # the registry and the lead tell of a teammate's dialog up to this far apart
BETWEEN_S = 0.2  # of two dialogs that wait for each other: no longer does the registry say that none is open
TICK_S = 0.02  # the kernel counts process starts in hundredths
LONGEST_TARGET = 400  # of a longer command only the beginning was looked at
SETTLED_S = 2.0  # after so long every call that was begun before a command is known
AT_ONCE_S = 0.3  # so far apart the hooks of two agents may end
UNDECIDED = "?"  # of several equal calls a command may belong to any
BY_REGISTRY = "registry:"


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
    kind: str = ""  # of the evidence that it is answered
    source: str = "hook"  # who told of it
    is_announced: bool = True  # by the request itself, not by a call that will ask

    @property
    def words(self) -> str:
        if self.name in ALWAYS_ASK:
            return ALWAYS_ASK[self.name]
        return f"{self.name}: {self.target}" if self.target else self.name

    @property
    def quote(self) -> str:
        """What of the words is the agent's own."""
        return "" if self.name in ALWAYS_ASK else self.target

    @property
    def name_in_time(self) -> tuple[str, str, float]:
        return self.agent, self.call, self.at

    def answer(self, by: str, at: float, kind: str) -> Ask:
        return replace(self, answered=by, answered_at=at, kind=kind)


def all_asks(evidence: Evidence) -> tuple[Ask, ...]:
    """Every request that is known, marked as answered where other evidence says so."""
    asked = [ask for key, fact in evidence.facts.items() if not fact.stopped for ask in _asked(key, fact)]
    asked += [*_written(evidence), *_shown_by_lead(evidence)]
    settled = [*(_settled(ask, evidence) for ask in asked), *_lately_ended(evidence)]
    return tuple(_by_command(_by_registry(settled, evidence), evidence))


def settled_by_registry(evidence: Evidence) -> frozenset[tuple[str, str, float]]:
    """Requests that count as answered because no dialog is open: they stay so when somebody else asks."""
    asked = all_asks(evidence)
    known = evidence.settled.intersection(ask.name_in_time for ask in asked)
    if _shows_dialog(evidence):
        return known
    old = [ask for ask in asked if evidence.now - ask.at > LAG_S]  # of any other the dialog may be about to open
    return known.union(ask.name_in_time for ask in old if ask.answered.startswith(BY_REGISTRY))


def _lately_ended(evidence: Evidence) -> list[Ask]:
    """Requests whose call has ended: the registry may show their dialog for a moment longer."""
    told = [
        Ask(agent, name, call.name, "", call.asked[1], call.asked[1], "its call has ended", call.at[1], THEN)
        for agent, fact in evidence.facts.items()
        for name, call in fact.done.items()
        if call.asked and call.at and evidence.now - call.at[1] < LATELY_S
    ]
    written = [(agent, turn.answered_at) for agent, turn in evidence.turns.items() if turn.answered_at is not None]
    return told + [
        Ask(agent, "", "", "", at, at, "result in transcript", at, THEN, "transcript")
        for agent, at in written
        if evidence.now - at < LATELY_S
    ]


# --- who asks


def _asked(agent: str, fact: Fact) -> list[Ask]:
    found = [_ask(agent, name, call) for name, call in fact.calls.items() if call.asked or call.name in ALWAYS_ASK]
    return found + [_ask(agent, "", call) for call in fact.asks]


def _ask(agent: str, name: str, call: Call) -> Ask:
    at = _tick(call.asked or call.began)
    return Ask(agent, name, call.name, call.target, at, min(_tick(call.began), at), is_announced=bool(call.asked))


def _tick(stamp: Stamp | None) -> float:
    return stamp[1] if stamp else 0.0


def _written(evidence: Evidence) -> list[Ask]:
    """A question or a plan that is open in the transcript of an agent without hooks.

    Where there are hooks they tell when it is asked: one of several calls is written long before its turn comes.
    """
    turns = [(agent, turn) for agent, turn in evidence.turns.items() if not is_heard(evidence.facts.get(agent), turn)]
    # Where the registry says that somebody is asked, a call before it that still runs says that this one is not.
    due = [(agent, list(turn.calls.values())[: 1 if evidence.said else None]) for agent, turn in turns]
    calls = [(agent, call) for agent, open_calls in due for call in open_calls if call.tool in ALWAYS_ASK]
    return [Ask(agent, one.call_id, one.tool, "", one.at, one.at, source="transcript") for agent, one in calls]


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
            # Not from its call on: it travels to the lead for a second, in which that may say anything of its own.
            found.append(Ask("main", key, call.name, call.target, shown.at, shown.at))
    return found


# --- told then


def _settled(ask: Ask, evidence: Evidence) -> Ask:
    """What the agent's own facts and transcript say of it."""
    fact, turn = evidence.facts.get(ask.agent), evidence.turns.get(ask.agent)
    if not _can_prompt(evidence):
        return ask.answer("cannot prompt", ask.at, THEN)
    if ask.at < evidence.began:
        return ask.answer("of an earlier process", evidence.began, NOW)
    if fact and fact.turn and fact.turn.opened and fact.turn.opened[1] > ask.at:
        return ask.answer("newer turn", fact.turn.opened[1], THEN)
    if turn is None:
        return ask
    if ask.call in turn.results:
        return ask.answer("result in transcript", turn.results[ask.call].at, THEN)
    if turn.ended_at is not None and turn.how == "interrupt" and turn.ended_at > ask.at:
        return ask.answer("interrupted", turn.ended_at, THEN)
    if turn.prompted_at is not None and turn.prompted_at > ask.at + SETTLE_S and not (fact and _queued(fact)):
        return ask.answer("newer prompt", turn.prompted_at, THEN)
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


# --- told now


def _by_registry(asks: list[Ask], evidence: Evidence) -> list[Ask]:
    """The process shows no dialog: whoever asked has been answered, or is not shown yet."""
    said = evidence.said or evidence.lead
    if said is None:
        return asks
    if said.status == "waiting":
        cleared = evidence.cleared or before_a_mate(evidence.said, evidence.facts.get("main"))
        return _before_this_dialog(asks, cleared, evidence) if cleared else asks
    return [ask if ask.answered else _unless_shown(ask, said, evidence, asks) for ask in asks]


def _may_be_refused(ask: Ask, said: Said, evidence: Evidence) -> bool:
    """With teammates in panes a lead is busy in either case; that a person refused is written a moment later."""
    return ask.agent == "main" and evidence.mates.all > 0 and evidence.now < said.at + WRITTEN_S


def _before_this_dialog(asks: list[Ask], cleared: Said, evidence: Evidence) -> list[Ask]:
    """Who asked before the registry last said that no dialog is open was answered then; but somebody asks now."""
    behind = _behind(evidence)
    told = [
        ask for ask in asks if not ask.answered and ask.source != "transcript"
    ]  # what is only written may come late
    old = [ask for ask in told if ask.agent not in behind and _is_past(ask, cleared)]
    early = [ask for ask in told if _was_shown(ask, cleared) and _had_time(ask, cleared, behind)]
    early += [ask for ask in told if ask.name_in_time in evidence.settled]
    settled = [_told(ask, cleared) if ask in (*old, *early) else ask for ask in asks]
    if any(not ask.answered for ask in settled) or _has_just_closed(asks, evidence.now) or _is_of_others(evidence):
        return settled
    # Then it is the newest, which was not shown yet when that was said; or one that no hook has told of yet.
    left = [ask for ask in asks if not (ask.answered or ask in old or _was_its_dialog(ask, cleared, evidence, asks))]
    last = max(left, key=lambda ask: ask.at, default=None)
    return [ask if ask is last else done for ask, done in zip(asks, settled, strict=True)]


def before_a_mate(said: Said | None, lead: Fact | None) -> Said | None:
    """What the registry must have said, if we were not there: of a teammate's dialog a lead tells if none was open."""
    return replace(said, status="busy", at=0.0, until=said.at) if said and _is_of_a_mate(said, lead) else None


def _is_of_others(evidence: Evidence) -> bool:
    """Whether the dialog that is open is a server's, or a teammate's that its lead shows for it."""
    main, said = evidence.facts.get("main"), evidence.said
    return bool(main and main.questions) or (said is not None and _is_of_a_mate(said, main))


def _is_of_a_mate(said: Said, lead: Fact | None) -> bool:
    told = [note.at[1] for note in lead.notes.values() if note.word and note.at] if lead else []
    return said.status == "waiting" and any(abs(at - said.at) < MATE_S for at in told)


def _is_past(ask: Ask, cleared: Said) -> bool:
    """Whether the dialog of one that is not in the background would have been told of long before this one.

    It opens at once, or when the one before it is closed.
    """
    stayed_closed = _was_shown(ask, cleared) and cleared.until > cleared.at + BETWEEN_S
    return stayed_closed or cleared.until > ask.at + LAG_S


def _behind(evidence: Evidence) -> set[str]:
    """Sub-agents in the background."""
    return {spawn.id for fact in evidence.facts.values() for spawn in fact.spawned}


def _had_time(ask: Ask, cleared: Said, behind: set[str]) -> bool:
    """Whether its dialog was seen, or would have been; in the background it opens only after the hooks."""
    if cleared.after > ask.began:
        return True
    if ask.agent in behind:
        return cleared.at > ask.at + PERSON_S
    return cleared.at > min(ask.began + PERSON_S, ask.at + SETTLE_S)


def _was_shown(ask: Ask, said: Said) -> bool:
    """Whether the registry has changed its word since: then its dialog has come and gone."""
    if ask.agent == "main":
        # Between two turns it says idle for a moment, and nobody can have refused so soon.
        return said.at > ask.began + (0.0 if said.status == "busy" else PERSON_S)
    return said.status == "busy" and said.at > ask.at + SHOWN_S and ask.is_announced


def _told(ask: Ask, said: Said) -> Ask:
    return ask.answer(f"{BY_REGISTRY} {said.status}", max(said.at, ask.at), NOW if said.is_now else THEN)


def _unless_shown(ask: Ask, said: Said, evidence: Evidence, asks: list[Ask]) -> Ask:
    """The client tells of a dialog within moments, but shows that of a sub-agent only after the hooks have ended."""
    if ask.source == "transcript":
        return _told(ask, said)  # it is written, but its turn has not come, or it is over
    if _may_be_refused(ask, said, evidence):
        return ask
    if not _was_shown(ask, said) and not _was_its_dialog(ask, said, evidence, asks):
        is_stale = said.at <= ask.at and not said.is_now
        if is_stale or evidence.now - ask.at < LAG_S or _is_held_back(ask, evidence):
            return ask
    return _told(ask, said)


def _was_its_dialog(ask: Ask, said: Said, evidence: Evidence, asks: list[Ask]) -> bool:
    """The dialog that had been closed when this was said, if it can have been nobody else's.

    Its hook may be late: that of an agent in the foreground opens with its call, any other after the hooks.
    """
    if said.status != "busy" or said.after <= _soonest(ask, evidence):
        return False
    others = [one for one in asks if one is not ask and one.began < said.at]
    return all(one.answered and one.answered_at < said.after for one in others)


def _soonest(ask: Ask, evidence: Evidence) -> float:
    """When it can have been answered: from its call on, as a hook may have allowed it before ours told of it.

    An agent in the background is asked when the hooks have ended.
    """
    return ask.at if ask.agent in _behind(evidence) else ask.began


def _is_held_back(ask: Ask, evidence: Evidence) -> bool:
    """Whether a hook may still be at it: then nobody has been shown the request yet."""
    if ask.agent == "main" or evidence.helpers is None:
        return ask.agent != "main"
    return any(abs(began - ask.at) < LAG_S for began in evidence.helpers)


# --- inferred


def _by_command(asks: list[Ask], evidence: Evidence) -> list[Ask]:
    """A command that began after it was asked for has been approved."""
    waiting = [ask for ask in asks if ask.name == "Bash" and not ask.answered]
    found = _exact(waiting, evidence)
    if not found and len(waiting) == 1:
        found = _rewritten(waiting[0], evidence)
    is_last = len(found) == sum(not ask.answered for ask in asks)
    shows_dialog = evidence.said is not None and evidence.said.status == "waiting"
    is_explained = evidence.mates.is_asking or _has_just_closed(asks, evidence.now)
    if found and is_last and shows_dialog and not is_explained:
        # The registry says that somebody is asked: not everybody can have been answered. A lead may mean another mate.
        del found[max(found, key=lambda ask: ask.at)]
    return [ask.answer("its command runs", found[ask].began, INFERRED) if ask in found else ask for ask in asks]


def _has_just_closed(asks: list[Ask], now: float) -> bool:
    """Whether the registry may still show the dialog of somebody who was answered a moment ago."""
    return any(ask.kind == THEN and now - ask.answered_at < LAG_S for ask in asks)


def _shows_dialog(evidence: Evidence) -> bool:
    said = evidence.said or evidence.lead
    return said is not None and said.status == "waiting"


def _exact(waiting: list[Ask], evidence: Evidence) -> dict[Ask, Command]:
    """Requests whose very command runs; one that was allowed unasked and reads the same comes first."""
    unasked = _unasked(evidence, waiting)
    found: dict[Ask, Command] = {}
    for command in evidence.commands:
        mine = next((target for target in unasked if same_command(target, command.text)), None)
        if mine is not None and command.call not in {ask.call for ask in waiting if ask.call}:
            unasked.remove(mine)
            continue
        fits = [ask for ask in waiting if ask not in found and command.began + TICK_S >= _soonest(ask, evidence)]
        meant = [ask for ask in fits if same_command(ask.target, command.text) and command.call in ("", ask.call)]
        if meant:
            found[meant[0]] = command
    return found | _alike([ask for ask in waiting if ask not in found], evidence)


def _alike(waiting: list[Ask], evidence: Evidence) -> dict[Ask, Command]:
    """Equal requests of which nobody can say which one a command answers: all of them, once as many commands run."""
    found: dict[Ask, Command] = {}
    for ask in waiting:
        rivals = [one for one in waiting if one.target == ask.target and abs(one.at - ask.at) < AT_ONCE_S]
        ran = [one for one in evidence.commands if one.call == UNDECIDED and same_command(ask.target, one.text)]
        done = [one for fact in evidence.facts.values() for one in fact.done.values() if one.name == ask.name]
        over = [one for one in done if one.asked and abs(one.asked[1] - ask.at) < AT_ONCE_S]
        if ran and len(ran) - len(over) >= len(rivals):
            found[ask] = ran[-1]
    return found


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
    at_once = [one.agent for one in meant if first.asked and one.asked < first.asked + AT_ONCE_S]
    is_undecided = len(at_once) > 1 and not behind.isdisjoint(at_once)
    return command._replace(call=UNDECIDED if is_undecided else first.call)


def _meant(command: Command, facts: Mapping[str, Fact], taken: set[str]) -> list[_Meant]:
    calls = [(fact.agent, name, call) for fact in facts.values() for name, call in fact.calls.items()]
    calls = [(agent, name, c) for agent, name, c in calls if c.name == "Bash" and same_command(c.target, command.text)]
    begun = [
        _Meant(_tick(c.asked), 0.0 if c.asked else -_tick(c.began), name, agent)
        for agent, name, c in calls
        if name not in taken
    ]
    return _left_behind(command, facts, {call.digest for _, _, call in calls}) + sorted(begun)


def _left_behind(command: Command, facts: Mapping[str, Fact], digests: set[str]) -> list[_Meant]:
    """Equal calls that have ended since the command began: it may go on in the background."""
    ended = [(fact.agent, name, call) for fact in facts.values() for name, call in fact.done.items()]
    since = [one for one in ended if one[2].digest in digests and _tick(one[2].at) > command.began]
    return sorted(_Meant(_tick(call.asked), 0.0, name, agent) for agent, name, call in since)


def _rewritten(ask: Ask, evidence: Evidence) -> dict[Ask, Command]:
    """The one open request, where another command runs and nobody else could have started it.

    A hook may have changed the command on the way. Never against the registry, and never while a call may have
    begun, or have ended meanwhile, that explains the command.
    """
    if evidence.said is not None or evidence.lead is not None:
        return {}
    fits = [one for one in evidence.commands if one.began + TICK_S >= ask.at and evidence.now - one.began > SETTLED_S]
    others = _unasked(evidence, [ask])
    ended = [_tick(call.at) for fact in evidence.facts.values() for call in fact.done.values() if call.name == "Bash"]
    for command in fits:
        if not others and not any(at >= command.began for at in ended):
            return {ask: command}
    return {}


def _unasked(evidence: Evidence, asks: list[Ask]) -> list[str]:
    """Targets of the Bash calls that are under way and that nobody was asked for."""
    asked = {(ask.agent, ask.call) for ask in asks}
    calls = [(key, name, call) for key, fact in evidence.facts.items() for name, call in fact.calls.items()]
    return [c.target for key, name, c in calls if c.name == "Bash" and not c.asked and (key, name) not in asked]


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
