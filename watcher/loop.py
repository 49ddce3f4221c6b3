"""One look at everything, or at what changed: gather, group, judge, publish."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from contract import machine, paths, store
from contract.observation import observe
from processes.place import Place, place_of
from processes.table import Probe
from watcher.clients.base import Listed
from watcher.clock import Clock
from watcher.files.allowance import Allowance
from watcher.files.facts import FactFiles
from watcher.files.folders import TranscriptFolders
from watcher.output.observations import Observations
from watcher.output.statuses import Publisher
from watcher.rules.evidence import SOURCES
from watcher.rules.wording import Belonging
from watcher.sessions.agenda import Agenda
from watcher.sessions.ends import how_it_ended, is_over, may_be_removed
from watcher.sessions.listings import Listings
from watcher.sessions.roster import Roster
from watcher.sessions.unchanged import Unchanged
from watcher.teams import team_evidence
from watcher.teams.nesting import nested

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from contract.facts import Fact
    from contract.status import SessionStatus
    from watcher.sessions.session import Session
    from watcher.teams.membership import Membership

log = logging.getLogger("yourturn")

POLL_S = 1.5
BEHIND_S = 0.01  # while there is more to read: others may run meanwhile
TEAM_S = 3600.0


class Watch:
    def __init__(
        self,
        home: str,
        env: Mapping[str, str],
        sources: frozenset[str] = SOURCES,
        *,
        clock: Clock | None = None,
        probe: Probe | None = None,
    ) -> None:
        """`clock` and `probe` are the seams to time and to the process table."""
        for folder in (paths.fact_dir(home), paths.status_dir(home)):
            store.private_folder(folder)
        self.home, self.sources, self._here = home, sources, machine.here()
        self.clock, self.probe = clock or Clock(), probe or Probe()
        self._facts, self._publisher = FactFiles(home), Publisher(home)
        self._allowance = Allowance()
        self._roster = Roster(sources, self.probe, self._allowance)
        self._unchanged = Unchanged(self._roster, self.probe)
        self._listings = Listings(env, self.probe, self.clock)
        self._polled_at = float("-inf")
        self._agenda = Agenda()
        self._unseen: set[str] = set()  # not to be judged before their transcripts were seen
        self.observations = Observations(home)
        self._inherited = self._publisher.inherited()
        self._transcripts = TranscriptFolders()
        self.folders: set[str] = set()  # where file events matter
        self._refresh_folders()

    # --- looking

    def look_at_all(self, *, is_told: bool = False) -> None:
        """The poll: it alone would be enough, file events only make it faster. `is_told`: that a process has ended."""
        now = self._polled_at = self._begin(is_poll=not is_told)
        told = self._facts.read()
        self._hear(told, now)
        changed = told | self._read_listings(now)
        known = self._known
        for session in self._roster:
            if session.id not in known:
                self._forget(session.id, now)
        listed = self._listings.members()
        self._roster.learn(listed)
        self._unchanged.begin(self.clock.offset, self._roster.version, listed, self._publisher.lost)
        unchanged = self._unchanged.as_before(known - changed, now)
        unchanged |= {name for name in known - changed - unchanged if self._is_unchanged(name, now)}
        self._update((known - unchanged) | self._agenda.longest_unjudged(unchanged, now), now)
        if not self._unseen:  # they stand as an earlier watcher told of them
            self._publisher.tidy()
        self._refresh_folders()

    def _is_unchanged(self, name: str, now: float) -> bool:
        session = self._roster.get(name)
        if session is None or session.status is None or self._agenda.is_pressed(name):
            return False
        return self._publisher.has_told(session.status) and self._unchanged.has(session, now, self.clock.offset)

    def look_at(self, changed: Iterable[str]) -> None:
        """These files changed."""
        now = self._begin()
        touched: set[str] = set()
        names = set()
        entries: dict[str, set[int]] = {}
        for path in changed:
            folder, _, name = path.rpartition("/")
            if folder == paths.fact_dir(self.home):
                names.add(name)
            elif listed := self._listings.concerned(path):
                config, pids = listed
                entries.setdefault(config, set()).update(pids)
            else:
                parts = (part.partition(".")[0] for part in path.split("/")[-5:])
                touched |= {name for part in parts for name in self._roster.named(part)}
                touched |= self._transcripts.sessions_of(path)
        if entries:
            touched |= self._read_listings(now, entries if all(entries.values()) else None)
        told = self._facts.read_some(names)
        self._hear(told, now)
        self._update(touched | told, now)

    def look_at_restless(self) -> None:
        """At those with whom something may have changed that no file tells of."""
        now = self._begin()
        listed = self._read_listings(now, {}) if self._listings.rest(self.clock.wall(now)) == 0 else set[str]()
        self._update({*self._agenda.restless(now), *self._allowance.waiting, *listed}, now)

    def rest(self, now: float) -> float:
        """How long to wait for a file to change before looking at the restless ones."""
        soon = [now + BEHIND_S] if self._allowance.waiting else []
        listed = self._listings.rest(self.clock.wall(now))
        soon += [] if listed is None else [now + max(listed, BEHIND_S)]
        return max(0.0, min([self._polled_at + POLL_S, *soon, *self._agenda.soonest(now)]) - now)

    def clients(self) -> set[int]:
        """The processes whose end would matter."""
        return self._roster.pids() if "process" in self.sources else set()

    def is_needed(self) -> bool:
        """There is a session to show, or a team whose members may come back; those not for ever."""
        return len(self._publisher) > 0 or self._has_open_team()

    def _has_open_team(self) -> bool:
        since = self._listings.team_open_since()
        return since is not None and self.clock.wall(self.clock.tick()) - since < TEAM_S

    def _hear(self, told: set[str], now: float) -> None:
        """The facts of these sessions changed."""
        for adapter in {self._listings.adapter_of(self._facts.sessions.get(name, {})) for name in told}:
            self._listings.heard(adapter, self.clock.wall(now))

    def _begin(self, *, is_poll: bool = False) -> float:
        self.probe.tick(is_poll=is_poll)
        self._allowance.begin()
        return self.clock.tick()

    @property
    def _known(self) -> set[str]:
        """All sessions that anything tells of."""
        return {*self._facts.sessions, *self._listings.sessions}

    def _is_known(self, name: str) -> bool:
        return name in self._facts.sessions or name in self._listings.sessions

    def _read_listings(self, now: float, some: Mapping[str, set[int]] | None = None) -> set[str]:
        """The sessions whose entry changed. `some`: by folder, the pids of the files that may have changed."""
        if "registry" not in self.sources:
            return set()
        elsewhere = {session.native_id: session.pid for session in self._roster if session.place is Place.ELSEWHERE}
        facts = self._facts.sessions, self._facts.version
        return self._listings.read(self.clock.wall(now), elsewhere, facts, some)

    def _refresh_folders(self) -> None:
        """Made anew only when another folder matters: those who watch them go by that."""
        if not self._transcripts.has_changed:
            return
        self._transcripts.has_changed = False
        for session in self._roster:
            self._listings.open(session.adapter, session.config)
        self.folders = {paths.fact_dir(self.home), *self._listings.watched, *self._transcripts.all()}

    # --- deciding

    def _update(self, names: set[str], now: float) -> None:
        """Gather, group, judge, publish."""
        self._gather(names, now)
        self._roster.learn(self._listings.members())
        self._roster.group(names)
        relatives = set(self._roster.relatives({name for name in names if self._is_known(name)}))
        self._unchanged.forget(names | relatives)
        # Ends first: who is left is judged without them, and those they led join whoever leads them now.
        self._each(self._end_if_over, relatives, now)
        self._roster.group(relatives)
        self._each(self._judge_and_publish, relatives, now)

    def _gather(self, names: set[str], now: float) -> None:
        for name in [name for name in names if not self._is_known(name)]:
            self._forget(name, now)
        taken = []
        for name in [name for name in names if self._is_known(name)]:
            facts = self._facts.sessions.get(name, {})
            listed = self._listings.refreshed(name, self.clock.wall(now)) or Listed(self._listings.adapter_of(facts))
            taken.append(self._roster.take(name, facts, listed, self._place(facts)))
        for session in taken:  # only now: each must find its twins, and those that its process has left, as they are
            session.share_transcript(self._roster.twins(session))
            self._roster.take_along(session)

    def _each(self, step: Callable[[Session, float], None], names: set[str], now: float) -> None:
        """One session's trouble is its own."""
        for name in self._roster.relatives({name for name in names if name in self._roster}):
            try:
                if left := self._roster.get(name):
                    step(left, now)
            except Exception:
                log.exception("session %s", paths.file_name(name))
                self._agenda.failed(name)

    def _place(self, facts: Mapping[str, Fact]) -> Place:
        client = next((fact.client for fact in facts.values() if fact.client), None)
        spoke_at = max((fact.last.at.wall for fact in facts.values() if fact.last and fact.last.at), default=0.0)
        return place_of(client, self._here, spoke_at, self.clock.wall(0.0)) if client else Place.HERE

    def _end_if_over(self, session: Session, now: float) -> None:
        session.is_over = is_over(session, self.probe, self.clock, now, self._listings)
        if session.is_over:
            self._end(session, now)

    def _judge_and_publish(self, session: Session, now: float) -> None:
        if session.is_over:
            return
        if self._roster.is_superseded(session):
            session.was_superseded = True
            self._withdraw(session, now)
        else:
            self._judge(session, now)

    def _judge(self, session: Session, now: float) -> None:
        session.shown = team_evidence.shown_for(session, self._roster)
        if (inherited := self._inherited.get(session.id)) and not session.held:
            session.inherit(inherited, now)
        seen = session.evidence(now, self.clock, self.probe, headless=self._roster.origin(session).headless)
        if session.status is None and session.following and session.following.is_unseen:
            self._unseen.add(session.id)
            return
        self._unseen.discard(session.id)
        evidence = team_evidence.with_team(session, seen, self._roster, self.clock)
        before, status = self._seen(session), session.judge(evidence, self.clock, self._belonging(session))
        shown = nested(status, self._members(session))
        self.observations.write(observe(before, status, self.clock.wall(now)))
        self.observations.stand(shown, self.clock.wall(now))
        self._publisher.tell(shown, now)
        self._agenda.judged(session)
        self._transcripts.follow(session.id, session.following)
        self._refresh_folders()

    def _belonging(self, session: Session) -> Belonging:
        team = self._roster.teams.of(session.id)
        return Belonging(self._roster.is_hidden(session), team.team if team else None, self._doubts(session))

    def _members(self, lead: Session) -> dict[str, tuple[Membership, SessionStatus]]:
        """Its teammates and workers that are shown, each with its status."""
        below = {**self._roster.teams.members(lead.id), **self._roster.workers.of(lead.id)}
        shown = [(name, team, mate.status) for name, team in below.items() if (mate := self._roster.get(name))]
        return {name: (team, status) for name, team, status in shown if status}

    def _doubts(self, session: Session) -> tuple[str, ...]:
        """What of its team cannot be settled; logged when it is new."""
        doubts = team_evidence.doubts(session, self._roster)
        for doubt in set(doubts) - set(session.doubts):
            log.info("%s", doubt)
        session.doubts = doubts
        return doubts

    def _seen(self, session: Session) -> SessionStatus | None:
        """As it stood at the last look, be it that of an earlier watcher."""
        return session.status or self._inherited.pop(session.id, None)

    def _end(self, session: Session, now: float) -> None:
        self._withdraw(session, now)
        if may_be_removed(session, self.probe, now):
            self._facts.remove(session.id)
            self._forget(session.id, now)

    def _withdraw(self, session: Session, now: float) -> None:
        self.observations.write(observe(self._seen(session), None, self.clock.wall(now), how_it_ended(session)))
        self.observations.gone(session.id, self.clock.wall(now))
        session.withdraw()
        self._unseen.discard(session.id)
        self._agenda.forget(session.id)
        self._transcripts.forget(session.id)
        self._publisher.withdraw(session.id)

    def _forget(self, name: str, now: float) -> None:
        session = self._roster.get(name)
        if session:
            self._withdraw(session, now)
        self._roster.forget(name)
