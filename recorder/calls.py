"""Tool calls in flight: begun, asked for, ended; each known by its id, and before it has one by its input."""

from __future__ import annotations

from contract.clean import clean
from contract.facts import Call, Ended, Mark, Spawn, Turn, before
from contract.wire import canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from contract.facts import Fact, Stamp
    from recorder.change import Change

LONGEST_TARGET, TARGET_LENGTH = 400, 60
MOST_CALLS = 256
MOST_DATED = 8  # of those that have ended: every hook reads and writes them all
LATE_S = 10.0  # a hook that was started in time may be recorded so much later on a busy machine
MOST_LISTED = 64
TWICE_S = 0.1  # so soon nothing is asked, called or prompted again: two hook entries tell of the same
STARTS_AN_AGENT = "Agent"  # the call, by our own name for it


def identifier(told: Any) -> str:
    return told[:256] if isinstance(told, str) else ""


def open_turn(fact: Fact, change: Change, stamp: Stamp) -> None:
    """An agent that calls a tool is in a turn, whether or not its beginning was seen."""
    turn = fact.turn
    if turn is None or (turn.ended and not before(stamp, turn.ended)):
        fact.turn = Turn(id=identifier(change.turn), opened=stamp, prompted=stamp)


def begin(fact: Fact, change: Change, stamp: Stamp) -> None:
    call = _call(change, stamp)
    name = _own_name(change, call, stamp) if change.nameless else identifier(change.call)
    if not name or name in fact.done or (fact.turn and before(stamp, fact.turn.ended)):
        return
    open_turn(fact, change, stamp)
    known = fact.calls.get(name)
    if known:  # told twice, the second time perhaps after it was asked for
        call.began, call.asked = known.began, known.asked
    for ask in fact.asks:
        if ask.digest == call.digest and ask.name == call.name:
            call.asked = ask.asked
            fact.asks.remove(ask)
            break
    fact.calls[name] = call
    while len(fact.calls) > MOST_CALLS:
        del fact.calls[next(iter(fact.calls))]


def _own_name(change: Change, call: Call, stamp: Stamp) -> str:
    """Of a call that its client gives no id: a second hook entry tells of the same event, with the same moment."""
    moment = identifier(change.moment) or f"{stamp.boot:.6f}"
    return f"{moment} {call.digest}"


def ask(fact: Fact, change: Change, stamp: Stamp) -> None:
    asked = _call(change, stamp)
    asked.asked = stamp
    same = [ended for ended in fact.done.values() if ended.digest == asked.digest and ended.name == asked.name]
    if any(before(stamp, ended.at) and not _was_asked(ended, stamp) for ended in same):
        return
    if fact.turn and before(stamp, fact.turn.ended):
        return
    call = None if change.ahead else _pending(fact, asked, of_any_tool=change.nameless)
    is_known = change.ahead or (call is not None and call.digest == asked.digest)
    if not is_known and _has_just_ended(fact, asked, stamp):
        return  # told late: its call is over
    open_turn(fact, change, stamp)
    if call:
        call.asked = stamp
    else:
        fact.asks = [*fact.asks, asked][-MOST_LISTED:]


def _was_asked(ended: Ended, stamp: Stamp) -> bool:
    """Whether a call was asked for before, so that this request is for another."""
    return ended.asked is not None and stamp.boot - ended.asked.boot >= TWICE_S


def approve(fact: Fact, change: Change, stamp: Stamp) -> None:
    """The person has said yes, so the call runs: by its id, or if none is told, the first that fits."""
    name, same = identifier(change.call), _call(change, stamp)
    named = [call for key, call in fact.calls.items() if key == name]
    equal = [
        call for call in (*fact.calls.values(), *fact.asks) if (call.name, call.digest) == (same.name, same.digest)
    ]
    for call in (*named, *equal):
        if call.asked and not before(stamp, call.asked):
            call.asked = None
            break
    if change.settles and [call.name for call in fact.calls.values()].count(STARTS_AN_AGENT) <= 1:
        _settle(fact, stamp)
    fact.asks = [ask for ask in fact.asks if ask.asked]


def _settle(fact: Fact, stamp: Stamp) -> None:
    """Not where several sub-agents may ask under this name: what one of them runs says nothing of the others."""
    for call in (*fact.calls.values(), *fact.asks):
        if call.asked and not before(stamp, call.asked):
            call.asked = None


def _has_just_ended(fact: Fact, asked: Call, stamp: Stamp) -> bool:
    same = [ended.at for ended in fact.done.values() if (ended.name, ended.digest) == (asked.name, asked.digest)]
    return any(at and stamp.boot - at.boot < LATE_S for at in same)


def _pending(fact: Fact, asked: Call, *, of_any_tool: bool) -> Call | None:
    """The call that is meant: equal input, else the same tool and not asked for yet; of several the newest.

    The end of an earlier call may be told late, so the oldest of equal calls may be over already. `of_any_tool`: a
    client that names no calls may have another name for the tool, or none, when it asks.
    """
    same_tool = [call for call in fact.calls.values() if call.name == asked.name]
    same_tool = same_tool or (list(fact.calls.values()) if of_any_tool else [])
    equal = [call for call in same_tool if call.digest == asked.digest]
    fits = [call for call in equal or same_tool if not call.asked] or equal
    return max(fits, key=lambda call: call.began or (0.0, 0.0), default=None)


def finish(fact: Fact, change: Change, stamp: Stamp) -> None:
    call = fact.calls.get(_name_of(fact, change))
    _end_call(fact, change, stamp)
    if change.spawned is not None:
        _spawn(fact, change, change.spawned, call.began if call else None, stamp)


def spawn_late(fact: Fact, change: Change, stamp: Stamp) -> Fact | None:
    """Of an agent that has stopped: only whom it had launched, as that one goes on. None if it is nobody."""
    if change.kind != "call ended" or change.spawned is None:
        return None
    _spawn(fact, change, change.spawned, None, stamp)
    return fact


def deny(fact: Fact, change: Change, stamp: Stamp) -> None:
    _end_call(fact, change, stamp)
    fact.denied = Mark(at=stamp, word=clean(change.tool, 80))


def finish_batch(fact: Fact, change: Change, stamp: Stamp) -> None:
    told = change.calls
    # More than are remembered need not be looked at, unless we know that they began.
    known = [call for call in told[:-MOST_CALLS] if identifier(call.call) in fact.calls]
    for call in (*known, *told[-MOST_CALLS:]):
        _end_call(fact, call, stamp)
    if fact.turn and not before(stamp, fact.turn.queued):
        fact.turn.queued = None


def _end_call(fact: Fact, change: Change, stamp: Stamp) -> None:
    """By its id. Its input is taken from the beginning, as the client may fill in answers on the way."""
    name = _name_of(fact, change)
    known = fact.calls.pop(name, None)
    call = known or _call(change, stamp)
    if known is None and name not in fact.done:
        # Its beginning was not seen, so a request that no call fitted may have been for it.
        same = (call.name, call.digest)
        fact.asks = [ask for ask in fact.asks if (ask.name, ask.digest) != same or before(stamp, ask.asked)]
    if name:
        _remember(fact, name, call, stamp)
    if fact.turn is None:  # the first event we see, in the middle of a turn
        fact.turn = Turn(id=identifier(change.turn), opened=stamp, prompted=stamp)


def _name_of(fact: Fact, change: Change) -> str:
    """Of a call that has ended. Of several that nothing else tells apart, the first."""
    told = identifier(change.call)
    if told or not change.nameless:
        return told
    same_tool = {name: call.digest for name, call in fact.calls.items() if call.name == clean(change.tool, 80)}
    digest = _digest(change.given)
    equal = [name for name in same_tool if same_tool[name] == digest]
    # A hook of the user may have changed the input on the way.
    return next(iter(equal or same_tool), "")


def _remember(fact: Fact, name: str, call: Call, stamp: Stamp) -> None:
    if name not in fact.done:
        fact.done[name] = Ended(name=call.name, digest=call.digest, began=call.began, asked=call.asked, at=stamp)
        for older in list(fact.done.values())[-MOST_DATED - 1 : -MOST_DATED]:
            older.began = None
    while len(fact.done) > MOST_CALLS:
        del fact.done[next(iter(fact.done))]


def end_all(fact: Fact, stamp: Stamp) -> None:
    """The turn is over, so nothing that began before is still going on."""
    for name, call in fact.calls.items():
        if call.asked and not before(stamp, call.began):
            _remember(fact, name, call, stamp)  # its dialog may be shown for a moment longer
    fact.calls = {name: call for name, call in fact.calls.items() if before(stamp, call.began)}
    fact.asks = [ask for ask in fact.asks if before(stamp, ask.asked)]


def _spawn(fact: Fact, change: Change, told: dict[str, Any], began: Stamp | None, stamp: Stamp) -> None:
    made = Spawn(
        id=identifier(told.get("id")),
        call=identifier(change.call),
        name=clean(told.get("name"), 80),
        team=clean(told.get("team"), 80),
        type=clean(told.get("type"), 80),
        apart=told.get("apart") is True,
        quiet=told.get("quiet") is True,
        began=began,
        at=stamp,
    )
    fact.spawned = [*[s for s in fact.spawned if s.call != made.call], made][-MOST_LISTED:]


def _call(change: Change, stamp: Stamp) -> Call:
    return Call(name=clean(change.tool, 80), target=target(change.about), began=stamp, digest=_digest(change.given))


def _digest(given: Any) -> str:
    """Equal for equal inputs and one Python (3.11 has another hash than 3.10), too short to tell what the input was."""
    from _imp import source_hash  # noqa: PLC0415 - built in, where `zlib` would load two libraries

    return source_hash(0, canonical(given)).hex()


def target(word: Any) -> str:
    if not isinstance(word, str):
        return ""
    from contract.mask import mask  # noqa: PLC0415 - only calls have a target

    return clean(mask(word[:LONGEST_TARGET], TARGET_LENGTH), TARGET_LENGTH)
