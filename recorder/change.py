"""What a client says has happened, in our own words: which session and agent, what, and the details of that.

A client's file translates its payloads into these. Values are as the client gave them, of any type: they are checked
and cleaned where they are kept, so that no client's file can forget to.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    # `recorder.changes.CHANGES` says what each of them does to a fact.
    Kind = Literal[
        "session started", "prompted", "call began", "asked", "approved", "denied", "call ended", "batch ended",
        "note", "question", "answer", "agent started", "agent stopped", "turn ended", "turn failed", "at rest",
        "idle", "compacting", "compacted", "session ended",
    ]  # fmt: skip


class Change:
    client: str = ""  # its name in `recorder.clients`
    process: tuple[str, str, bool] = ("", "", False)  # what it says of its own process
    kind: Kind
    event: Any = ""  # the client's own word for it
    session: Any = ""
    agent: Any = "main"  # or the sub-agent's id
    type: Any = ""  # of the agent
    cwd: Any = ""
    mode: Any = ""  # the permission mode
    transcript: Any = ""  # the agent's own one
    turn: Any = ""  # the turn's id
    inner: bool = False  # it may be of an agent that the client runs for itself: that one is nobody's row
    # session started: by what (startup, resume, clear, fork; else it goes on as before, after a compaction)
    source: Any = ""
    # prompted: whether the client has woken the agent, not a person, and which task's end it was told of
    machine: bool = False
    once: bool = False  # prompted: its turn has an id of its own, so one that is told again is the same
    heard: Any = ""
    # call began, asked, approved, denied, call ended: its id if it is told, the tool, its whole input; before it has
    # ended, what of the input says in a word what it is about
    call: Any = ""
    ahead: bool = False  # asked: its call has not begun, and the client waits for the hook, so it is not told late
    awaited: bool = False  # call began, asked: the client waits for the hook, so it is not told late
    settles: bool = False  # approved: whatever else was asked for before is answered, too
    nameless: bool = False  # the client gives its calls no ids: moment, tool and input tell them apart
    moment: Any = ""  # call began, where it has no id: when the client has told of it
    tool: Any = ""
    given: Any = None
    about: Any = None
    # call ended: the agent that it started, with id, name, team, type, whether it may have a session of
    # its own, and whether its end wakes nobody
    spawned: dict[str, Any] | None = None
    # batch ended: each call in it
    calls: tuple[Change, ...] = ()
    # turn ended, turn failed, agent stopped: what runs in the background (id, type, status, agent_type), what will
    # wake the agent (id, schedule, recurring); no list means that nothing is said about it
    tasks: Any = None
    crons: Any = None
    # session started, prompted, at rest, where the client does not wait for the hook: the second of the minute in which
    # it has said so
    said: float | None = None
    final: bool = False  # turn ended: by a person
    error: Any = ""  # turn failed
    note: Any = ""  # note: of which type
    word: Any = ""  # note: what it says; question, answer: who asks; idle: who; session ended: why
    team: Any = ""  # idle
    by_hand: bool = False  # compacting: a person asked for it

    def __init__(self, kind: Kind, **told: Any) -> None:
        told["kind"] = kind
        self.__dict__ = told  # every hook makes one: to set attribute by attribute takes five times as long


def about(targets: dict[str, str], tool: Any, given: Any) -> Any:
    """What of the input says in a word what a call is about. `targets`: by tool, the key of it."""
    key = targets.get(tool) if isinstance(tool, str) else None
    word = given.get(key) if key and isinstance(given, dict) else None
    return word.rsplit("/", 1)[-1] if isinstance(word, str) and key and key.endswith("_path") else word


def second(timestamp: Any) -> float | None:
    """Of the minute, in `2026-11-16T09:48:59.080Z`."""
    try:
        return float(timestamp[17:23])
    except (TypeError, ValueError, KeyError):  # of a dict, by the version of Python
        return None
