"""One session: gathers its evidence and asks the law."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from contract import paths
from processes.identity import Identity
from processes.place import Place
from watcher.rules.evidence import SOURCES, Evidence, is_heard
from watcher.rules.law import resolve
from watcher.rules.turn import Turn
from watcher.rules.vocabulary import SHELL
from watcher.rules.wording import Material, session_status
from watcher.sessions.about import about
from watcher.sessions.carried import Carried
from watcher.sessions.client_process import ClientProcess
from watcher.sessions.judgement import Context, Judgement
from watcher.sessions.registry_reports import RegistryReports
from watcher.sessions.twins import own_turn
from watcher.teams.idles import mates_inside

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from contract.facts import Client, Fact, Mark
    from contract.status import SessionStatus
    from processes.helpers import Helper
    from processes.shells import Command
    from processes.table import Probe
    from watcher.clients.base import Adapter, Entry, Meta, Transcripts
    from watcher.clock import Clock
    from watcher.files.allowance import Share
    from watcher.rules.evidence import RegistryReport, Shown
    from watcher.rules.wording import Belonging

T = TypeVar("T")
SENT_BACK_S = 60.0  # so long a hook of the user's may think about the stop of a sub-agent
STRANGER_S = 1.0  # a process that began so long after a session's last sign is another one with its pid


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
    shown: tuple[Shown, ...] = ()  # its requests that its lead shows: its own hooks tell nothing of them
    doubts: tuple[str, ...] = ()  # what of its team could not be settled
    is_over: bool = False
    was_superseded: bool = False  # its process has gone on under another id
    place: Place = Place.HERE
    is_hosted: bool = False  # its process has other sessions beside it, and no terminal
    has_twin: bool = False  # another living process writes to the same transcript
    _alone: Turn = field(default_factory=Turn)  # as it stood when no other process did
    theirs: set[str] = field(default_factory=set)  # agents of another process that has the same session
    held: Mapping[str, float] = field(default_factory=dict)  # see `Evidence`
    is_blocked: bool = False  # somebody's request is open, as last judged
    reports: RegistryReports = field(default_factory=RegistryReports)
    carried: Carried = field(default_factory=Carried)
    _process: ClientProcess = field(default_factory=ClientProcess)
    _judgement: Judgement | None = None

    @property
    def native_id(self) -> str:
        """As the client calls it."""
        return (self.main.session if self.main else "") or (self.entry.session_id if self.entry else "") or self.id

    @property
    def main(self) -> Fact | None:
        return self.facts.get(paths.MAIN)

    @property
    def client(self) -> Client | None:
        main_first = (self.main, *self.facts.values())
        return next((fact.client for fact in main_first if fact and fact.client), None)

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
        through_lead = any(shown.tool == SHELL for shown in self.shown)
        return any(fact.asks for fact in facts) or any(call.asked or through_lead for call in calls)

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
        return Identity.GONE if self._is_stranger(pid, probe) else probe.identity(pid, self._process.start(pid, probe))

    def _is_stranger(self, pid: int, probe: Probe) -> bool:
        """Where the hook could not tell the start of its client: a later process has got its pid."""
        proc, last = (
            probe.process(pid),
            max((f.last.at for f in self.facts.values() if f.last and f.last.at), default=None),
        )
        return proc is not None and last is not None and proc.began > last.boot + STRANGER_S

    def evidence(self, now: float, clock: Clock, probe: Probe, *, headless: bool = False) -> Evidence:
        use = self.sources
        if "transcript" in use:
            self._follow(now, clock)
        metas = self._own(self.following.metas) if self.following else {}
        commands, helpers = self._children(now, probe)
        report = self.registry_report(now, clock)
        self._process.look(self.local_pid, now, probe)
        report, history = self.reports.while_asleep(report, self._process, now, self._ended_at)
        facts = dict(self.facts) if "hooks" in use else {}
        return Evidence(
            now=now,
            facts=facts,
            turns=self._turns(),
            metas=metas,
            parents=self._parents(metas),
            began=self._process.began(self.local_pid, probe) or self.reports.began(self._registered, now, clock),
            report=report,
            held=self.held,
            history=history,
            commands=commands,
            asks_first=self.adapter.asks_first,
            helpers=helpers,
            stopped_at=self._process.stopped_at,
            place=self.place,
            shown=self.shown,
            mates_inside=mates_inside(facts, metas, self.adapter),
            headless=headless,
        )

    @property
    def _ended_at(self) -> float:
        """When the main agent's last turn did, as hooks tell."""
        turn = self.main.turn if self.main else None
        return turn.ended.boot if turn and turn.ended else 0.0

    @property
    def _registered(self) -> Entry | None:
        return self.entry if "registry" in self.sources else None

    def registry_report(self, now: float, clock: Clock) -> RegistryReport | None:
        """What the registry tells of its process now."""
        return self.reports.read(self._registered, self._process, now, clock, is_here=self.place is Place.HERE)

    def _children(self, now: float, probe: Probe) -> tuple[tuple[Command, ...], tuple[Helper, ...] | None]:
        """Commands seen while somebody asks, and the client's other children; None if these are not known."""
        pid = self.local_pid
        if not self.is_asking or pid is None or self.is_hosted:  # a host's children are anybody's
            self._process.forget_children()
            return (), None
        over = {call for turn in self._turns().values() for call in turn.results}
        return self._process.children(pid, now, probe, adapter=self.adapter, facts=self.facts, over=over)

    def share_transcript(self, twins: Iterable[Session]) -> None:
        """With other processes that write to it. When they have ended, what they wrote is still not ours."""
        agents = [set(twin.facts) | twin.theirs for twin in twins]
        self.theirs.update(*agents)
        has_twin = bool(agents)
        if has_twin and not self.has_twin:
            known = self.following.main.turn if self.following and self._judgement else Turn()
            self._alone = replace(known, queue=())
        elif self.has_twin and not has_twin and self.following:
            self.following.main.turn = self._turns().get(paths.MAIN, Turn())
        self.has_twin = has_twin

    def disown(self, agents: Iterable[str]) -> None:
        """They were of another process, which is gone: the transcript tells of them, and never of their end."""
        self.theirs.update(agents)

    def _turns(self) -> Mapping[str, Turn]:
        """Of a transcript that another process writes to as well, only what is ours."""
        turns = self._own(self.following.turns) if self.following else {}
        if not self.has_twin or paths.MAIN not in turns:
            return turns
        return {**turns, paths.MAIN: own_turn(self._alone, turns[paths.MAIN])}

    def _own(self, by_agent: Mapping[str, T]) -> Mapping[str, T]:
        """Without the agents that only another process has told of, and those whose hooks told that they stopped."""
        others = self.theirs - set(self.facts) - {paths.MAIN}
        others |= self._stopped(sent_back=False) if self.agents_alive is not None else set()
        return {key: value for key, value in by_agent.items() if key not in others} if others else by_agent

    def judge(self, evidence: Evidence, clock: Clock, belonging: Belonging) -> SessionStatus:
        """As before, as long as that holds."""
        known, context = self._judgement, Context(self.entry, clock.offset, belonging)
        if known and known.holds(evidence, context):
            return known.status
        is_news = known is None or known.is_outdated(evidence, context)
        verdicts = resolve(evidence)
        self.is_blocked = any(verdict.rule == "approval-asked" for verdict in verdicts.values())
        # What has lapsed already must not be due again at once: the loop would spin.
        lapses = (verdict.until for verdict in verdicts.values() if verdict.until is not None)
        due = min((at for at in lapses if at > evidence.now), default=None)
        news_at = evidence.now if known is None or is_news else known.news_at
        status = session_status(Material(about(self, belonging), self.facts, verdicts, evidence, clock, self.status))
        self._judgement = Judgement(status, evidence, context, news_at, due)
        return status

    @property
    def status(self) -> SessionStatus | None:
        """As last judged; None before that, and of a session that is not shown any more."""
        return self._judgement.status if self._judgement else None

    def inherit(self, told: SessionStatus, now: float) -> None:
        """What an earlier watcher told last: it may have seen what nobody can see now."""
        self.held = {agent.key: now for agent in told.agents if agent.rule == "approval-asked"}

    def withdraw(self) -> None:
        self._judgement = None

    def is_settled(self, now: float, offset: float) -> bool:
        """Whether only something new could change the verdict, or minutes."""
        judged, main = self._judgement, self.main
        if judged is None or not judged.is_cold(now) or judged.context[:2] != (self.entry, offset):
            return False
        process = self._process
        is_still = process.stopped_at is None and now >= process.awake_from and not (main and main.ended)
        return is_still and self.place is Place.HERE and not self.has_twin and not self.is_asking

    @property
    def judged_at(self) -> float:
        return self._judgement.evidence.now if self._judgement else 0.0

    @property
    def due(self) -> float | None:
        """When to look again though nothing happens."""
        return self._judgement.due if self._judgement else None

    def _follow(self, now: float, clock: Clock) -> None:
        path = self.transcript
        if self.following is None and path:
            self.following = self.adapter.follow(self.native_id, self.config, path, self.share)
        elif self.following and path:
            self.following.told(path)
        if self.following:
            self.following.look(now, clock, self._followed(now))

    def _followed(self, now: float) -> set[str] | None:
        """Whose transcripts are read; None if these have to tell. Who has just stopped may be sent back to work."""
        alive = self.agents_alive
        if alive is None:
            return None
        lately = {key for key, fact in self.facts.items() if fact.stopped and now < fact.stopped.boot + SENT_BACK_S}
        return alive | lately | self._stopped(sent_back=True)

    def _stopped(self, *, sent_back: bool) -> set[str]:
        """Sub-agents that have stopped, as hooks tell, and by their transcripts were sent back to work, or not."""
        stops = {key: fact.stopped.boot for key, fact in self.facts.items() if fact.stopped}
        turns = self.following.turns if self.following and stops else {}
        return {key for key, at in stops.items() if (key in turns and turns[key].is_sent_back_since(at)) is sent_back}

    @property
    def agents_alive(self) -> set[str] | None:
        """As hooks tell; None if the transcripts have to."""
        # What another process writes to the same transcript says nothing about our hooks.
        turn = self.following.main.turn if self.following and not self.has_twin else None
        if "hooks" not in self.sources or not is_heard(self.main, turn):
            return None
        return {key for key, fact in self.facts.items() if not fact.stopped}

    @property
    def transcript(self) -> str:
        """Where it lies; '' if nothing tells."""
        path = self.main.transcript if self.main else ""
        if path or not self.entry:
            return path
        return self.adapter.transcript(self.config, self.entry.cwd, self.native_id)

    @property
    def config(self) -> str:
        """The client's folder, told by where its transcript lies."""
        return self._config or (self.adapter.folder_of(self.main.transcript) if self.main else "")

    _config: str = ""

    def found_in(self, config: str, entry: Entry | None) -> None:
        self._config, self.entry = config or self._config, entry

    def _parents(self, metas: Mapping[str, Meta]) -> dict[str, str]:
        """The agent whose call started it: as that one's facts tell, else the client's note on it, else main."""
        starters = {spawn.id: fact.agent for fact in self.facts.values() for spawn in fact.spawned}
        others = (set(self.facts) | set(metas)) - {paths.MAIN}
        return {key: starters.get(key) or (key in metas and metas[key].parent) or paths.MAIN for key in others}
