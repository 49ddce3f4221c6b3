"""One session: gathers its evidence and asks the law."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from contract import machine, paths
from processes.helpers import Helpers
from processes.identity import Identity
from processes.place import Place
from processes.shells import commands
from watcher.rules.commands_seen import first_seen
from watcher.rules.dialogs import heard as with_word
from watcher.rules.evidence import SOURCES, Evidence, is_heard, said
from watcher.rules.law import resolve
from watcher.rules.turn import Turn
from watcher.rules.wording import About, Material, session_status
from watcher.sessions.judged import Judged

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract.facts import Client, Fact, Mark
    from contract.status import SessionStatus
    from processes.helpers import Helper
    from processes.shells import Command
    from processes.table import Probe
    from watcher.clients.base import Adapter, Entry, Meta, Transcripts
    from watcher.clock import Clock
    from watcher.files.allowance import Share
    from watcher.rules.dialogs import Word
    from watcher.rules.evidence import Said

AWAKE_S = 2.0
BEGINS_S = 0.3  # a client may have been at work so long when it writes down that it has begun
STRANGER_S = 1.0  # a process that began so long after a session's last sign is not the one that spoke


@dataclass
class Session:
    """What is remembered of a session between two looks: of one process that has it open."""

    id: str  # the client's own, unless two living processes have it open
    adapter: Adapter  # of its client
    sources: frozenset[str] = SOURCES
    share: Share | None = None  # of what may be read of transcripts in one look
    facts: dict[str, Fact] = field(default_factory=dict)
    entry: Entry | None = None
    following: Transcripts | None = None
    status: SessionStatus | None = None
    asks_through_lead: bool = False  # its own hooks tell nothing of that
    mates_asked_at: float = 0.0  # when a teammate was last seen to ask through this one, or to be answered
    _mates_ask: bool = False
    doubts: tuple[str, ...] = ()  # what of its team could not be settled
    is_over: bool = False
    was_superseded: bool = False  # its process has gone on under another id
    place: Place = Place.HERE
    has_twin: bool = False  # another living process writes to the same transcript
    _alone: Turn = field(default_factory=Turn)  # as it stood when no other process did
    is_blocked: bool = False  # somebody's request is open, as last judged
    _stopped_at: float | None = None
    _slept_at: float = 0.0  # when it was last stopped: what it had said holds until then
    _awake_from: float = 0.0  # from when on a client that was stopped keeps its registry up to date again
    _heard: tuple[object, Said | None] | None = None  # of the registry, as first read
    history: tuple[Word, ...] = ()  # what it said before that
    start: tuple[int, str | None] | None = None  # of the client's process, where the hook could not tell
    _born: tuple[int, float] | None = None
    _judged: Judged | None = None
    _commands: dict[tuple[int, str], Command] = field(default_factory=dict)
    _helpers: Helpers = field(default_factory=Helpers)

    @property
    def native_id(self) -> str:
        """As the client calls it."""
        return (self.main.session if self.main else "") or (self.entry.session_id if self.entry else "") or self.id

    @property
    def main(self) -> Fact | None:
        return self.facts.get(paths.MAIN)

    @property
    def client(self) -> Client | None:
        return next((fact.client for fact in self._main_first if fact.client), None)

    @property
    def pid(self) -> int | None:
        if self.entry:
            return self.entry.pid
        return self.client.pid if self.client else None

    @property
    def goodbye(self) -> Mark | None:
        """The end of its id or of its process, as that told it; not of another process that has it open now."""
        ended = self.main.ended if self.main else None
        is_of_another = self.entry and self.client and self.entry.pid != self.client.pid
        return None if is_of_another else ended

    @property
    def local_pid(self) -> int | None:
        """None where its pid means nothing, or a stranger."""
        return self.pid if self.place is Place.HERE and "process" in self.sources else None

    @property
    def entrypoint(self) -> str:
        return (self.client.entrypoint if self.client else "") or (self.entry.entrypoint if self.entry else "") or ""

    @property
    def is_asking(self) -> bool:
        """Whether somebody asked, answered or not. A teammate may ask through its lead."""
        facts = [fact for fact in self.facts.values() if not fact.stopped]
        calls = [call for fact in facts for call in fact.calls.values()]
        return any(fact.asks for fact in facts) or any(call.asked or self.asks_through_lead for call in calls)

    @property
    def is_pressed(self) -> bool:
        """Whether an answer may come any moment that no file tells of."""
        return self.is_blocked and self.local_pid is not None

    def identity(self, probe: Probe) -> Identity:
        """Of its process. Without a process to look at, nothing is proven."""
        if self.place is Place.BEFORE:
            return Identity.GONE
        pid = self.local_pid
        if pid is None:
            return Identity.UNKNOWN
        if self.entry and self.entry.proc_start:
            return probe.identity(pid, self.entry.proc_start)
        if self.client and self.client.start:
            return probe.identity(pid, self.client.start)
        return Identity.GONE if self._is_stranger(pid, probe) else probe.identity(pid, self._start_of(pid, probe))

    def _is_stranger(self, pid: int, probe: Probe) -> bool:
        """Where the hook could not tell the start of its client: a later process has got its pid."""
        proc, last = probe.one(pid), max((f.last.at for f in self.facts.values() if f.last and f.last.at), default=None)
        return proc is not None and last is not None and proc.began > last[1] + STRANGER_S

    def _start_of(self, pid: int, probe: Probe) -> str | None:
        """Asked once for each process."""
        if self.start is None or self.start[0] != pid or not self.start[1]:
            self.start = (pid, probe.start_of(pid))
        return self.start[1]

    def evidence(self, now: float, clock: Clock, probe: Probe) -> Evidence:
        use = self.sources
        if "transcript" in use:
            self._follow(now, clock)
        following = self.following
        seen, helpers = self._children(now, probe)
        heard, stopped_at = self.hear(now, clock), self._stopped(now, probe)
        history = self.history
        if heard and heard.status != "waiting" and (now < self._awake_from or heard.at < self._slept_at):
            # Nobody has kept it up to date since; but a dialog stays until it is answered.
            history = with_word(history, heard, self._slept_at)
            heard = replace(heard, is_now=False, slept_at=self._slept_at)
        return Evidence(
            now=now,
            facts=dict(self.facts) if "hooks" in use else {},
            turns=self._turns(),
            metas=following.metas if following else {},
            parents=self._parents(following.metas if following else {}),
            began=self._began(probe) or self._registered(now, clock),
            said=heard,
            history=history,
            commands=seen,
            helpers=helpers,
            stopped_at=stopped_at,
            place=self.place,
        )

    def hear(self, now: float, clock: Clock) -> Said | None:
        """What the registry says of it. Dated once, when it is first read: the wall clock may be set later."""
        entry = self.entry if "registry" in self.sources else None
        told = (entry.pid, entry.status, entry.waiting_for, entry.status_at) if entry else None
        if entry is None or self._heard is None or self._heard[0] != told:
            found = said(entry, clock, now, is_now=self.place is Place.HERE) if entry else None
            before = self._heard[1] if self._heard else None
            if before:
                until = found.at if found else now
                until = min(until, self._slept_at) if now < self._awake_from else until
                self.history = with_word(self.history, before, until)
            self._heard = (told, found)
        return self._heard[1]

    def note_mates(self, now: float, *, is_asking: bool) -> None:
        """Whether a teammate asks through this one."""
        self.mates_asked_at = now if is_asking or self._mates_ask else self.mates_asked_at
        self._mates_ask = is_asking

    def share_transcript(self, has_twin: bool) -> None:
        """Whether another process writes to it. When that has ended, what it wrote is still not ours."""
        if has_twin and not self.has_twin:
            known = self.following.main.turn if self.following and self._judged else Turn()
            self._alone = replace(known, queue=())
        elif self.has_twin and not has_twin and self.following:
            self.following.main.turn = self._turns().get(paths.MAIN, Turn())
        self.has_twin = has_twin

    def _turns(self) -> Mapping[str, Turn]:
        """Of a transcript that two processes write to, only the ends of calls and tasks say whose they are.

        The one that resumed it also writes that the other's open calls are lost: they are not.
        """
        turns = self.following.turns if self.following else {}
        if not self.has_twin or paths.MAIN not in turns:
            return turns
        both = turns[paths.MAIN]
        results = {key: one for key, one in both.results.items() if one.denied != "lost"}
        calls = {key: call for key, call in self._alone.calls.items() if key not in results}
        mine = replace(self._alone, calls=calls, results=results, tasks=both.tasks, finished=both.finished)
        mine = replace(mine, agents_left=both.agents_left, workflows_left=both.workflows_left)
        # A command of the client's own is seldom run in both at once, and nothing else would tell of its end.
        return {**turns, paths.MAIN: replace(mine, compacted_at=both.compacted_at, local_at=both.local_at)}

    def _began(self, probe: Probe) -> float:
        """When the client's process did, asked once for each."""
        pid = self.local_pid
        if pid is None:
            return 0.0
        if self._born is None or self._born[0] != pid:
            client = probe.one(pid)
            self._born = (pid, client.began if client else 0.0)
        return self._born[1]

    def _registered(self, now: float, clock: Clock) -> float:
        """The same as the client says it, where its process cannot be seen; 0 if it does not."""
        at = self.entry.started_at if self.entry and "registry" in self.sources else None
        return max(0.0, min(clock.since_boot(at, now), now) - BEGINS_S) if at is not None else 0.0

    def _stopped(self, now: float, probe: Probe) -> float | None:
        """Since when its process has been seen to do nothing, by Ctrl-Z for instance."""
        pid = self.local_pid
        proc = probe.one(pid) if pid is not None else None
        is_stopped = proc is not None and proc.stopped
        self._stopped_at = (self._stopped_at or now) if is_stopped else None
        if is_stopped:
            self._slept_at, self._awake_from = self._stopped_at or now, now + AWAKE_S
        return self._stopped_at

    def _children(self, now: float, probe: Probe) -> tuple[tuple[Command, ...], tuple[Helper, ...] | None]:
        """Commands seen while somebody asks, and the client's other children; None if these are not known.

        A command that has ended meanwhile was approved all the same.
        """
        pid = self.local_pid
        if not self.is_asking or pid is None:
            self._commands, self._helpers = {}, Helpers()
            return (), None
        children = probe.children(pid)
        found = commands(children, pid)
        over = {call for turn in self._turns().values() for call in turn.results}
        for one in found:
            if (one.pid, one.start) not in self._commands:
                self._commands[one.pid, one.start] = first_seen(one, self.facts, self._commands.values(), over)
        running = {one.pid for one in found}
        others = (child for child in children if child.pid not in running)
        return tuple(self._commands.values()), self._helpers.look(others, now)

    def judge(self, evidence: Evidence, clock: Clock) -> SessionStatus:
        """As before, as long as that holds."""
        known, beside = self._judged, (self.entry, clock.offset)
        if known and known.holds(evidence, beside):
            return known.status
        is_news = known is None or known.is_outdated(evidence, beside)
        verdicts = resolve(evidence)
        self.is_blocked = any(verdict.rule == "approval-asked" for verdict in verdicts.values())
        # What has lapsed already must not be due again at once: the loop would spin.
        lapses = (verdict.until for verdict in verdicts.values() if verdict.until is not None)
        due = min((at for at in lapses if at > evidence.now), default=None)
        news_at = evidence.now if known is None or is_news else known.news_at
        status = session_status(Material(self._about, self.facts, verdicts, evidence, clock, self.status))
        self._judged = Judged(status, evidence, beside, news_at, due)
        return self._judged.status

    def is_settled(self, now: float, offset: float) -> bool:
        """Whether only something new could change the verdict, or minutes."""
        judged, main = self._judged, self.main
        if judged is None or not judged.is_cold(now) or judged.beside != (self.entry, offset):
            return False
        is_still = self._stopped_at is None and now >= self._awake_from and not (main and main.ended)
        return is_still and self.place is Place.HERE and not self.has_twin and not self.is_asking

    @property
    def judged_at(self) -> float:
        return self._judged.evidence.now if self._judged else 0.0

    @property
    def due(self) -> float | None:
        """When to look again though nothing happens."""
        return self._judged.due if self._judged else None

    def _follow(self, now: float, clock: Clock) -> None:
        path = self._transcript()
        if self.following is None and path:
            self.following = self.adapter.follow(self.native_id, self.config, path, self.share)
        if self.following:
            self.following.look(now, clock, self.agents_alive)

    @property
    def agents_alive(self) -> set[str] | None:
        """As hooks tell; None if the transcripts have to."""
        # What another process writes to the same transcript says nothing about our hooks.
        turn = self.following.main.turn if self.following and not self.has_twin else None
        if "hooks" not in self.sources or not is_heard(self.main, turn):
            return None
        return {key for key, fact in self.facts.items() if not fact.stopped}

    def _transcript(self) -> str:
        found = next((fact.transcript for fact in self._main_first if fact.agent == paths.MAIN), "")
        if found or not self.entry:
            return found
        return self.adapter.transcript(self.config, self.entry.cwd, self.native_id)

    @property
    def config(self) -> str:
        """The client's folder, told by where its transcript lies."""
        return self._config or (self.adapter.folder_of(self.main.transcript) if self.main else "")

    _config: str = ""

    def found_in(self, config: str, entry: Entry | None) -> None:
        self._config, self.entry = config or self._config, entry

    @property
    def _main_first(self) -> list[Fact]:
        return sorted(self.facts.values(), key=lambda fact: fact.agent != paths.MAIN)

    # --- what it is called, and where it runs

    @property
    def _about(self) -> About:
        return About(self.id, self._name(), self._cwd, self.pid, self.entrypoint, self._transcript(), self._terminal())

    @property
    def _cwd(self) -> str:
        return (self.main.cwd if self.main else "") or (self.entry.cwd if self.entry else "")

    def _name(self) -> str:
        name = (self.entry.title if self.entry else "") or self._cwd.rstrip("/").rpartition("/")[2] or self.id[:8]
        host = self.client.host if self.client and self.place is Place.ELSEWHERE else ""
        return f"{name}@{host}" if host and host != machine.here()[0] else name

    def _terminal(self) -> dict[str, str]:
        """As the hook found it; of a session without hooks the client itself names its pane."""
        if self.main and self.main.terminal:
            return dict(self.main.terminal)
        return {"TMUX_PANE": self.entry.pane} if self.entry and self.entry.pane else {}

    def _parents(self, metas: Mapping[str, Meta]) -> dict[str, str]:
        """The agent whose call started it: as that one's facts tell, else the client's note on it, else main."""
        told = {spawn.id: fact.agent for fact in self.facts.values() for spawn in fact.spawned}
        others = (set(self.facts) | set(metas)) - {paths.MAIN}
        return {key: told.get(key) or (key in metas and metas[key].parent) or paths.MAIN for key in others}
