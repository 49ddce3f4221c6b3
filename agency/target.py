"""Which agent a word on the command line means, with the fact that tells of its process."""

from __future__ import annotations

import shlex
import time
from typing import TYPE_CHECKING, NamedTuple

from agency.outcome import ambiguous, no_such_target
from contract import facts, paths, store, typed
from statusbar.model import reader, targets
from statusbar.model.names import agent_name, session_name
from statusbar.model.targets import NoSuchTarget, Unclear
from statusbar.text import wording
from statusbar.text.width import tidy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from contract.facts import Fact
    from contract.status import SessionStatus
    from statusbar.model.snapshot import Statuses

LENGTH = 64
ENDING = f".{paths.MAIN}.json"


class Target(NamedTuple):
    session: str
    name: str
    agent: str = paths.MAIN  # else the key of an agent inside the session's process
    status: SessionStatus | None = None
    fact: Fact | None = None  # of the session's main agent

    @property
    def words(self) -> str:
        """As it can be typed again."""
        short = self.session[:8]
        return f"{self.name} ({short})" if self.name != short else short


def find(home: str, word: str) -> Target:
    """As all commands name targets, or a session that only a hook has told of. NotDone if it is not one."""
    statuses, known = reader.read(home), _known(home)
    try:
        named = targets.one(statuses, word, unknown=statuses.unknown(time.time()))
    except NoSuchTarget as error:
        return _without_status(known, word, str(error))
    except Unclear as error:
        raise ambiguous(str(error)) from None
    session = next(one for one in known if one.session == named.session.session_id)
    if named.agent is None or named.agent.key == paths.MAIN:
        return session
    # A teammate in a pane is a session of its own, and listed by its lead under that session's id.
    own = next((one for one in known if one.session == named.agent.key), None)
    return own or session._replace(agent=named.agent.key)


def _without_status(known: Sequence[Target], word: str, why: str) -> Target:
    """Before the watcher has looked at it, or while none runs: by its id alone."""
    others = [one for one in known if one.status is None]
    found = [one for one in others if one.session == word] or [
        one for one in others if word and one.session.startswith(word)
    ]
    if not found:
        raise no_such_target(why)
    if len(found) > 1:
        names = "\n".join(f"  {tidy(one.session, LENGTH)}" for one in found)
        raise ambiguous(f"'{tidy(word, LENGTH)}' matches several sessions:\n{names}")
    return found[0]


def inside(target: Target, statuses: Statuses) -> str:
    """Why an agent in a client's process cannot be ended alone, and what can."""
    agents = {one.key: one for one in target.status.agents} if target.status else {}
    agent, session = agents[target.agent], target.session
    above = agent
    for _ in agents:
        if statuses.find(above.parent or ""):
            session = above.parent or ""  # of a teammate in a pane, which its lead lists with all below it
        above = agents.get(above.parent or "", above)
    kind = wording.agent_kind(agent.kind)
    words = f"{agent_name(agent)} is a {kind} inside the process of its session and cannot be ended alone."
    kill = typed.command(f"kill {shlex.quote(tidy(session, LENGTH))}")
    return f"{words} To end the whole session: {kill}"


def clients(home: str) -> dict[tuple[int, str], Target]:
    """The sessions whose process a hook has noted, by its pid and start."""
    return {(one.fact.client.pid, one.fact.client.start): one for one in _known(home) if one.fact and one.fact.client}


def _known(home: str) -> list[Target]:
    """Sessions with a status first; then those that only a hook has told of."""
    noted = dict(_facts(home))
    shown = [
        Target(one.session_id, session_name(one), status=one, fact=noted.pop(one.session_id, None))
        for one in reader.read(home).sessions
    ]
    return [*shown, *(Target(id_, tidy(id_[:8], 8), fact=fact) for id_, fact in noted.items())]


def _facts(home: str) -> Iterable[tuple[str, Fact]]:
    folder = paths.fact_dir(home)
    for name in store.names(folder, ENDING):
        fact = read_fact(f"{folder}/{name}")
        if fact is not None:
            pid = fact.client.pid if fact.client else 0
            yield paths.twin(fact.session, pid) if fact.twin else fact.session, fact


def read_fact(path: str) -> Fact | None:
    try:
        data = store.read(path)
    except OSError:
        return None
    return facts.decode(data) if data is not None else None
