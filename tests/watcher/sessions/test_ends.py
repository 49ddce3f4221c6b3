"""When a session is over, where no process can be seen."""

import os
from dataclasses import replace

import pytest

from contract.facts import Client, Mark, Registered, Stamp
from processes.identity import start_of
from processes.table import Probe
from support.builders import SESSION, event
from support.cases import facts_of
from support.team import TEAM, lead_of
from watcher.clients.base import Entry
from watcher.clients.claude.adapter import ADAPTER
from watcher.clock import Clock
from watcher.rules.evidence import SOURCES
from watcher.sessions.ends import LINGER_S, is_over, may_be_removed
from watcher.sessions.listings import Listings
from watcher.sessions.session import Session

BUSY = Entry(pid=7, session_id=SESSION, status="busy", status_at=20.1)


def is_gone(
    word: str, entry: Entry | None, now: float, *, was_superseded: bool = False, kept: Registered | None = None
) -> bool:
    """A session that said goodbye in second 20, and what the registry tells of it. `kept`: by whom it is waited for."""
    probe, start = Probe(), (10.0, event("SessionStart", source="startup"))
    facts = facts_of([start, (20.0, event("SessionEnd", reason=word))])
    facts["main"].registered = kept
    session = Session(SESSION, ADAPTER, SOURCES - {"process"}, facts=facts, entry=entry)
    session.was_superseded = was_superseded
    clock = Clock()
    clock.offset = 0.0
    return is_over(session, probe, clock, now, Listings({}, probe, clock))


@pytest.mark.parametrize("word", ["clear", "resume"])
def test_a_client_that_is_busy_with_a_clear_has_not_gone_on_under_the_old_id_case_33(word: str) -> None:
    """It may be killed then, and its registry entry stays."""
    assert not is_gone(word, BUSY, 20.5), "until the next one takes its place"
    assert is_gone(word, BUSY, 20.5, was_superseded=True)
    assert is_gone(word, BUSY, 23.5), "nobody did"


def test_a_session_that_the_registry_tells_of_after_its_goodbye_is_there() -> None:
    assert not is_gone("clear", replace(BUSY, status_at=22.0), 25.0, was_superseded=True)
    assert not is_gone("prompt_input_exit", BUSY, 25.0)


def test_one_that_is_kept_is_there_until_its_keeper_has_told_how_it_ended() -> None:
    """Else it would go with its goodbye, come back when its process is gone, and go again."""
    me = os.getpid()
    assert is_gone("other", None, 25.0)
    assert not is_gone("other", None, 25.0, kept=Registered(keeper=me, keeper_start=start_of(me) or ""))
    assert is_gone("other", None, 25.0, kept=Registered(keeper=me, keeper_start="1")), "nobody will tell"


def test_facts_of_a_lead_that_was_cleared_stay_while_its_process_lives_case_33() -> None:
    """Its teammates in panes know it by its old id, and the next watcher must find it."""
    me, probe = os.getpid(), Probe()

    def is_removed(start: str, *, has_mates: bool = True) -> bool:
        main = lead_of(TEAM, "mia")
        main.spawned = main.spawned if has_mates else []
        main.ended, main.client = Mark(word="clear", at=Stamp((20.0, 20.0))), Client(pid=me, start=start)
        session = Session(SESSION, ADAPTER, SOURCES, facts={"main": main})
        return may_be_removed(session, probe, 20.0 + LINGER_S)

    start = start_of(me) or ""
    assert not is_removed(start)
    assert is_removed(start, has_mates=False), "nobody names it"
    assert is_removed("1"), "its process is gone"


def test_facts_of_a_cleared_session_stay_while_an_agent_of_it_may_go_on_case_86() -> None:
    """Until its next event, under the next id, they are the only ones to tell of it."""
    me, probe = os.getpid(), Probe()
    sub = {"agent_id": "a1", "agent_type": "general-purpose"}
    begun = [(10.0, event("SessionStart", source="startup")), (11.0, event("SubagentStart", **sub))]
    cleared = (20.0, event("SessionEnd", reason="clear"))
    for stops, is_removed in (([], False), ([(12.0, event("SubagentStop", **sub))], True)):
        facts = facts_of([*begun, *stops, cleared])
        facts["main"].client = Client(pid=me, start=start_of(me) or "")
        session = Session(SESSION, ADAPTER, SOURCES, facts=facts)
        assert may_be_removed(session, probe, 20.0 + LINGER_S) is is_removed
