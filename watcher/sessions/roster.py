"""Which sessions there are: from facts and registries, each with its process, its origin and its team."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract.paths import MAIN
from processes.place import Place
from watcher.clients.base import Listed, Origin
from watcher.files.allowance import Share
from watcher.sessions.session import Session
from watcher.teams.membership import Membership, leads, membership

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from contract.facts import Client, Fact
    from processes.table import Probe
    from watcher.clients.base import Entry, Member
    from watcher.files.allowance import Purse


class Roster:
    def __init__(self, sources: frozenset[str], probe: Probe, purse: Purse) -> None:
        self._sources, self._probe, self._purse = sources, probe, purse
        self._sessions: dict[str, Session] = {}
        self._by_pid: dict[int, set[str]] = {}
        self._natives: dict[str, set[str]] = {}  # by the client's own id: more than one if several processes have it
        self._origins: dict[str, tuple[int, Origin]] = {}
        self._teams: dict[str, Membership] = {}  # by member
        self._members: dict[str, set[str]] = {}  # by lead
        self._rolls: dict[str, tuple[Member, ...]] = {}  # by the client's folder: its own list of members
        self._doubts: dict[str, str] = {}  # why a teammate is under no lead
        self.version = 0  # another one when a session came, went, or got another process or name

    def __contains__(self, name: str) -> bool:
        return name in self._sessions

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._sessions.values()))

    def get(self, name: str) -> Session | None:
        return self._sessions.get(name)

    def pids(self) -> set[int]:
        """Of the clients."""
        return {pid for pid in self._by_pid if pid}

    def take(self, name: str, facts: dict[str, Fact], listed: Listed, place: Place = Place.HERE) -> Session:
        """The session with what is known of it now."""
        session = self._sessions.get(name)
        if session is None:
            self.version += 1
            session = self._sessions[name] = Session(name, listed.adapter, self._sources, Share(self._purse, name))
        before, native = session.pid if session.place is Place.HERE else None, session.native_id
        session.facts = _of_one_process(facts, listed.entry)
        session.place = place
        session.found_in(listed.folder, listed.entry)
        pid = session.pid if place is Place.HERE else None
        self.version += pid != before or session.native_id != native
        if pid != before:
            self._part(before, name)
            self._by_pid.setdefault(pid or 0, set()).add(name)
        self._call(session, native)
        return session

    def _call(self, session: Session, before: str) -> None:
        """Remember which sessions have the same id for the client."""
        self._natives.get(before, set()).discard(session.id)
        self._natives.setdefault(session.native_id, set()).add(session.id)

    def named(self, native: str) -> set[str]:
        """The sessions that the client calls so."""
        return self._natives.get(native, set())

    def _part(self, pid: int | None, name: str) -> None:
        """The session and its process."""
        names = self._by_pid.get(pid or 0, set())
        names.discard(name)
        if not names:
            self._by_pid.pop(pid or 0, None)

    def forget(self, name: str) -> None:
        session = self._sessions.pop(name, None)
        self.version += 1
        self._origins.pop(name, None)
        self._purse.leave(name)
        if session:
            self._part(session.pid if session.place is Place.HERE else None, name)
            self._natives.get(session.native_id, set()).discard(name)
        self._leave_team(name)
        for member in self._members.pop(name, set()):
            self._teams.pop(member, None)
        self._doubts.pop(name, None)

    def origin(self, session: Session) -> Origin:
        """Asked once for each process."""
        pid = session.local_pid
        if pid is None:
            return Origin()
        known = self._origins.get(session.id)
        if known is None or known[0] != pid:
            known = self._origins[session.id] = (pid, session.adapter.origin(pid, self._probe))
        return known[1]

    def is_superseded(self, session: Session) -> bool:
        return self._present(session) is not session

    def _present(self, session: Session) -> Session:
        """A process has one session at a time: the registry says which, else the one begun last.

        The registry is the last to hear of a session that was cleared.
        """
        if session.pid is None or session.place is not Place.HERE:
            return session
        rivals = [self._sessions[name] for name in self._by_pid[session.pid] if name in self._sessions]
        named = [rival for rival in rivals if rival.entry and not rival.goodbye]
        return max(named or rivals, key=_begun)

    def of_process(self, session: Session) -> list[Session]:
        """All that its process has had, one after the other."""
        names = self._by_pid.get(session.pid or 0, set()) if session.place is Place.HERE else set()
        return [one for name in sorted({session.id, *names}) if (one := self._sessions.get(name))]

    def is_alone(self, session: Session) -> bool:
        """Whether no other session has a part in how it is judged."""
        name, pid, main = session.id, session.pid, session.main
        if name in self._teams or self._members.get(name) or self._doubts.get(name):
            return False
        if self._rolls.get(session.config) or (main and main.idles) or self.origin(session).lead:
            return False
        return len(self._by_pid.get(pid or 0, ())) == 1 and len(self._natives.get(session.native_id, ())) == 1

    def is_hidden(self, session: Session) -> bool:
        """A session of a program, not of a person; or of another client that runs the same hooks; or a teammate's."""
        origin = self.origin(session)
        if session.id in self._teams or origin.program not in ("", session.adapter.name):
            return True
        return session.entrypoint.startswith("sdk") and origin.helper

    # --- teams

    def team_of(self, name: str) -> Membership | None:
        return self._teams.get(name)

    def leads(self, session: Session) -> bool:
        """Whether the idles that were told under its id are those of its members."""
        idle = session.main.idles[-1] if session.main and session.main.idles else None
        rolls = self._rolls.get(session.config, ())
        return idle is not None and leads(session.id, session.main, idle.team, idle.word, rolls)

    def doubt(self, name: str) -> str:
        return self._doubts.get(name, "")

    def members(self, lead: str) -> Mapping[str, Membership]:
        return {name: self._teams[name] for name in self._members.get(lead, ())}

    def relatives(self, names: set[str]) -> list[str]:
        """These, others of their processes, their leads and members; members first: a lead is judged by them."""
        pids = {pid for name in names if (session := self._sessions.get(name)) and (pid := session.pid)}
        names = names.union(*(self._by_pid.get(pid, ()) for pid in pids))
        leads = {team.lead for name in names if (team := self._teams.get(name))} & set(self._sessions)
        members = {member for lead in names | leads for member in self._members.get(lead, ())}
        return sorted(names | leads | members, key=lambda name: (name not in self._teams, name))

    def call_roll(self, config: str, members: tuple[Member, ...]) -> None:
        self._rolls[config] = members

    def join_team(self, session: Session, members: tuple[Member, ...]) -> None:
        """Once all sessions are known that may be its lead. `members` are those that the client lists."""
        self._rolls[session.config] = members
        origin = self.origin(session)
        if not origin.lead and not members and not (session.main and session.main.idles):
            self._doubts.pop(session.id, None)
            return
        others = {name: one.main for name, one in self._sessions.items()}
        found, self._doubts[session.id] = membership(session.id, origin, session.main, others, members)
        found = self._led(found or self._teams.get(session.id))
        if found != self._teams.get(session.id):
            self._leave_team(session.id)
        if found:
            self._teams[session.id] = found
            self._members.setdefault(found.lead, set()).add(session.id)

    def _led(self, team: Membership | None) -> Membership | None:
        """By the session that its lead's process has now; None if that has ended: nobody would show its members."""
        lead = self._sessions.get(team.lead) if team else None
        present = self._present(lead) if lead else None
        return team._replace(lead=present.id) if team and present and not present.is_over else None

    def _leave_team(self, name: str) -> None:
        team = self._teams.pop(name, None)
        if team:
            self._members.get(team.lead, set()).discard(name)


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


def _is_of(its: Client, client: Client | None, pid: int) -> bool:
    return (client is None or its.is_process(client)) and pid in (its.pid, 0)


def _begun(session: Session) -> tuple[bool, float, float]:
    main = session.main
    if main is None:
        return (True, 0.0, 0.0)
    last = main.last.at[1] if main.last and main.last.at else 0.0
    return (main.ended is None, main.started[1] if main.started else last, last)
