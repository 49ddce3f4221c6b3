"""Whose teammate a session is."""

import pytest

from contract.facts import Fact
from support.builders import event
from support.cases import facts_of
from support.team import LEAD, MATE, TEAM, lead_of
from watcher.clients.base import Member, Origin
from watcher.clients.claude.adapter import ADAPTER as CLAUDE
from watcher.clients.hooks_only import UNKNOWN
from watcher.teams.membership import Claim, Membership, membership

NOTHING = Claim(CLAUDE)
BY_NO_LEAD = Claim(CLAUDE, Origin("claude"))  # its arguments name none


def test_its_own_arguments_say_whose_teammate_it_is_case_25() -> None:
    claim = Claim(CLAUDE, Origin("claude", False, "researcher", TEAM, LEAD))
    assert membership(MATE, claim, None, {LEAD: None, MATE: None}) == (Membership(LEAD, "researcher", TEAM), "")
    assert membership(MATE, BY_NO_LEAD, None, {LEAD: None, MATE: None}) == (None, "")


def idle(team: str, name: str = "researcher") -> Fact:
    return facts_of([(15.0, event("TeammateIdle", session_id=MATE, teammate_name=name, team_name=team))])["main"]


def test_an_idle_teammate_names_its_team_and_so_its_lead_case_26() -> None:
    assert membership(MATE, NOTHING, idle(TEAM), {LEAD: None, MATE: None}) == (
        Membership(LEAD, "researcher", TEAM),
        "",
    )


def test_the_name_of_a_team_says_nothing_of_its_lead_where_the_client_does_not_name_it_so() -> None:
    sessions = {LEAD: None, MATE: None}
    assert membership(MATE, NOTHING, idle(TEAM), sessions)[0] == Membership(LEAD, "researcher", TEAM)
    assert membership(MATE, Claim(UNKNOWN), idle(TEAM), sessions)[0] is None


def test_a_named_team_is_found_by_team_and_name_case_26() -> None:
    leads = {
        "one": lead_of("alpha", "mia"),
        "two": lead_of("beta", "researcher"),
        "three": lead_of("alpha", "researcher"),
    }
    assert membership(MATE, NOTHING, idle("alpha"), leads)[0] == Membership("three", "researcher", "alpha")


def test_who_started_it_leads_it_though_the_team_is_named_after_a_session_that_was_cleared_case_33() -> None:
    new = lead_of(TEAM, "researcher")
    named = Membership("new", "researcher", TEAM)
    assert membership(MATE, NOTHING, idle(TEAM), {"new": new, MATE: None}) == (named, "")
    assert membership(MATE, NOTHING, idle(TEAM), {LEAD: None, "new": new, MATE: None}) == (named, ""), "both are there"
    assert membership(MATE, NOTHING, idle(TEAM, "mia"), {"new": new, MATE: None})[0] is None


def test_an_ambiguous_match_nests_nowhere_and_says_so_case_26() -> None:
    found, doubt = membership(MATE, NOTHING, idle("session-b9"), {LEAD: None, "b9ffffff": None, MATE: None})
    assert found is None
    assert "2 leads could be meant" in doubt


def test_an_idle_for_an_unknown_key_is_told_with_the_keys_that_are_known_case_26() -> None:
    found, doubt = membership(
        MATE, NOTHING, idle("gamma"), {"one": lead_of("alpha", "mia"), "two": lead_of("beta", "x")}
    )
    assert (found, doubt) == (None, "teammate “researcher” of “gamma”: no such team is known; known: “alpha”, “beta”")
    assert membership(MATE, NOTHING, idle("session-"), {LEAD: None})[0] is None


def test_an_idle_that_the_lead_was_told_of_makes_it_nobodys_teammate_case_26() -> None:
    assert membership(LEAD, NOTHING, idle(TEAM), {LEAD: None, MATE: None}) == (None, "")


ROLL = (Member("researcher", LEAD, TEAM, "%3", active=True), Member("mia", LEAD, TEAM, "%4", active=True))
LISTED = Claim(CLAUDE, members=ROLL)


def at(pane: str, server: str = "/tmp/tmux-0/default,77") -> Fact:
    return Fact(session="s", agent="main", terminal={"TMUX": f"{server},0", "TMUX_PANE": pane})


def test_the_clients_list_says_whose_teammate_a_pane_is() -> None:
    sessions = {LEAD: at("%1"), MATE: at("%3")}
    assert membership(MATE, LISTED, at("%3"), sessions) == (Membership(LEAD, "researcher", TEAM), "")
    assert membership(MATE, LISTED, at("%9"), sessions) == (None, "")


def test_a_list_that_names_a_cleared_lead_means_the_one_who_started_the_member_case_33() -> None:
    new = lead_of(TEAM, "researcher")
    new.terminal = at("%1").terminal
    assert membership(MATE, LISTED, at("%3"), {"new": new, MATE: at("%3")})[0] == Membership("new", "researcher", TEAM)
    assert membership(MATE, LISTED, at("%4"), {"new": new, MATE: at("%4")})[0] is None, "mia was started by another"


@pytest.mark.parametrize("lead", [None, at("%1", "/tmp/tmux-0/default,78"), Fact(session="s", agent="main")])
def test_a_pane_of_another_tmux_is_another_pane(lead: Fact | None) -> None:
    assert membership(MATE, LISTED, at("%3"), {LEAD: lead, MATE: at("%3")}) == (None, "")


def test_a_person_who_starts_a_client_in_a_teammates_pane_is_no_teammate() -> None:
    sessions = {LEAD: at("%1"), MATE: at("%3")}
    assert membership(MATE, BY_NO_LEAD._replace(members=ROLL), at("%3"), sessions) == (None, "")


def test_a_pane_that_two_teams_name_nests_nowhere_and_says_so() -> None:
    other = Member("eve", "lead-2", "team-2", "%3", active=True)
    sessions = {LEAD: at("%1"), "lead-2": at("%2"), MATE: at("%3")}
    found, doubt = membership(MATE, Claim(CLAUDE, members=(*ROLL, other)), at("%3"), sessions)
    assert found is None
    assert doubt == f"in pane %3, which the teams “{TEAM}”, “team-2” all name, so it is under none"


def test_the_clients_list_says_who_leads_a_team_now() -> None:
    """A lead that went on under another id keeps its team."""
    roll = (Member("mia", "new", TEAM, "%3", active=True),)
    claim = Claim(CLAUDE, Origin("claude", False, "mia", TEAM, "gone"), roll)
    assert membership(MATE, claim, None, {"new": None, MATE: None}) == (Membership("new", "mia", TEAM), "")
    assert membership(MATE, claim, None, {"old": None, MATE: None}) == (
        None,
        f"teammate “mia” of “{TEAM}”: its lead “gone” is not there",
    )
