"""Teams across sessions."""

from dataclasses import replace
from typing import Any

import pytest

from contract.facts import Fact, Mark, Stamp
from contract.status import AgentStatus, SessionStatus
from processes.shells import Command
from support.builders import call, event
from support.cases import facts_of, judge
from watcher.clients.base import Member, Origin
from watcher.rules.asks import all_asks
from watcher.rules.dialogs import Word
from watcher.rules.evidence import Evidence, Mates, Said, Shown
from watcher.rules.law import resolve
from watcher.rules.turn import Ended, Event, Prompt
from watcher.teams.idles import Mate, arriving, closed, shown_by, strange
from watcher.teams.membership import Membership, membership
from watcher.teams.nesting import nested

LEAD = "b9e5af69-d31d-4b6b-afe9-09d26010f114"
MATE = "119a7650-1c0e-483c-a74b-c9a0e952025c"
TEAM = "session-b9e5af69"
BASH = {"command": "touch mate1"}


def session(name: str, status: str = "waiting", detail: str = "") -> SessionStatus:
    main = AgentStatus("main", "agent", None, None, status, detail, 5.0, "rule", "hook", "running")
    return SessionStatus(name, "proj", "/p", 1, status, detail, 5.0, "rule", "hook", agents=(main,))


def told(name: str, tool: str, at: float = 12.0) -> tuple[float, dict[str, Any]]:
    words = f"{name} needs permission for {tool}"
    return at, event("Notification", notification_type="worker_permission_prompt", message=words)


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


def test_its_own_arguments_say_whose_teammate_it_is_case_25() -> None:
    origin = Origin("claude", False, "researcher", TEAM, LEAD)
    assert membership(MATE, origin, None, {LEAD: None, MATE: None}) == (Membership(LEAD, "researcher", TEAM), "")
    assert membership(MATE, Origin("claude"), None, {LEAD: None, MATE: None}) == (None, "")


def idle(team: str, name: str = "researcher") -> Fact:
    return facts_of([(15.0, event("TeammateIdle", session_id=MATE, teammate_name=name, team_name=team))])["main"]


def lead_of(team: str, *names: str, at: float = 5.0) -> Fact:
    """Each is called for half a second before that call has ended."""
    made: list[tuple[float, dict[str, Any]]] = []
    for k, name in enumerate(names):
        more: dict[str, Any] = {"tool": "Agent", "given": {"name": name}}
        answer = {"agentId": f"{name}@{team}", "team_name": team}
        made.append((at + k - 0.5, call("PreToolUse", f"s{k}", **more)))
        made.append((at + k, call("PostToolUse", f"s{k}", **more, tool_response=answer)))
    return facts_of(made)["main"]


def test_an_idle_teammate_names_its_team_and_so_its_lead_case_26() -> None:
    assert membership(MATE, Origin(), idle(TEAM), {LEAD: None, MATE: None}) == (
        Membership(LEAD, "researcher", TEAM),
        "",
    )


def test_a_named_team_is_found_by_team_and_name_case_26() -> None:
    leads = {
        "one": lead_of("alpha", "mia"),
        "two": lead_of("beta", "researcher"),
        "three": lead_of("alpha", "researcher"),
    }
    assert membership(MATE, Origin(), idle("alpha"), leads)[0] == Membership("three", "researcher", "alpha")


def test_an_ambiguous_match_nests_nowhere_and_says_so_case_26() -> None:
    found, doubt = membership(MATE, Origin(), idle("session-b9"), {LEAD: None, "b9ffffff": None, MATE: None})
    assert found is None
    assert "2 leads could be meant" in doubt


def test_an_idle_for_an_unknown_key_is_told_with_the_keys_that_are_known_case_26() -> None:
    found, doubt = membership(
        MATE, Origin(), idle("gamma"), {"one": lead_of("alpha", "mia"), "two": lead_of("beta", "x")}
    )
    assert (found, doubt) == (None, "teammate “researcher” of “gamma”: no such team is known; known: “alpha”, “beta”")
    assert membership(MATE, Origin(), idle("session-"), {LEAD: None})[0] is None


def test_each_spawn_of_a_name_waits_for_a_process_of_its_own_case_27() -> None:
    lead = lead_of("t", "mia", "mia", at=10.0)
    assert arriving(lead, [], 12.0) == 2
    assert arriving(lead, [("mia", 11.5)], 12.0) == 1
    assert arriving(lead, [("mia", 11.5), ("mia", 11.6)], 12.0) == 0
    assert arriving(lead, [("tom", 11.5)], 12.0) == 2
    assert arriving(lead, [], 30.0) == 0, "it will not come any more"
    assert arriving(None, [], 12.0) == 0


def test_a_teammate_older_than_a_later_spawn_cannot_be_the_one_case_27() -> None:
    assert arriving(lead_of("t", "mia", at=10.0), [("mia", 3.0)], 12.0) == 1


def test_a_teammate_whose_process_begins_before_the_call_for_it_has_ended_has_come_case_25() -> None:
    assert arriving(lead_of("t", "mia", at=10.0), [("mia", 9.7)], 12.0) == 0


def test_a_second_idle_changes_nothing_case_26() -> None:
    mate = {"agent_id": "amia-1", "agent_type": "mia"}
    told_idle = event("TeammateIdle", teammate_name="mia", team_name="t", **mate)
    seen = [
        (1.0, event("UserPromptSubmit", prompt="x")),
        (2.0, event("SubagentStart", **mate)),
        (3.0, event("SubagentStop", **mate)),
    ]
    once = judge(*seen, (3.1, told_idle), now=60)
    twice = judge(*seen, (3.1, told_idle), (4.0, told_idle), now=60)
    assert once["amia-1"].status == twice["amia-1"].status == "waiting"
    assert once["amia-1"].since == twice["amia-1"].since


def test_an_idle_older_than_a_later_start_does_not_end_it_case_26() -> None:
    mate = {"agent_id": "amia-1", "agent_type": "mia"}
    told_idle = event("TeammateIdle", teammate_name="mia", team_name="t", **mate)
    seen = [
        (2.0, event("SubagentStart", **mate)),
        (3.0, event("SubagentStop", **mate)),
        (9.0, event("SubagentStart", **mate)),
    ]
    assert judge(*seen, (3.1, told_idle), now=10)["amia-1"].status == "working"


MIA = {"agent_id": "amia-1", "agent_type": "mia"}


def test_its_team_was_told_that_it_is_idle_case_26() -> None:
    facts = facts_of([(1.0, event("UserPromptSubmit", prompt="x")), (2.0, event("SubagentStart", **MIA))])
    told = Evidence(now=30, facts=facts, closed={"amia-1": 9.0})
    assert resolve(replace(told, closed={}))["amia-1"].status == "working"
    assert (resolve(told)["amia-1"].detail, resolve(told)["amia-1"].since) == ("idle", 9.0)


def test_what_came_after_the_idle_counts_case_26() -> None:
    seen = [(2.0, event("SubagentStart", **MIA)), (12.0, call("PreToolUse", "t", given=BASH, **MIA))]
    assert resolve(Evidence(now=30, facts=facts_of(seen), closed={"amia-1": 9.0}))["amia-1"].status == "working"


def test_an_idle_that_may_be_a_namesakes_does_not_hide_one_that_asks_case_26() -> None:
    asks = event("PermissionRequest", tool_name="Bash", tool_input=BASH, **MIA)
    facts = facts_of(
        [(2.0, event("SubagentStart", **MIA)), (3.0, call("PreToolUse", "t", given=BASH, **MIA)), (3.1, asks)]
    )
    assert resolve(Evidence(now=30, facts=facts, closed={"amia-1": 9.0}))["amia-1"].status == "needs_approval"


def test_a_teammate_in_a_pane_rests_when_its_lead_was_told_so_case_26() -> None:
    facts = facts_of([(2.0, event("UserPromptSubmit", prompt="x"))])
    assert resolve(Evidence(now=30, facts=facts))["main"].status == "working"
    assert resolve(Evidence(now=30, facts=facts, closed={"main": 9.0}))["main"].status == "waiting"
    later = facts_of([(12.0, event("UserPromptSubmit", prompt="x"))])
    assert resolve(Evidence(now=30, facts=later, closed={"main": 9.0}))["main"].status == "working"


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


def mark(at: float, name: str = "mia", team: str = TEAM) -> Mark:
    return Mark(at=Stamp((at, at)), word=name, team=team)


def test_an_idle_closes_the_oldest_open_teammate_of_its_name_case_27() -> None:
    mates = [Mate("late", "mia", TEAM, 7.0), Mate("early", "mia", TEAM, 5.0), Mate("tom", "tom", TEAM, 1.0)]
    assert closed(mates, [mark(9.0)]) == {"early": 9.0}
    assert closed(mates, [mark(9.0), mark(12.0)]) == {"early": 9.0, "late": 12.0}
    assert closed(mates, [mark(12.0), mark(9.0)]) == {"early": 9.0, "late": 12.0}, "in the order of their times"
    assert closed(mates, [mark(9.0, team="another")]) == {}


def test_one_that_is_idle_already_is_not_closed_again_case_27() -> None:
    assert closed([Mate("early", "mia", TEAM, None), Mate("late", "mia", TEAM, 7.0)], [mark(9.0)]) == {"late": 9.0}


def test_an_idle_that_is_told_twice_closes_nobody_else_case_27() -> None:
    mates = [Mate("early", "mia", TEAM, 5.0), Mate("late", "mia", TEAM, 7.0)]
    assert closed(mates, [mark(9.0), mark(9.02)]) == {"early": 9.0}
    assert closed(mates[:1], [mark(9.0), mark(12.0)]) == {"early": 9.0}


def test_an_idle_older_than_a_later_spawn_cannot_consume_it_case_27() -> None:
    assert closed([Mate("late", "mia", TEAM, 10.0)], [mark(9.0)]) == {}


def test_what_was_told_before_a_namesake_was_woken_is_spent_case_27() -> None:
    """The first idle was that of the one that has been woken since: it must not close the other one now."""
    mates = [Mate("woken", "mia", TEAM, 20.0, woken=20.0), Mate("other", "mia", TEAM, 6.0), Mate("t", "tom", TEAM, 1.0)]
    assert closed(mates, [mark(9.0)]) == {}
    assert closed(mates, [mark(9.0), mark(30.0)]) == {"other": 30.0}
    assert closed(mates, [mark(9.0, "tom")]) == {"t": 9.0}


def test_an_idle_under_the_lead_of_nobody_known_is_told_with_the_keys_that_are_known_case_26() -> None:
    mates = [Mate("one", "mia", TEAM, 5.0), Mate("two", "tom", TEAM, None)]
    assert strange(mates, [mark(9.0), mark(9.0, "tom")]) == ()
    assert strange(mates, [mark(9.0, "eve")]) == (
        f"“eve” of “{TEAM}” went idle: no such teammate is known; known: “mia of {TEAM}”, “tom of {TEAM}”",
    )
    assert strange([], [mark(9.0)])[0].endswith("known: none")


def test_an_idle_that_the_lead_was_told_of_makes_it_nobodys_teammate_case_26() -> None:
    assert membership(LEAD, Origin(), idle(TEAM), {LEAD: None, MATE: None}) == (None, "")


# --- the client's own list of a team

ROLL = (Member("researcher", LEAD, TEAM, "%3", active=True), Member("mia", LEAD, TEAM, "%4", active=True))


def at(pane: str, server: str = "/tmp/tmux-0/default,77") -> Fact:
    return Fact(session="s", agent="main", terminal={"TMUX": f"{server},0", "TMUX_PANE": pane})


def test_the_clients_list_says_whose_teammate_a_pane_is() -> None:
    sessions = {LEAD: at("%1"), MATE: at("%3")}
    assert membership(MATE, Origin(), at("%3"), sessions, ROLL) == (Membership(LEAD, "researcher", TEAM), "")
    assert membership(MATE, Origin(), at("%9"), sessions, ROLL) == (None, "")


@pytest.mark.parametrize("lead", [None, at("%1", "/tmp/tmux-0/default,78"), Fact(session="s", agent="main")])
def test_a_pane_of_another_tmux_is_another_pane(lead: Fact | None) -> None:
    assert membership(MATE, Origin(), at("%3"), {LEAD: lead, MATE: at("%3")}, ROLL) == (None, "")


def test_a_person_who_starts_a_client_in_a_teammates_pane_is_no_teammate() -> None:
    sessions = {LEAD: at("%1"), MATE: at("%3")}
    assert membership(MATE, Origin("claude"), at("%3"), sessions, ROLL) == (None, ""), "its arguments name no lead"


def test_a_pane_that_two_teams_name_nests_nowhere_and_says_so() -> None:
    other = Member("eve", "lead-2", "team-2", "%3", active=True)
    sessions = {LEAD: at("%1"), "lead-2": at("%2"), MATE: at("%3")}
    found, doubt = membership(MATE, Origin(), at("%3"), sessions, (*ROLL, other))
    assert found is None
    assert doubt == f"in pane %3, which the teams “{TEAM}”, “team-2” all name, so it is under none"


def test_the_clients_list_says_who_leads_a_team_now() -> None:
    """A lead that went on under another id keeps its team."""
    origin, roll = Origin("claude", False, "mia", TEAM, "gone"), (Member("mia", "new", TEAM, "%3", active=True),)
    assert membership(MATE, origin, None, {"new": None, MATE: None}, roll) == (Membership("new", "mia", TEAM), "")
    assert membership(MATE, origin, None, {"old": None, MATE: None}, roll) == (
        None,
        f"teammate “mia” of “{TEAM}”: its lead “gone” is not there",
    )


def test_a_request_shown_in_the_lead_is_the_members_case_28() -> None:
    lead = facts_of([(1.0, event("UserPromptSubmit", prompt="x")), told("researcher", "Bash")])["main"]
    assert shown_by(lead, "researcher") == (Shown("researcher", "Bash", 12.0),)
    assert shown_by(lead, "somebody") == ()
    assert shown_by(None, "researcher") == ()


def test_the_member_asks_until_its_call_ends_or_the_lead_shows_nothing_more_case_28() -> None:
    facts = facts_of([(11.0, call("PreToolUse", "t", given=BASH))])
    shown = (Shown("researcher", "Bash", 12.0),)
    asking = Evidence(now=20, facts=facts, shown=shown)
    assert (resolve(asking)["main"].status, resolve(asking)["main"].detail) == ("needs_approval", "Bash: touch mate1")
    assert resolve(replace(asking, lead=Said("waiting", "permission prompt", 12.0)))["main"].status == "needs_approval"
    assert resolve(replace(asking, lead=Said("busy", "", 15.0)))["main"].status == "working"
    ended = facts_of([(11.0, call("PreToolUse", "t", given=BASH)), (14.0, call("PostToolUse", "t", given=BASH))])
    assert resolve(replace(asking, facts=ended))["main"].status == "working"


def test_an_answered_request_of_a_member_does_not_come_back_with_another_dialog_of_its_lead_case_28() -> None:
    facts = facts_of([(11.0, call("PreToolUse", "t", tool="Edit", given={}))])
    said, again = (Word("busy", 14.0, 30.0, after=12.1),), Said("waiting", "input needed", 30.0)
    asked = Evidence(now=30.1, facts=facts, shown=(Shown("researcher", "Edit", 12.0),), lead=again, history=said)
    assert resolve(asked)["main"].status == "working"
    before = replace(asked, history=(Word("busy", 11.1, 12.1),), lead=replace(again, at=12.1), now=12.2)
    assert resolve(before)["main"].status == "needs_approval", "what the lead said while it travelled says nothing"


def test_a_members_own_command_answers_its_request_whoever_else_is_asked_in_the_lead_case_28() -> None:
    facts = facts_of([(11.0, call("PreToolUse", "t", given=BASH))])
    dialog = Said("waiting", "permission prompt", 12.1)
    asked = Evidence(now=20, facts=facts, shown=(Shown("researcher", "Bash", 12.0),), lead=dialog)
    ran = replace(asked, commands=(Command(7, "7", 15.0, "touch mate1"),))
    assert (resolve(asked)["main"].status, resolve(ran)["main"].status) == ("needs_approval", "working")


def test_a_command_of_the_lead_answers_its_request_while_a_members_dialog_is_open_case_28() -> None:
    asked = event("PermissionRequest", tool_name="Bash", tool_input=BASH)
    facts = facts_of([(11.0, call("PreToolUse", "t", given=BASH)), (11.1, asked)])
    dialog, ran = Said("waiting", "permission prompt", 5.0), (Command(7, "7", 15.0, "touch mate1"),)
    seen = Evidence(now=20, facts=facts, said=dialog, commands=ran, mates=Mates(1, 1, is_asking=True))
    assert resolve(seen)["main"].status == "working"
    assert resolve(replace(seen, mates=Mates(1, 1)))["main"].status == "needs_approval", "somebody is asked"


def test_a_notification_that_repeats_a_members_request_is_not_the_leads_own_case_28() -> None:
    lead = [
        (1.0, event("UserPromptSubmit", prompt="x")),
        (2.0, call("PreToolUse", "b", given=BASH)),
        told("mia", "Bash"),
    ]
    later = (18.0, event("Notification", notification_type="permission_prompt", message="Claude needs you"))
    assert judge(*lead, later, now=19)["main"].status == "working"
    assert judge(*lead[:-1], later, now=19)["main"].status == "needs_approval"
    again = told("mia", "Bash", at=20.0)
    assert judge(*lead, later, again, now=20.1)["main"].status == "working", "the first one is closed by then"


def test_a_request_for_another_tool_or_before_the_call_is_not_the_calls_case_28() -> None:
    facts = facts_of([(11.0, call("PreToolUse", "t", given=BASH))])
    for shown in (Shown("researcher", "Write", 12.0), Shown("researcher", "Bash", 5.0)):
        assert all_asks(Evidence(now=20, facts=facts, shown=(shown,))) == ()


def test_the_leads_own_row_does_not_ask_for_its_teammate_case_28() -> None:
    seen = [
        (1.0, event("UserPromptSubmit", prompt="x")),
        (5.0, event("Stop", background_tasks=[])),
        told("researcher", "Bash"),
    ]
    found = judge(*seen, now=13, said=("waiting", 12.05, "permission prompt"))["main"]
    assert found.status == "waiting"


def test_a_dialog_behind_that_of_a_teammate_is_shown_by_the_lead_though_nothing_tells_whose_it_is_case_28() -> None:
    facts = facts_of([(1.0, event("UserPromptSubmit", prompt="x")), (5.0, event("Stop")), told("mia", "Bash")])
    seen = Evidence(now=20.5, facts=facts, said=Said("waiting", "permission prompt", 12.05), mates=Mates(2, 2))
    asking = replace(seen, mates=Mates(2, 2, is_asking=True, asked_at=20.5))
    assert resolve(asking)["main"].status == "working"
    answered = replace(asking, mates=Mates(2, 2, asked_at=20.1))
    assert resolve(answered)["main"].status == "working", "the registry has not heard of it yet"
    assert resolve(replace(answered, now=20.7))["main"].status == "needs_approval", "it is never so far behind"
    assert resolve(answered)["main"].until == 20.6
    stopped = replace(
        answered, now=22.1, stopped_at=21.0, said=Said("waiting", "permission prompt", 2.05, is_now=False)
    )
    assert resolve(stopped)["main"].status == "needs_approval", "a client that is stopped leaves its dialog open"
    assert resolve(replace(stopped, stopped_at=None))["main"].status == "working", "it may be over by now"


def test_a_dialog_that_has_been_open_for_long_may_be_a_teammates_by_now_case_28() -> None:
    facts = facts_of([(1.0, event("UserPromptSubmit", prompt="x")), (5.0, event("Stop", background_tasks=[]))])
    dialog = Said("waiting", "permission prompt", 3.0)
    asked = Evidence(now=30, facts=facts, said=dialog, mates=Mates(2, 1, is_asking=True))
    assert resolve(asked)["main"].detail == "1 teammate"
    assert resolve(replace(asked, mates=Mates(2, 1)))["main"].status == "needs_approval"


def test_after_a_restart_a_teammates_dialog_tells_that_the_leads_own_was_answered_before_case_28() -> None:
    seen = [
        (1.0, event("UserPromptSubmit", prompt="x")),
        (2.0, call("PreToolUse", "e", tool="Edit", given={})),
        (2.1, event("PermissionRequest", tool_name="Edit", tool_input={})),
    ]
    dialog = ("waiting", 12.0, "permission prompt")
    assert judge(*seen, told("mia", "Bash"), now=13.5, said=dialog)["main"].status == "working"
    assert judge(*seen, now=15, said=dialog)["main"].status == "needs_approval", "it may follow a question"
    behind = ("waiting", 2.2, "permission prompt")
    assert judge(*seen, told("mia", "Bash"), now=15, said=behind)["main"].status == "needs_approval"


def test_a_lead_with_teammates_is_busy_whether_its_request_was_approved_or_refused_case_5() -> None:
    asked = event("PermissionRequest", tool_name="Edit", tool_input={})
    seen = [(1.0, event("UserPromptSubmit", prompt="x")), (2.0, call("PreToolUse", "e", tool="Edit", given={}))]
    busy = Evidence(now=9.1, facts=facts_of([*seen, (2.1, asked)]), said=Said("busy", "", 9.0), mates=Mates(1))
    at_once = resolve(busy)["main"]
    assert at_once.status == "needs_approval"
    assert at_once.until == pytest.approx(10.0)
    assert resolve(replace(busy, now=10.01))["main"].status == "working", "a refusal would have been written by now"


def test_a_lead_with_teammates_is_busy_also_after_an_early_interruption_case_2() -> None:
    facts = facts_of([(1.0, event("UserPromptSubmit", prompt="x"))])
    silent = Evidence(now=400, facts=facts, said=Said("busy", "", 1.0), mates=Mates(1))
    found = resolve(silent)["main"]
    assert (found.status, found.rule) == ("waiting", "silent"), "a guess"
    assert resolve(replace(silent, now=200))["main"].status == "working"
    assert resolve(replace(silent, mates=Mates()))["main"].status == "working", "alone it would not be busy"


def test_a_message_on_its_way_to_a_teammate_is_nobodys_turn() -> None:
    mate = {"agent_id": "amia-1", "agent_type": "mia"}
    seen: list[tuple[float, dict[str, Any]]] = [
        (1.0, event("UserPromptSubmit", prompt="x")),
        (2.0, event("SubagentStart", **mate)),
        (3.0, event("SubagentStop", **mate)),
        (10.0, event("UserPromptSubmit", prompt="y", prompt_id="2")),
        (11.0, call("PostToolUse", "s", tool="SendMessage", given={"to": "mia"})),
        (11.5, event("Stop", prompt_id="2", background_tasks=[])),
    ]
    assert judge(*seen, now=12)["main"].status == "working"
    assert judge(*seen, now=17)["main"].status == "waiting", "it was not taken up"
    assert judge(*seen, (12.0, event("SubagentStart", **mate)), now=13)["main"].detail == "1 teammate"


def test_a_lead_that_has_heard_its_teammate_waits_as_soon_as_its_turn_is_over() -> None:
    spawned = call("PostToolUse", "s", tool="Agent", given={"name": "mia"}, tool_response={"agentId": "amia-1"})
    seen: list[tuple[float, dict[str, Any]]] = [
        (1.0, event("UserPromptSubmit", prompt="x")),
        (2.0, spawned),
        (2.0, event("SubagentStart", **MIA)),
        (3.0, event("Stop", background_tasks=[])),
        (10.0, event("SubagentStop", **MIA)),
    ]
    assert judge(*seen, now=10.5)["main"].status == "working", "its message lies in the inbox"
    heard: list[Event] = [Prompt(10.6, "p", False), Ended(11.0)]
    assert judge(*seen, (11.0, event("Stop", background_tasks=[])), now=11.2, lines=heard)["main"].status == "waiting"


@pytest.mark.parametrize(
    ("busy", "expected"), [(2, ("working", "2 teammates")), (1, ("working", "1 teammate")), (0, ("waiting", ""))]
)
def test_a_lead_works_while_its_teammates_do_whatever_its_registry_says(busy: int, expected: tuple[str, str]) -> None:
    facts = facts_of([(1.0, event("UserPromptSubmit", prompt="x")), (5.0, event("Stop", background_tasks=[]))])
    main = resolve(Evidence(now=60, facts=facts, said=Said("busy", "", 20.0), mates=Mates(2, busy)))["main"]
    assert (main.status, main.detail) == expected
