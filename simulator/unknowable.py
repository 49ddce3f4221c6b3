"""What nobody can know: the one list of what the checker lets pass, each with its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from simulator.agent import FIRST
from simulator.client import KILLED, OVERTAKEN, STOPPED, UNSAID
from simulator.clients.doubts import (
    HANGING,
    HIDDEN,
    LEFT,
    LOST,
    QUEUED,
    REFUSED,
    UNBEGUN,
    UNLISTED,
    UNTOLD_YES,
    WHICH,
)
from simulator.mainagent import INBOX, NEWS, STOP_HOOK_THINKS, TYPED
from simulator.outlet import ITS_ASK, UNASKED, UNTOLD
from simulator.running import AMONG, APPROVED, HOOK_THINKS, WHOSE
from simulator.truth import ABSENT, NEEDS_APPROVAL, PROMPTLY, SHARED, WAITING, WORKING, Episode
from simulator.untold import FOLLOWS

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulator.program import Program
    from simulator.truth import Key, Truth


class Excuse(NamedTuple):
    """From here to there this agent may show this state."""

    name: str
    key: Key
    begin: float
    until: float
    states: tuple[str, ...]
    whose: bool = False


class Unknowable(NamedTuple):
    reason: str
    kind: str  # of the episode
    states: tuple[str, ...]  # that may be shown instead of the truth
    applies: Callable[[Program, Episode], bool]
    whose: bool = False  # it is known that somebody is asked, only not who: the session has no excuse

    def is_whose(self, program: Program, episode: Episode) -> bool:
        """A teammate in a pane has a session of its own, which nothing tells about."""
        return self.whose and program.registry and not episode.is_alone


def _never_told(program: Program, episode: Episode) -> bool:
    return not program.registry and (episode.detail != "Bash" or not program.processes)


UNKNOWABLE = {
    "escape before any output, or while Stop hooks run": Unknowable(
        "the client says nothing but in the registry, which is not there, or busy for as long as there are panes",
        FIRST,
        (WORKING,),
        lambda program, episode: not program.registry or bool(episode.detail),
    ),
    "approval that only its result tells of": Unknowable(
        "without the registry only a command's process shows that it may run, and other tools have none",
        APPROVED,
        (NEEDS_APPROVAL,),
        _never_told,
    ),
    "a hook of the user's own thinks about a request": Unknowable(
        "for an agent in the background the client opens no dialog until the hook has ended, which may answer itself",
        HOOK_THINKS,
        (WORKING, NEEDS_APPROVAL),
        lambda *_: True,
    ),
    "a Stop hook of the user's own thinks": Unknowable(
        "until it has ended nobody knows whether it sends the model back to work",
        STOP_HOOK_THINKS,
        (WAITING,),
        lambda *_: True,
    ),
    "a teammate's message lies in the inbox while its lead ends a turn": Unknowable(
        "the client says nothing of it, and may have read it in mid-turn; for a moment the lead has nothing to do",
        INBOX,
        (WAITING,),
        lambda *_: True,
    ),
    "without hooks, a sub-agent has ended and its parent has not heard of it": Unknowable(
        "the registry says idle between the two, and nothing else is written until the parent's turn begins",
        NEWS,
        (WAITING,),
        lambda *_: True,
    ),
    "without hooks, a prompt is put into the queue in the last moment of a turn": Unknowable(
        "the registry says idle between the two turns, and the line that tells of the prompt is not written yet",
        TYPED,
        (WAITING,),
        lambda *_: True,
    ),
    "the registry tells of a dialog before the hook tells whose it is": Unknowable(
        "for a moment it can only be shown on the main agent",
        WHOSE,
        (NEEDS_APPROVAL,),
        lambda program, _: program.registry,
    ),
    "two processes of one session, without registry or hooks, with teammates, or just seen": Unknowable(
        "both append to one transcript, no line says which of them wrote it, and busy may be said of a teammate",
        SHARED,
        (NEEDS_APPROVAL, WORKING, WAITING),
        lambda program, _: (
            not (program.registry and program.hooks)
            or program.has_mates
            or "restart" in {f.kind for f in program.faults}
        ),
    ),
    "one of several dialogs is answered": Unknowable(
        "the registry says waiting until the last one is; only a command tells which one it was, if they differ and a "
        "hook told of it",
        AMONG,
        (NEEDS_APPROVAL,),
        lambda program, episode: episode.detail != "Bash" or not (program.processes and program.hooks),  # or EQUAL
        whose=True,
    ),
    "a teammate's dialog follows another one in its lead": Unknowable(
        "no hook tells of it and the registry says waiting all along, so only time tells that it is not just behind",
        FOLLOWS,
        (WORKING, WAITING),
        lambda program, _: program.registry,
    ),
    "an answer in a lead is told before the registry is written": Unknowable(
        "until then a teammate's dialog may have been behind it, of which nothing tells, and it is shown on the lead",
        OVERTAKEN,
        (NEEDS_APPROVAL,),
        lambda program, _: program.registry,
        whose=True,
    ),
    "a stopped client where no process can be seen": Unknowable(
        "the client says nothing of it, and its registry entry stays as it was",
        STOPPED,
        (NEEDS_APPROVAL, WORKING),
        lambda program, _: not program.processes,
    ),
    "a client is stopped before it could tell of a request, or of its answer": Unknowable(
        "they are a moment older than Ctrl-Z, and nothing has told of them",
        UNSAID,
        (WAITING, NEEDS_APPROVAL),
        lambda *_: True,
    ),
    "a request was lost": Unknowable(
        "the registry says that somebody is asked, but not who",
        UNASKED,
        (WORKING,),
        lambda *_: True,
        whose=True,
    ),
    "a request was lost, and its client is stopped": Unknowable(
        "as above, and who does not ask is stopped with its client",
        UNASKED,
        (WAITING,),
        lambda program, _: any(deed.do == "stop" for deed in program.deeds),
        whose=True,
    ),
    "a sub-agent's request was lost, so it is the main agent's": Unknowable(
        "as above",
        ITS_ASK,
        (NEEDS_APPROVAL,),
        lambda *_: True,
        whose=True,
    ),
    "the start of an agent was lost": Unknowable(
        "it is not known before its own first call, and its parent seems to have nobody to wait for",
        UNTOLD,
        (WAITING, ABSENT),
        lambda *_: True,
    ),
    "another client: a hook was lost": Unknowable(
        "its hooks alone tell of it; the next turn tells anew how it stands",
        LOST,
        (NEEDS_APPROVAL, WORKING, WAITING, ABSENT),
        lambda *_: True,
    ),
    "another client: a session before its first prompt": Unknowable(
        "the client tells of a session, of one that is resumed too, with its first prompt only",
        UNBEGUN,
        (ABSENT,),
        lambda *_: True,
    ),
    "another client: a session that was left for another one": Unknowable(
        "the client tells of it with the first prompt of the other one only, or nobody says which terminal shows what",
        LEFT,
        (WAITING,),
        lambda program, episode: not episode.detail or any(deed.session != "a" for deed in program.deeds),
    ),
    "another client: between a turn and the prompt that waited for its end": Unknowable(
        "the client tells that the turn is over and that it rests, and nothing of the prompt before it begins; it "
        "tells one thing after the other, so of a short turn when that is over",
        QUEUED,
        (WAITING, WORKING),
        lambda *_: True,
    ),
    "another client: which of several requests is still open": Unknowable(
        "it runs nothing before all of them are answered, and tells of an answer when it runs; or nobody can say whose "
        "a command is",
        WHICH,
        (NEEDS_APPROVAL,),
        lambda *_: True,
    ),
    "another client: one of several calls was refused": Unknowable(
        "its result is told with those of the others, so until then it may be the one that seems to run",
        REFUSED,
        (WORKING,),
        lambda *_: True,
    ),
    "another client: a prompt was taken back, and the watcher begins": Unknowable(
        "that the file of events was cut has been seen by the watcher before only; the list of sessions may hang",
        HANGING,
        (WORKING,),
        lambda program, _: any(fault.kind == "restart" for fault in program.faults),
    ),
    "another client: a terminal has left its session, and another one is in its folder": Unknowable(
        "nobody says which terminal shows which session, so it may be the one that was used last; `docs/CLIENTS.md`",
        HIDDEN,
        (ABSENT,),
        lambda *_: True,
    ),
    "another client: a prompt was taken back": Unknowable(
        "its list alone tells that it rests, which may not have said yet that it works; when it leaves, the session "
        "goes from there a moment before its goodbye",
        UNLISTED,
        (WORKING,),
        lambda *_: True,
    ),
    "another client: an approval that only its result tells of": Unknowable(
        "only a command has a process, and other tools have none",
        UNTOLD_YES,
        (NEEDS_APPROVAL,),
        lambda *_: True,
    ),
    "a killed client where no process can be seen": Unknowable(
        "the client leaves everything behind as it was; resumed, its session may have two processes or one",
        KILLED,
        (NEEDS_APPROVAL, WORKING, WAITING),
        lambda program, _: not program.processes,
    ),
}


def excuses(program: Program, truth: Truth) -> list[Excuse]:
    return [
        Excuse(
            name,
            episode.key,
            episode.begin,
            episode.end + PROMPTLY,
            unknowable.states,
            unknowable.is_whose(program, episode),
        )
        for name, unknowable in UNKNOWABLE.items()
        for episode in truth.episodes
        if episode.kind == unknowable.kind and unknowable.applies(program, episode)
    ]
