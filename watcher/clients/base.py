"""What the watcher asks of every client: one adapter for each, with the same names, and answers in our own words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from processes.process import Proc
    from processes.shells import Command
    from processes.table import Probe
    from watcher.clock import Clock
    from watcher.files.allowance import Share
    from watcher.files.tail import Mark
    from watcher.rules.turn import Turn


@dataclass(frozen=True, slots=True)
class Entry:
    """A running process, as the client itself lists it."""

    pid: int
    session_id: str
    cwd: str = ""
    proc_start: str | None = None
    status: str | None = None  # busy, idle, waiting, or what a later client says; None before the first prompt
    waiting_for: str | None = None
    asked: tuple[str, ...] | None = None  # who of its agents is; None where it does not tell
    asked_at: float = 0.0  # since when these are, at the earliest
    status_at: float | None = None  # seconds, wall clock
    started_at: float | None = None
    entrypoint: str | None = None
    title: str = ""  # what a person calls the session
    has_session: bool = True  # not of a process that serves others, or that was started ahead
    pane: str = ""  # of tmux, if it runs in one
    tells_dialogs: bool = True  # its status does; else it says busy while somebody is asked
    may_hang: bool = False  # it may go on to say busy when a person has interrupted
    shown_by: int = 0  # another process, in whose terminal it is shown; 0: itself, or it cannot be told
    is_unseen: bool = False  # it is known that no terminal shows it
    is_left: bool = False  # the same, and it rests: nobody's turn


class Meta(NamedTuple):
    """The client's own note on a sub-agent."""

    type: str = ""
    call_id: str = ""  # the parent's call that started it
    over: bool = False  # finished or stopped; a message may wake it again
    parent: str = ""  # the sub-agent that started it; '' if main did
    name: str = ""  # of a teammate


class Member(NamedTuple):
    """A member of a team, as the client lists it."""

    name: str
    lead: str  # session
    team: str
    pane: str  # of tmux; '' for one in the lead's own process
    active: bool


class MateRequest(NamedTuple):
    """A teammate's request that its lead shows."""

    member: str  # its name
    tool: str


class Origin(NamedTuple):
    """Where a process comes from."""

    program: str = ""  # '' if it is no agent program that we know
    helper: bool = False  # started by another agent, or by no terminal
    member: str = ""  # its name, if it is a teammate in a pane of its own
    team: str = ""
    lead: str = ""  # the session that started it
    headless: bool = False  # started so that it can ask nobody
    hosts: bool = False  # it has many sessions at a time, and none is in its own terminal
    arguments: tuple[str, ...] = ()  # what it was called with


class Main(Protocol):
    """The main agent's transcript."""

    turn: Turn


class Transcripts(Protocol):
    """Everything a client writes about one session while it goes on."""

    metas: dict[str, Meta]  # by sub-agent

    @property
    def main(self) -> Main: ...
    @property
    def turns(self) -> dict[str, Turn]: ...
    @property
    def folders(self) -> set[str]: ...  # where something new may appear
    @property
    def files(self) -> set[str]: ...  # those of them whose paths do not name the session
    @property
    def is_unseen(self) -> bool: ...  # there is something, and nothing of it has been read yet
    def told(self, path: str) -> None: ...  # where the client says now that it writes the main agent's
    def look(self, now: float, clock: Clock, live: Collection[str] | None) -> None: ...
    def is_unchanged(self, now: float, live: Collection[str] | None) -> bool: ...
    def mark(self, live: Collection[str] | None) -> Mark | None: ...  # if that alone tells whether it is unchanged


class Folder(Protocol):
    """A folder in which a client keeps what it tells about itself. A person may have several."""

    @property
    def watched(self) -> set[str]: ...  # folders whose file events matter
    @property
    def complete_at(self) -> float: ...  # when it last listed every session of a host (wall clock); 0: never
    def heard(self, now: float) -> None: ...  # a hook of this client has told something
    def rest(self, now: float) -> float | None: ...  # seconds until it may list others, though no file tells
    def concerns(self, path: str) -> set[int] | None: ...  # processes; none of them: any; None: not this list
    def entries(
        self, now: float, elsewhere: Mapping[str, int | None], changed: Iterable[int] | None = None
    ) -> tuple[Entry, ...]: ...
    def refresh(self, known: Entry, now: float) -> Entry | None: ...  # None: nothing newer
    def members(self) -> tuple[Member, ...]: ...
    def team_open_since(self) -> float | None: ...


class Adapter(Protocol):
    """One client."""

    @property
    def name(self) -> str: ...  # as facts, and the table of programs, have it
    @property
    def asks_first(self) -> bool: ...  # an agent runs nothing before a person has answered all that it asked for
    def default_folder(self, env: Mapping[str, str]) -> str: ...
    def folder_of(self, transcript: str) -> str: ...
    def open(self, folder: str, probe: Probe, clock: Clock) -> Folder: ...
    def transcript(self, folder: str, cwd: str, session: str) -> str: ...
    def follow(self, session: str, folder: str, path: str, share: Share | None) -> Transcripts: ...
    def origin(self, pid: int, probe: Probe) -> Origin: ...
    def commands(self, children: Iterable[Proc], pid: int) -> tuple[Command, ...]: ...  # of its shell tool
    def is_scripted(self, entrypoint: str) -> bool: ...  # whether a program started it, by its own word
    def mate_request(self, words: str) -> MateRequest | None: ...  # `words`: of a notification in a lead's fact
    def is_mate(self, agent: str, name: str) -> bool: ...  # whether an agent's id is that of a teammate of this name
    def implicit_team(self, lead: str) -> str: ...  # the team that a session leads without having been told to
    def implicit_lead(self, team: str) -> str | None: ...  # how the id of its lead begins; None: it is not implicit


class Listed(NamedTuple):
    """A session as its client lists it."""

    adapter: Adapter
    folder: str = ""  # '' if it does not list it
    entry: Entry | None = None
