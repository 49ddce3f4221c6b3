"""What a team changes in the verdicts on its lead and its members."""

from dataclasses import replace
from typing import Any

import pytest

from processes.shells import Command
from processes.table import Probe
from support.builders import ask, call, event
from support.cases import facts_of, judge
from support.team import LEAD, TEAM, lead_of, told
from watcher.clients.base import Listed
from watcher.clients.claude.adapter import ADAPTER
from watcher.clock import Clock
from watcher.files.allowance import Allowance
from watcher.rules.evidence import SOURCES, Evidence, Mates, RegistryReport, Shown
from watcher.rules.law import resolve
from watcher.rules.past_reports import PastReport
from watcher.rules.requests import requests
from watcher.rules.turn_events import Ended, Event, Prompt
from watcher.sessions.roster import Roster
from watcher.sessions.session import Session
from watcher.teams.team_evidence import last_heard, with_team

BASH = {"command": "touch mate1"}


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
TOLD_IDLE: dict[str, Any] = {"closed": {"amia-1": 9.0}, "mates_inside": frozenset({"amia-1"})}


def test_its_team_was_told_that_it_is_idle_case_26() -> None:
    facts = facts_of([(1.0, event("UserPromptSubmit", prompt="x")), (2.0, event("SubagentStart", **MIA))])
    told = Evidence(now=30, facts=facts, **TOLD_IDLE)
    assert resolve(replace(told, closed={}))["amia-1"].status == "working"
    assert (resolve(told)["amia-1"].detail, resolve(told)["amia-1"].since) == ("idle", 9.0)


def test_what_came_after_the_idle_counts_case_26() -> None:
    seen = [(2.0, event("SubagentStart", **MIA)), (12.0, call("PreToolUse", "t", given=BASH, **MIA))]
    assert resolve(Evidence(now=30, facts=facts_of(seen), **TOLD_IDLE))["amia-1"].status == "working"


def test_a_request_that_the_lead_shows_is_evidence_on_its_teammate_case_28() -> None:
    mate, shown = Session("m", ADAPTER), (Shown("researcher", "Bash", 12.0),)
    mate.facts = facts_of([(10.0, call("PreToolUse", "t", given=BASH))])
    asks_by_itself = mate.is_asking
    mate.shown = shown
    assert (asks_by_itself, mate.is_asking) == (False, True), "its command may start any moment"
    assert mate.evidence(13.0, Clock(), Probe()).shown == shown


def test_an_idle_that_may_be_a_namesakes_does_not_hide_one_that_asks_case_26() -> None:
    asks = event("PermissionRequest", tool_name="Bash", tool_input=BASH, **MIA)
    facts = facts_of(
        [(2.0, event("SubagentStart", **MIA)), (3.0, call("PreToolUse", "t", given=BASH, **MIA)), (3.1, asks)]
    )
    assert resolve(Evidence(now=30, facts=facts, **TOLD_IDLE))["amia-1"].status == "needs_approval"


def test_a_teammate_in_a_pane_rests_when_its_lead_was_told_so_case_26() -> None:
    facts = facts_of([(2.0, event("UserPromptSubmit", prompt="x"))])
    assert resolve(Evidence(now=30, facts=facts))["main"].status == "working"
    assert resolve(Evidence(now=30, facts=facts, closed={"main": 9.0}))["main"].status == "waiting"
    later = facts_of([(12.0, event("UserPromptSubmit", prompt="x"))])
    assert resolve(Evidence(now=30, facts=later, closed={"main": 9.0}))["main"].status == "working"


def test_the_member_asks_until_its_call_ends_or_the_lead_shows_nothing_more_case_28() -> None:
    facts = facts_of([(11.0, call("PreToolUse", "t", given=BASH))])
    shown = (Shown("researcher", "Bash", 12.0),)
    asking = Evidence(now=20, facts=facts, shown=shown)
    assert (resolve(asking)["main"].status, resolve(asking)["main"].detail) == ("needs_approval", "Bash: touch mate1")
    dialog = RegistryReport("waiting", "permission prompt", 12.0)
    assert resolve(replace(asking, lead_report=dialog))["main"].status == "needs_approval"
    assert resolve(replace(asking, lead_report=RegistryReport("busy", "", 15.0)))["main"].status == "working"
    ended = facts_of([(11.0, call("PreToolUse", "t", given=BASH)), (14.0, call("PostToolUse", "t", given=BASH))])
    assert resolve(replace(asking, facts=ended))["main"].status == "working"


def test_an_answered_request_of_a_member_does_not_come_back_with_another_dialog_of_its_lead_case_28() -> None:
    facts = facts_of([(11.0, call("PreToolUse", "t", tool="Edit", given={}))])
    past, again = (PastReport("busy", 14.0, 30.0, after=12.1),), RegistryReport("waiting", "input needed", 30.0)
    asked = Evidence(now=30.1, facts=facts, shown=(Shown("researcher", "Edit", 12.0),), lead_report=again, history=past)
    assert resolve(asked)["main"].status == "working"
    before = replace(asked, history=(PastReport("busy", 11.1, 12.1),), lead_report=replace(again, at=12.1), now=12.2)
    assert resolve(before)["main"].status == "needs_approval", "what the lead said while it travelled says nothing"


def test_a_dialog_of_the_lead_that_was_closed_before_a_member_asked_is_not_the_members_case_28() -> None:
    """A hook of the user's answered it at once; the member's own opens a moment later."""
    facts = facts_of([(11.0, call("PreToolUse", "t", tool="Edit", given={}))])
    history = (PastReport("busy", 5.0, 11.82), PastReport("waiting", 11.82, 11.83, after=5.0))
    busy = RegistryReport("busy", "", 11.83, seen_at=11.93)
    asked = Evidence(now=12.05, facts=facts, shown=(Shown("researcher", "Edit", 12.0),), lead_report=busy)
    assert resolve(replace(asked, history=history))["main"].status == "needs_approval"
    answered = replace(busy, at=12.1)
    assert resolve(replace(asked, history=history, lead_report=answered, now=12.2))["main"].status == "working"


def test_a_members_own_command_answers_its_request_whoever_else_is_asked_in_the_lead_case_28() -> None:
    facts = facts_of([(11.0, call("PreToolUse", "t", given=BASH))])
    dialog = RegistryReport("waiting", "permission prompt", 12.1)
    asked = Evidence(now=20, facts=facts, shown=(Shown("researcher", "Bash", 12.0),), lead_report=dialog)
    ran = replace(asked, commands=(Command(7, "7", 15.0, "touch mate1"),))
    assert (resolve(asked)["main"].status, resolve(ran)["main"].status) == ("needs_approval", "working")


def test_a_members_command_answers_its_request_though_its_lead_told_of_that_later_case_28() -> None:
    facts = facts_of([(11.0, call("PreToolUse", "t", given=BASH))])
    late = Evidence(now=20, facts=facts, shown=(Shown("researcher", "Bash", 15.1),))
    assert resolve(late)["main"].status == "needs_approval"
    ran = replace(late, commands=(Command(7, "7", 15.0, "touch mate1"),))
    assert resolve(ran)["main"].status == "working"
    before = replace(late, commands=(Command(7, "7", 10.5, "touch mate1"),))
    assert resolve(before)["main"].status == "needs_approval", "that one ran before it was called"


def test_a_command_of_the_lead_answers_its_request_while_a_members_dialog_is_open_case_28() -> None:
    asked = event("PermissionRequest", tool_name="Bash", tool_input=BASH)
    facts = facts_of([(11.0, call("PreToolUse", "t", given=BASH)), (11.1, asked)])
    dialog, ran = RegistryReport("waiting", "permission prompt", 5.0), (Command(7, "7", 15.0, "touch mate1"),)
    seen = Evidence(now=20, facts=facts, report=dialog, commands=ran, mates=Mates(1, 1, is_asking=True))
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


def test_a_notified_dialog_is_over_when_every_teammate_at_work_has_gone_on_case_28() -> None:
    """Behind another dialog nothing else tells of a teammate's; hooks would tell of one of the lead's own."""
    note = (18.0, event("Notification", notification_type="permission_prompt", message="Claude needs you"))
    facts = facts_of([(1.0, event("UserPromptSubmit", prompt="x")), (2.0, call("PreToolUse", "b", given=BASH)), note])
    asked = Evidence(now=25.0, facts=facts, mates=Mates(2, 2, heard_at=11.0))
    assert resolve(asked)["main"].rule == "dialog-notified"
    assert resolve(replace(asked, mates=Mates(2, 2, heard_at=20.0)))["main"].status == "working"


def test_a_request_for_another_tool_or_before_the_call_is_not_the_calls_case_28() -> None:
    facts = facts_of([(11.0, call("PreToolUse", "t", given=BASH))])
    for shown in (Shown("researcher", "Write", 12.0), Shown("researcher", "Bash", 5.0)):
        assert requests(Evidence(now=20, facts=facts, shown=(shown,))) == []


def test_the_leads_own_row_does_not_ask_for_its_teammate_case_28() -> None:
    seen = [
        (1.0, event("UserPromptSubmit", prompt="x")),
        (5.0, event("Stop", background_tasks=[])),
        told("researcher", "Bash"),
    ]
    found = judge(*seen, now=13, report=("waiting", 12.05, "permission prompt"))["main"]
    assert found.status == "waiting"


def test_a_dialog_behind_that_of_a_teammate_is_shown_by_the_lead_though_nothing_tells_whose_it_is_case_28() -> None:
    facts = facts_of([(1.0, event("UserPromptSubmit", prompt="x")), (5.0, event("Stop")), told("mia", "Bash")])
    seen = Evidence(
        now=20.5, facts=facts, report=RegistryReport("waiting", "permission prompt", 12.05), mates=Mates(2, 2)
    )
    asking = replace(seen, mates=Mates(2, 2, is_asking=True))
    assert resolve(asking)["main"].status == "working"
    answered = replace(asking, mates=Mates(2, 2))
    assert resolve(answered)["main"].status == "needs_approval", "the registry says that somebody is asked"
    stopped = replace(
        answered, now=22.1, stopped_at=21.0, report=RegistryReport("waiting", "permission prompt", 2.05, is_now=False)
    )
    assert resolve(stopped)["main"].status == "needs_approval", "a client that is stopped leaves its dialog open"
    assert resolve(replace(stopped, stopped_at=None))["main"].status == "working", "it may be over by now"


def test_a_dialog_that_has_been_open_for_long_may_be_a_teammates_by_now_case_28() -> None:
    facts = facts_of([(1.0, event("UserPromptSubmit", prompt="x")), (5.0, event("Stop", background_tasks=[]))])
    dialog = RegistryReport("waiting", "permission prompt", 3.0)
    asked = Evidence(now=30, facts=facts, report=dialog, mates=Mates(2, 1, is_asking=True))
    assert resolve(asked)["main"].detail == "1 teammate"
    assert resolve(replace(asked, mates=Mates(2, 1)))["main"].status == "needs_approval"


def test_after_a_restart_a_teammates_dialog_tells_that_the_leads_own_was_answered_before_case_28() -> None:
    seen = [
        (1.0, event("UserPromptSubmit", prompt="x")),
        (2.0, call("PreToolUse", "e", tool="Edit", given={})),
        (2.1, event("PermissionRequest", tool_name="Edit", tool_input={})),
    ]
    dialog = ("waiting", 12.0, "permission prompt")
    assert judge(*seen, told("mia", "Bash"), now=13.5, report=dialog)["main"].status == "working"
    assert judge(*seen, now=15, report=dialog)["main"].status == "needs_approval", "it may follow a question"
    behind = ("waiting", 2.2, "permission prompt")
    assert judge(*seen, told("mia", "Bash"), now=15, report=behind)["main"].status == "needs_approval"


def test_a_members_answered_request_does_not_come_back_with_the_next_dialog_of_its_lead_case_28() -> None:
    facts = facts_of([(11.0, call("PreToolUse", "e", tool="Edit", given={}))])
    before = (PastReport("busy", 1.0, 11.95), PastReport("waiting", 11.95, 13.5))
    next_one = RegistryReport("waiting", "permission prompt", 13.65)
    member = Evidence(now=13.7, facts=facts, shown=(Shown("mia", "Edit", 12.0),), lead_report=next_one)
    answered = replace(member, history=(*before, PastReport("busy", 13.5, 13.65, after=11.95)))
    assert resolve(answered)["main"].status == "working"
    open_still = replace(member, history=before[:1], lead_report=RegistryReport("waiting", "permission prompt", 11.95))
    assert resolve(open_still)["main"].status == "needs_approval"


@pytest.mark.parametrize(("at", "status"), [(12.1, "needs_approval"), (12.3, "working"), (20.0, "working")])
def test_after_a_restart_a_later_dialog_of_the_lead_tells_that_a_members_was_closed_case_28(
    at: float, status: str
) -> None:
    """Nobody knows what the registry said before; but one dialog that follows another has its stamp."""
    facts = facts_of([(11.0, call("PreToolUse", "e", tool="Edit", given={}))])
    dialog = RegistryReport("waiting", "permission prompt", at)
    member = Evidence(now=21.0, facts=facts, shown=(Shown("mia", "Edit", 12.0),), lead_report=dialog)
    assert resolve(member)["main"].status == status


def test_a_members_dialog_that_was_told_late_does_not_come_back_with_one_that_follows_at_once_case_28() -> None:
    facts = facts_of([(11.0, call("PreToolUse", "e", tool="Edit", given={}))])
    past = (PastReport("waiting", 11.9, 12.12), PastReport("busy", 12.12, 12.17, after=11.9))
    next_one = RegistryReport("waiting", "permission prompt", 12.17)
    member = Evidence(now=12.3, facts=facts, shown=(Shown("mia", "Edit", 12.0),), lead_report=next_one, history=past)
    assert resolve(member)["main"].status == "working"
    own = replace(member, lead_report=replace(next_one, at=12.13), history=past[1:])
    assert resolve(own)["main"].status == "needs_approval", "it may be its own, told a moment later"


def test_a_members_dialog_is_its_own_though_the_registry_stamps_it_late_case_28() -> None:
    """As on a busy machine: it said busy when the lead told of it, so the next dialog is that one."""
    facts = facts_of([(11.0, call("PreToolUse", "e", tool="Edit", given={}))])
    late = RegistryReport("waiting", "permission prompt", 12.4)
    quiet = PastReport("busy", 5.0, 12.4)
    member = Evidence(now=12.6, facts=facts, shown=(Shown("mia", "Edit", 12.0),), lead_report=late, history=(quiet,))
    assert resolve(member)["main"].status == "needs_approval"
    closed = (quiet, PastReport("waiting", 12.4, 14.0))
    answered = replace(member, now=14.5, lead_report=RegistryReport("busy", "", 14.0), history=closed)
    assert resolve(answered)["main"].status == "working"
    follows = replace(member, lead_report=replace(late, at=13.5), history=(quiet._replace(until=13.5),))
    assert resolve(follows)["main"].status == "working", "so late no machine is"


@pytest.mark.parametrize(("at", "status"), [(11.6, "working"), (11.9, "needs_approval")])
def test_a_teammates_dialog_tells_that_no_request_before_it_had_one_case_61(at: float, status: str) -> None:
    """A hook of the user's has allowed it; a moment before that dialog it may still have to open its own."""
    sub = {"agent_id": "a1", "agent_type": "x"}
    answer = {"agentId": "a1", "isAsync": True, "status": "async_launched"}
    seen = [
        (1.0, event("UserPromptSubmit", prompt="x")),
        (2.0, call("PreToolUse", "s", tool="Agent", given={})),
        (2.1, call("PostToolUse", "s", tool="Agent", given={}, tool_response=answer)),
        (2.2, event("SubagentStart", **sub)),
        (at - 0.1, call("PreToolUse", "e", tool="Edit", given={}, **sub)),
        (at, ask({}, tool="Edit", **sub)),
    ]
    dialog, before = RegistryReport("waiting", "permission prompt", 12.05), PastReport("busy", 1.1, 12.05)
    lead = Evidence(now=20, facts=facts_of([*seen, told("mia", "Bash")]), report=dialog, history=(before,), helpers=())
    assert resolve(lead)["a1"].status == status
    unseen = resolve(replace(lead, helpers=None))["a1"].status
    assert unseen == "needs_approval", "its hook may have thought until then, and it waits behind"


def test_a_lead_with_teammates_is_busy_whether_its_request_was_approved_or_refused_case_5() -> None:
    asked = event("PermissionRequest", tool_name="Edit", tool_input={})
    seen = [(1.0, event("UserPromptSubmit", prompt="x")), (2.0, call("PreToolUse", "e", tool="Edit", given={}))]
    busy = Evidence(
        now=9.1, facts=facts_of([*seen, (2.1, asked)]), report=RegistryReport("busy", "", 9.0), mates=Mates(1)
    )
    at_once = resolve(busy)["main"]
    assert at_once.status == "needs_approval"
    assert at_once.until == pytest.approx(10.0)
    assert resolve(replace(busy, now=10.01))["main"].status == "working", "a refusal would have been written by now"


def test_a_lead_with_teammates_is_busy_also_after_an_early_interruption_case_2() -> None:
    facts = facts_of([(1.0, event("UserPromptSubmit", prompt="x"))])
    silent = Evidence(now=400, facts=facts, report=RegistryReport("busy", "", 1.0), mates=Mates(1))
    found = resolve(silent)["main"]
    assert (found.status, found.rule) == ("waiting", "silent"), "a guess"
    assert resolve(replace(silent, now=200))["main"].status == "working"
    assert resolve(replace(silent, mates=Mates()))["main"].status == "working", "alone it would not be busy"


@pytest.mark.parametrize(("first", "second", "heard_at"), [(11.0, 20.0, 11.0), (21.0, 20.0, 20.0)])
def test_teammates_at_work_have_been_heard_of_since_the_one_who_is_silent_for_longest(
    first: float, second: float, heard_at: float
) -> None:
    mates = [facts_of([(at, call("PreToolUse", "b", given=BASH))])["main"] for at in (first, second)]
    assert last_heard(mates) == heard_at


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
    turn: list[Event] = [Prompt(10.6, False), Ended(11.0)]
    assert judge(*seen, (11.0, event("Stop", background_tasks=[])), now=11.2, lines=turn)["main"].status == "waiting"


@pytest.mark.parametrize(
    ("busy", "expected"), [(2, ("working", "2 teammates")), (1, ("working", "1 teammate")), (0, ("waiting", ""))]
)
def test_a_lead_works_while_its_teammates_do_whatever_its_registry_says(busy: int, expected: tuple[str, str]) -> None:
    facts = facts_of([(1.0, event("UserPromptSubmit", prompt="x")), (5.0, event("Stop", background_tasks=[]))])
    main = resolve(Evidence(now=60, facts=facts, report=RegistryReport("busy", "", 20.0), mates=Mates(2, busy)))["main"]
    assert (main.status, main.detail) == expected


def test_a_teammate_has_a_pane_before_its_process_has_begun_case_25() -> None:
    roster = Roster(SOURCES, Probe(), Allowance())
    lead = roster.take(LEAD, {"main": lead_of(TEAM, "mia", at=10.0)}, Listed(ADAPTER))
    mates = with_team(lead, Evidence(now=12.0), roster, Clock()).mates
    assert (mates.all, mates.busy) == (1, 1), "its lead is busy from then on, whatever its main agent does"


@pytest.mark.parametrize("own", [{}, {"agent_id": "a1", "agent_type": "x"}])
def test_a_lead_stays_asked_until_the_registry_says_that_nobody_is_case_28(own: dict[str, str]) -> None:
    """A teammate's dialog may have been behind that of the lead or of its sub-agent: of it nothing else tells."""
    asked = [(2.0, call("PreToolUse", "e", tool="Edit", given={}, **own)), (2.1, ask({}, tool="Edit", **own))]
    done = (20.0, call("PostToolUse", "e", tool="Edit", given={}, **own))
    facts = facts_of([(1.0, event("UserPromptSubmit", prompt="x")), *asked, done])
    dialog = RegistryReport("waiting", "permission prompt", 2.2)
    seen = Evidence(now=20.1, facts=facts, report=dialog, mates=Mates(1, 1))
    assert resolve(seen)["main"].status == "needs_approval"
    assert resolve(replace(seen, report=RegistryReport("busy", "", 20.05)))["main"].status == "working"
    alone = resolve(replace(seen, mates=Mates(1, 0)))["main"]
    assert (alone.status, alone.until) == ("working", 21.0), "nobody else can be asked unheard of"


def test_a_dialog_older_than_a_call_that_a_hook_allowed_is_a_teammates_case_28() -> None:
    asked = [(12.0, call("PreToolUse", "t", given=BASH)), (12.1, ask(BASH))]
    form = (11.4, event("Notification", notification_type="elicitation_response", message="x"))
    facts = facts_of([(1.0, event("UserPromptSubmit", prompt="x")), form, *asked])
    dialog, ran = RegistryReport("waiting", "permission prompt", 11.3), (Command(7, "7", 12.2, "touch mate1"),)
    seen = Evidence(now=12.5, facts=facts, report=dialog, commands=ran, mates=Mates(1, 1))
    assert (resolve(seen)["main"].rule, resolve(seen)["main"].detail) == ("registry-waits", "permission")
    later = replace(seen, facts=facts_of([(1.0, event("UserPromptSubmit", prompt="x")), *asked]), now=20.0)
    assert resolve(later)["main"].detail == "permission", "nor when what was before it is forgotten"
    its_own = replace(seen, report=replace(dialog, at=12.15, seen_at=12.3))
    assert resolve(its_own)["main"].status == "working", "the registry is behind the answer"


def test_a_permission_is_not_the_question_that_was_answered_before_it_case_28() -> None:
    asked = [(2.0, call("PreToolUse", "q", tool="AskUserQuestion", given={})), (2.1, ask({}, tool="AskUserQuestion"))]
    done = (20.5, call("PostToolUse", "q", tool="AskUserQuestion", given={}))
    facts = facts_of([(1.0, event("UserPromptSubmit", prompt="x")), *asked, done])
    seen = Evidence(
        now=21.1, facts=facts, report=RegistryReport("waiting", "permission prompt", 20.0), mates=Mates(1, 1)
    )
    assert resolve(seen)["main"].status == "needs_approval"
    alone = replace(seen, report=RegistryReport("waiting", "input needed", 20.0), mates=Mates())
    assert resolve(alone)["main"].status == "working"
