"""A lead's status with its teammates below it."""

from contract.status import AgentStatus, SessionStatus
from support.team import LEAD, MATE, TEAM
from watcher.teams.membership import Membership
from watcher.teams.nesting import nested


def session(name: str, status: str = "waiting", detail: str = "") -> SessionStatus:
    main = AgentStatus("main", "agent", None, None, status, detail, 5.0, "rule", "hook", "running")
    return SessionStatus(name, "proj", "/p", 1, status, detail, 5.0, "rule", "hook", agents=(main,))


def test_a_teammate_in_a_pane_is_nested_under_its_lead_case_25() -> None:
    found = nested(session(LEAD), {MATE: (Membership(LEAD, "researcher", TEAM), session(MATE, "working", "Bash: ls"))})
    assert (found.team, found.status) == (TEAM, "working")
    assert [(a.key, a.kind, a.name, a.parent, a.status) for a in found.agents] == [
        ("main", "agent", "", None, "waiting"),
        (MATE, "teammate", "researcher", "main", "working"),
    ]


def test_the_team_shows_its_most_urgent_member_case_25() -> None:
    members = {
        "m1": (Membership(LEAD, "mia", TEAM), session("m1", "working")),
        "m2": (Membership(LEAD, "tom", TEAM), session("m2", "needs_approval", "Bash: ls")),
    }
    found = nested(session(LEAD, "working", "thinking"), members)
    assert (found.status, found.detail) == ("needs_approval", "tom: Bash: ls")


def test_the_same_name_spawned_twice_nests_both_case_27() -> None:
    one = Membership(LEAD, "researcher", TEAM)
    found = nested(session(LEAD), {"m1": (one, session("m1")), "m2": (one, session("m2", "working"))})
    assert [(a.key, a.name) for a in found.agents[1:]] == [("m1", "researcher"), ("m2", "researcher")]


def test_of_two_with_one_name_an_idle_is_its_own_and_closes_no_other_case_27() -> None:
    one = Membership(LEAD, "mia", TEAM)
    found = nested(
        session(LEAD), {"m1": (one, session("m1", "waiting")), "m2": (one, session("m2", "working", "thinking"))}
    )
    assert [(a.key, a.status, a.detail) for a in found.agents[1:]] == [
        ("m1", "waiting", "idle"),
        ("m2", "working", "thinking"),
    ]
    assert found.status == "working"
