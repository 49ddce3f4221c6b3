"""Which sessions there are: from facts and registries, each with its process, its origin and its team."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract.paths import MAIN
from processes.identity import Identity
from processes.place import Place
from watcher.clients.base import Listed, Origin
from watcher.files.allowance import Share
from watcher.sessions.ends import ONLY_THE_ID
from watcher.sessions.session import Session
from watcher.sessions.workers import Workers
from watcher.teams.membership import Claim, leads, named_by
from watcher.teams.teams import NONE, PossibleLead, teams_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from contract.facts import Client, Fact
    from processes.table import Probe
    from watcher.clients.base import Entry, Member
    from watcher.files.allowance import Allowance


class Roster:
    def __init__(self, sources: frozenset[str], probe: Probe, allowance: Allowance) -> None:
        self._sources, self._probe, self._allowance = sources, probe, allowance
        self._sessions: dict[str, Session] = {}
        self._by_pid: dict[int, set[str]] = {}
        self._hosts: dict[str, int] = {}  # by session: the process that has it beside others
        self._natives: dict[str, set[str]] = {}  # by the client's own id: more than one if several processes have it
        self._origins: dict[str, tuple[int, Origin]] = {}
        self._listed: Mapping[str, tuple[Member, ...]] = {}  # by the client's folder: its own list of members
        self._claims: dict[str, Claim] = {}  # by session: what tells that it may be a teammate's
        self.teams = NONE
        self.workers = Workers()
        self.version = 0  # changes when a session comes, goes, or gets another process or name

    def __contains__(self, name: str) -> bool:
        return name in self._sessions

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._sessions.values()))

    def get(self, name: str) -> Session | None:
        return self._sessions.get(name)

    def pids(self) -> set[int]:
        """Of the clients."""
        return {pid for pid in self._by_pid if pid} | set(self._hosts.values())

    def take(self, name: str, facts: dict[str, Fact], listed: Listed, place: Place = Place.HERE) -> Session:
        """The session with what is known of it now."""
        session = self._sessions.get(name)
        if session is None:
            self.version += 1
            session = self._sessions[name] = Session(name, listed.adapter, self._sources, Share(self._allowance, name))
        before, native = self._own_pid(session), session.native_id
        are_here = place is Place.HERE and "process" in self._sources
        are_gone = are_here and self._are_of_a_dead_twin(facts, listed.entry)
        session.facts = {} if are_gone else _of_one_process(facts, listed.entry)
        if are_gone:
            session.disown(facts)
        session.place = place
        session.found_in(listed.folder, listed.entry)
        session.is_hosted = self.origin(session).hosts
        pid = self._own_pid(session)
        self._hosts.pop(name, None)
        if session.is_hosted and session.pid:
            self._hosts[name] = session.pid
        self.version += pid != before or session.native_id != native
        if pid != before:
            self._unlink_pid(before, name)
            self._by_pid.setdefault(pid or 0, set()).add(name)
        self._link_native_id(session, native)
        self.workers.take(name, session.main)
        return session

    def _are_of_a_dead_twin(self, facts: dict[str, Fact], entry: Entry | None) -> bool:
        """Whether they tell of another process, which had the session open when this one ran already."""
        main = facts.get(MAIN)
        client, last = (main.client, main.last) if main else (None, None)
        if entry is None or client is None or client.pid in (entry.pid, None) or last is None or last.at is None:
            return False
        began = proc.began if (proc := self._probe.process(entry.pid)) else last.at.boot
        return began < last.at.boot and self._probe.identity(client.pid, client.start) is Identity.GONE

    def _own_pid(self, session: Session) -> int | None:
        """Of a process that has one session at a time."""
        return session.pid if session.place is Place.HERE and not session.is_hosted else None

    def _link_native_id(self, session: Session, before: str) -> None:
        """Remember which sessions have the same id for the client."""
        self._natives.get(before, set()).discard(session.id)
        self._natives.setdefault(session.native_id, set()).add(session.id)

    def named(self, native: str) -> set[str]:
        """The sessions that the client calls so."""
        return self._natives.get(native, set())

    def twins(self, session: Session) -> list[Session]:
        """Other processes that have the same session open."""
        return [self._sessions[name] for name in self.named(session.native_id) if name != session.id]

    def _unlink_pid(self, pid: int | None, name: str) -> None:
        names = self._by_pid.get(pid or 0, set())
        names.discard(name)
        if not names:
            self._by_pid.pop(pid or 0, None)

    def forget(self, name: str) -> None:
        session = self._sessions.pop(name, None)
        self.version += 1
        self._claims.pop(name, None)
        self._origins.pop(name, None)
        self._hosts.pop(name, None)
        self._allowance.leave(name)
        self.workers.forget(name)
        if session:
            self._unlink_pid(self._own_pid(session), name)
            self._natives.get(session.native_id, set()).discard(name)

    def origin(self, session: Session) -> Origin:
        """Asked once for each process."""
        pid = session.local_pid
        if pid is None:
            return Origin()
        known = self._origins.get(session.id)
        if known is None or known[0] != pid or _is_not_its_program_yet(session, known[1]):
            known = self._origins[session.id] = (pid, session.adapter.origin(pid, self._probe))
        return known[1]

    def is_superseded(self, session: Session) -> bool:
        return self._present(session) is not session

    def _present(self, session: Session) -> Session:
        """A process has one session at a time: the registry says which, else the one begun last.

        The registry is the last to hear of a session that was cleared.
        """
        if self._own_pid(session) is None or session.pid is None:
            return session
        names = self._by_pid[session.pid]
        if names == {session.id}:
            return session
        rivals = [self._sessions[name] for name in names if name in self._sessions]
        named = [rival for rival in rivals if rival.entry and not rival.goodbye]
        return max(named or rivals, key=_begun)

    def of_process(self, session: Session) -> list[Session]:
        """All that its process has had, one after the other."""
        names = self._by_pid.get(pid, set()) if (pid := self._own_pid(session)) else set()
        return [sibling for name in sorted({session.id, *names}) if (sibling := self._sessions.get(name))]

    def take_along(self, session: Session) -> None:
        """With its process goes on what ran in the background of the sessions that this has left."""
        if session.main and session.main.ended is None:
            left = [sibling for sibling in self.of_process(session) if _has_gone_on(sibling, session)]
            earlier = [sibling.facts for sibling in sorted(left, key=_begun)]
            session.facts = session.carried.over(session.facts, earlier)

    def is_alone(self, session: Session) -> bool:
        """Whether no other session has a part in how it is judged."""
        if self.teams.concerns(session.id) or self._claim(session) or self.workers.relatives({session.id}):
            return False
        is_only_one = session.is_hosted or len(self._by_pid.get(session.pid or 0, ())) == 1
        return is_only_one and len(self._natives.get(session.native_id, ())) == 1

    def is_hidden(self, session: Session) -> bool:
        """A session of a program, not of a person; or of another client that runs the same hooks; or a teammate's.

        Or a worker's, which is shown below its dispatcher; or one that rests, and that no terminal shows any more. What
        was started through us is nobody's helper.
        """
        if session.main and session.main.registered:
            dispatcher = self._sessions.get(self.workers.dispatcher(session.id) or "")
            return dispatcher is not None and not dispatcher.is_over
        if session.entry and session.entry.is_left:
            return True
        origin = self.origin(session)
        if self.teams.of(session.id) or origin.program not in ("", session.adapter.name):
            return True
        return (origin.headless or session.adapter.is_scripted(session.entrypoint)) and origin.helper

    # --- teams

    def learn(self, listed: Mapping[str, tuple[Member, ...]]) -> None:
        """By the client's folder, the members that it lists."""
        if listed != self._listed:
            self._listed = listed
            self._claims = {session.id: claim for session in self if (claim := self._claim(session))}

    def group(self, names: set[str]) -> None:
        """Once all sessions are known that may lead. `names`: those that may have changed."""
        for name in names:
            session = self._sessions.get(name)
            self._claims.pop(name, None)
            if session and (claim := self._claim(session)):
                self._claims[name] = claim
        if self._claims or self.teams != NONE:
            possible = {session.id: PossibleLead(session.main, self._goes_on_as(session)) for session in self}
            self.teams = teams_of(self._claims, possible, self.teams)

    def _claim(self, session: Session) -> Claim | None:
        listed, main = self._listed.get(session.config, ()), session.main
        origin = self.origin(session)
        return Claim(session.adapter, origin, listed) if origin.lead or listed or (main and main.idles) else None

    def _goes_on_as(self, session: Session) -> str:
        """The session that its process has now; '' if that has ended: nobody would show its members."""
        present = self._present(session)
        return "" if present.is_over else present.id

    def leads(self, session: Session) -> bool:
        """Whether the idles that were told under its id are those of its members."""
        idle = session.main.idles[-1] if session.main and session.main.idles else None
        claim = Claim(session.adapter, members=self._listed.get(session.config, ()))
        return idle is not None and leads(session.id, session.main, named_by(idle), claim)

    def relatives(self, names: set[str]) -> list[str]:
        """These, others of their processes, their leads and members; members first: a lead is judged by them."""
        pids = {pid for name in names if (session := self._sessions.get(name)) and (pid := self._own_pid(session))}
        names = names.union(*(self._by_pid.get(pid, ()) for pid in pids))
        names = (names | self.teams.relatives(names) | self.workers.relatives(names)) & self._sessions.keys()
        return sorted(names, key=lambda name: (not self._is_below_another(name), name))

    def _is_below_another(self, name: str) -> bool:
        return self.teams.of(name) is not None or self.workers.dispatcher(name) is not None


def _of_one_process(facts: dict[str, Fact], entry: Entry | None) -> dict[str, Fact]:
    """Without sub-agents of an earlier process: they went with it. A copy, as what others change later is not ours.

    The registry may know of the process that goes on before its first hook tells.
    """
    main = facts.get(MAIN)
    client = main.client if main else None
    pid = entry.pid if entry else 0
    return {
        key: fact
        for key, fact in facts.items()
        if key == MAIN or fact.client is None or _is_of(fact.client, client, pid)
    }


def _is_of(spoke: Client, client: Client | None, pid: int) -> bool:
    """Whether an agent whose hooks named the process `spoke` is of the main agent's, and of the registry's."""
    return (client is None or spoke.is_process(client)) and pid in (spoke.pid, 0)


def _is_not_its_program_yet(session: Session, origin: Origin) -> bool:
    """What is started through us is registered before its process becomes the client."""
    is_registered = session.main is not None and session.main.registered is not None
    return is_registered and bool(session.adapter.name) and not origin.program


def _has_gone_on(left: Session, session: Session) -> bool:
    """Whether the process of one has left it for the other."""
    ended = left.main.ended if left.main else None
    if left is session or ended is None or ended.word not in ONLY_THE_ID or not left.client or not session.client:
        return False
    return left.client.is_process(session.client)


def _begun(session: Session) -> tuple[bool, float, float]:
    main = session.main
    if main is None:
        return (True, 0.0, 0.0)
    last = main.last.at.boot if main.last and main.last.at else 0.0
    return (main.ended is None, main.started.boot if main.started else last, last)
