"""The law: which requests the registry's words on dialogs settle."""

from dataclasses import replace
from typing import Any

import pytest

from processes.helpers import Helper
from support.builders import ask, call, event
from support.cases import (
    ASKING,
    BASH,
    OPEN_DIALOG,
    PROMPT,
    SUB,
    SUB2,
    TWO_ASK,
    WAITING,
    WORKING,
    judge,
    launched,
    stop,
    verdict,
)
from watcher.rules.evidence import Mates, RegistryReport, Shown
from watcher.rules.past_reports import PastReport


def test_of_two_requests_the_one_left_is_settled_by_the_registry() -> None:
    asks = [
        (12.0, call("PreToolUse", "s", given=BASH, **SUB)),
        (12.0, ask(BASH, **SUB)),
        (12.1, ask({"command": "ls"}, **SUB2)),
    ]
    done = (18.0, call("PostToolUse", "s", given=BASH, **SUB))
    still = judge(PROMPT, *asks, done, now=30, report=("waiting", 12.1, "permission prompt"))
    assert still["a2"].status == ASKING
    found = judge(PROMPT, *asks, done, now=30, report=("busy", 20))
    assert (found["a1"].status, found["a2"].status) == (WORKING, WORKING)


def test_idle_never_clears_a_sub_agent_that_asks() -> None:
    found = judge(PROMPT, (12.0, ask(BASH, **SUB)), stop(13, ("a1", "subagent")), now=30, report=("idle", 14))
    assert found["a1"].status == ASKING


def test_two_sub_agents_that_were_both_approved_are_working_case_62() -> None:
    found = judge(PROMPT, *TWO_ASK, now=30, report=("busy", 20))
    assert (found["a1"].status, found["a2"].status) == (WORKING, WORKING)


def test_a_dialog_that_was_answered_before_its_hook_could_tell_of_it_is_over() -> None:
    """Of an agent in the foreground, whose dialog opens at once."""
    closed: dict[str, Any] = {"report": ("busy", 12.7), "history": (PastReport("waiting", 12.1, 12.7),)}
    late = (PROMPT, (12.0, call("PreToolUse", "e", tool="Edit", given={}, **SUB)), (13.0, ask({}, tool="Edit", **SUB)))
    assert judge(*late, now=13.1, **closed)["a1"].status == WORKING
    other = (11.5, ask(BASH))
    assert judge(*late, other, now=13.1, **closed)["a1"].status == ASKING, "it may have been the other one's"
    earlier = {**closed, "history": (PastReport("waiting", 11.9, 12.7),)}
    assert judge(*late, now=13.1, **earlier)["a1"].status == ASKING, "opened before its call began"
    behind = launched(SUB)
    in_background = (14.0, call("PreToolUse", "e", tool="Edit", given={}, **SUB)), (15.0, ask({}, tool="Edit", **SUB))
    closed = {"report": ("busy", 14.7), "history": (PastReport("waiting", 14.1, 14.7),)}
    assert judge(*behind, *in_background, now=15.1, **closed)["a1"].status == ASKING, "it opens after the hooks"


def test_the_end_of_anothers_dialog_answers_no_request_that_was_made_a_moment_before() -> None:
    """Nobody answers its own, which opens then, so soon."""
    first = ((12.0, call("PreToolUse", "e", tool="Edit", given={}, **SUB)), (12.1, ask({}, tool="Edit", **SUB)))
    second = ((15.0, call("PreToolUse", "w", tool="Write", given={}, **SUB2)), (15.03, ask({}, tool="Write", **SUB2)))
    history = (PastReport("waiting", 12.15, 15.1),)
    found = judge(PROMPT, *first, *second, now=15.2, report=("busy", 15.1), history=history)
    assert (found["a1"].status, found["a2"].status) == (WORKING, ASKING)
    found = judge(PROMPT, *first, *second, now=15.6, report=("busy", 15.5), history=history)
    assert (found["a1"].status, found["a2"].status) == (WORKING, WORKING), "both dialogs were closed by then"


def test_a_dialog_that_was_closed_does_not_come_back_while_the_next_one_has_no_name_yet() -> None:
    """The registry tells of a dialog a moment before the hook says whose it is."""
    first = (PROMPT, (12.0, call("PreToolUse", "e", tool="Edit", given={}, **SUB)), (12.1, ask({}, tool="Edit", **SUB)))
    closed = PastReport("busy", 12.4, 13.0, after=12.2)
    again = RegistryReport("waiting", "permission prompt", 13.0)
    assert judge(*first, now=13.1, report=again, history=(closed,))["a1"].status == WORKING
    unseen = closed._replace(after=0.0)  # two words of the registry may be read as one
    assert judge(*first, now=13.1, report=again, history=(unseen,))["a1"].status == WORKING
    theirs = unseen._replace(until=12.5)
    soon = replace(again, at=12.5)
    assert judge(*first, now=12.6, report=soon, history=(theirs,))["a1"].status == ASKING, "it may have its turn"


@pytest.mark.parametrize(
    "other",
    [
        event("Elicitation", mcp_server_name="s"),
        event("Notification", notification_type="worker_permission_prompt", message="mia needs permission for Bash"),
    ],
)
def test_the_dialog_of_a_server_or_of_a_teammate_brings_no_request_back(other: dict[str, Any]) -> None:
    seen = [
        *launched(SUB),
        (14.0, call("PreToolUse", "e", tool="Edit", given={}, **SUB)),
        (14.1, ask({}, tool="Edit", **SUB)),
    ]
    closed = PastReport("busy", 15.0, 15.1)
    dialog = RegistryReport("waiting", "permission prompt", 15.1)
    more: dict[str, Any] = {"now": 16.5, "report": dialog, "history": (closed,)}
    assert judge(*seen, (15.0, other), **more)["a1"].status == WORKING
    assert judge(*seen, **more)["a1"].status == ASKING, "somebody must be"


def test_of_two_teammates_dialogs_the_one_that_is_open_is_the_nearer_to_the_registrys_word() -> None:
    """A watcher that has just begun knows no more than these."""
    words = ("Notification", "worker_permission_prompt")
    note = [event(words[0], notification_type=words[1], message=f"{name} needs permission for Bash") for name in "ab"]
    plan = call("PreToolUse", "p", tool="ExitPlanMode", given={})
    seen = [PROMPT, (14.0, plan), (14.05, ask({}, tool="ExitPlanMode"))]
    more: dict[str, Any] = {"now": 15.5, "report": RegistryReport("waiting", "permission prompt", 15.0)}
    more["mates"] = Mates(all=2, busy=2, is_asking=True)
    assert judge(*seen, (14.3, note[0]), (15.02, note[1]), **more)["main"].status == WORKING
    assert judge(*seen, (14.3, note[0]), **more)["main"].status == ASKING, "it may be behind that one"


def test_while_a_dialog_is_open_the_registry_does_not_say_which_of_two_requests_it_shows() -> None:
    found = judge(PROMPT, *TWO_ASK, now=30, report=OPEN_DIALOG)
    assert (found["a1"].status, found["a2"].status) == (ASKING, ASKING)


MCP: dict[str, Any] = {"tool": "mcp__slow__wait", "given": {"path": "x"}}


@pytest.mark.parametrize("busy_at", [11.02, 11.15, 11.3])
def test_a_request_that_a_hook_of_the_users_own_allows_at_once_is_working_case_61(busy_at: float) -> None:
    seen = (PROMPT, (11.0, call("PreToolUse", "m", **MCP)), (11.1, ask(MCP["given"], tool="mcp__slow__wait")))
    assert verdict(*seen, now=11.5, report=("busy", busy_at)) == (WORKING, "mcp__slow__wait")


def test_a_request_that_the_registry_has_not_heard_of_is_open_for_a_moment_only() -> None:
    seen = (PROMPT, (11.0, call("PreToolUse", "m", **MCP)), (11.1, ask(MCP["given"], tool="mcp__slow__wait")))
    assert verdict(*seen, now=11.5, report=("busy", 10.05))[0] == ASKING
    assert verdict(*seen, now=13.2, report=("busy", 10.05))[0] == WORKING


def test_a_sub_agents_request_that_hooks_hold_back_is_open_case_75() -> None:
    """The client shows its dialog only when all hooks have ended; one that allows leaves no trace at all."""
    seen = [
        *launched(SUB),
        (14.0, call("PreToolUse", "m", **MCP, **SUB)),
        (14.1, ask(MCP["given"], tool=MCP["tool"], **SUB)),
    ]
    busy = ("busy", 10.0)
    assert judge(*seen, now=14.5, report=busy, helpers=())["a1"].status == ASKING, "the registry lags"
    assert judge(*seen, now=17.0, report=busy, helpers=(Helper(14.05),))["a1"].status == ASKING, "a hook still runs"
    assert judge(*seen, now=17.0, report=busy, helpers=(Helper(3.0),))["a1"].status == WORKING, "a hook has allowed it"
    assert judge(*seen, now=17.0, report=busy)["a1"].status == ASKING, "no process can be seen"
    each = RegistryReport("busy", "", 10.0, asked=())
    assert judge(*seen, now=17.0, report=each)["a1"].status == WORKING, "the client tells of each agent that is asked"


def test_a_request_that_the_registry_once_cleared_stays_answered_when_another_one_asks() -> None:
    """Both of sub-agents whose tools have no process."""
    one, two = {"path": "1"}, {"path": "2"}
    seen = [*launched(SUB, SUB2), (14.0, ask(one, tool="mcp__a__b", **SUB)), (20.0, ask(two, tool="mcp__a__b", **SUB2))]
    busy, dialog = PastReport("busy", 16.0, 20.05), RegistryReport("waiting", "permission prompt", 20.05)
    found = judge(*seen, now=21, report=dialog, history=(busy,))
    assert (found["a1"].status, found["a2"].status) == (WORKING, ASKING)
    assert judge(*seen[:-1], now=21, report=dialog, history=(busy,))["a1"].status == WORKING, "a hook may yet tell"
    found = judge(*seen[:-1], now=21.1, report=dialog, history=(busy,))
    assert found["a1"].status == ASKING, "somebody is asked, and nobody else is known"
    found = judge(*seen, now=21, report=dialog, history=(PastReport("busy", 20.04, 20.05),))
    assert (found["a1"].status, found["a2"].status) == (WORKING, ASKING), "the newest was not shown yet"


def test_a_request_that_the_registry_once_cleared_stays_answered_when_another_one_has_just_ended() -> None:
    """The registry's file still shows the dialog of the call that has ended."""
    one, two = {"path": "1"}, {"path": "2"}
    seen = [*launched(SUB, SUB2), (14.0, ask(one, tool="mcp__a__b", **SUB))]
    seen += [
        (20.0, call("PreToolUse", "t2", "mcp__a__b", given=two, **SUB2)),
        (20.1, ask(two, tool="mcp__a__b", **SUB2)),
    ]
    dialog, busy = RegistryReport("waiting", "permission prompt", 20.15), PastReport("busy", 16.0, 20.15)
    assert judge(*seen, now=21.0, report=dialog, history=(busy,))["a2"].status == ASKING
    ended = (21.0, call("PostToolUse", "t2", "mcp__a__b", given=two, **SUB2))
    found = judge(*seen, ended, now=21.1, report=dialog, history=(busy,))
    assert (found["a1"].status, found["a2"].status) == (WORKING, WORKING)


def test_a_request_that_a_hook_allowed_at_once_does_not_come_back_with_the_next_dialog() -> None:
    """The registry never told of it, and would have: it was not shown for so long."""
    one, two = {"path": "1"}, {"path": "2"}
    seen = [PROMPT, (12.0, ask(one, tool="mcp__a__b", **SUB)), (15.0, ask(two, tool="mcp__a__b", **SUB2))]
    dialog, busy = RegistryReport("waiting", "permission prompt", 15.05), PastReport("busy", 10.1, 15.05)
    found = judge(*seen, now=15.2, report=dialog, history=(busy,))
    assert (found["a1"].status, found["a2"].status) == (WORKING, ASKING)
    found = judge(*seen[:2], now=15.1, report=dialog, history=(busy,))
    assert (found["a1"].status, found["main"].status) == (WORKING, WORKING), "for a moment nobody knows whose it is"
    assert judge(*seen[:2], now=16.1, report=dialog, history=(busy,))["main"].status == ASKING
    soon = PastReport("busy", 12.1, 15.05, after=12.05)
    found = judge(*seen[:2], (13.5, ask(two, tool="mcp__a__b", **SUB2)), now=15.2, report=dialog, history=(soon,))
    assert found["a1"].status == WORKING
    both = PastReport("busy", 10.1, 12.05)
    found = judge(*seen, now=15.2, report=dialog, history=(both,))
    assert (found["a1"].status, found["a2"].status) == (ASKING, ASKING), "another kind of dialog, with no pause between"


def test_the_dialog_of_a_main_agent_may_be_answered_soon_after_its_hook_has_told_of_it() -> None:
    one, two = {"path": "1"}, {"path": "2"}
    seen = [PROMPT, (12.0, call("PreToolUse", "t", "mcp__a__b", given=one)), (12.2, ask(one, tool="mcp__a__b"))]
    seen += [(12.3, ask(two, tool="mcp__a__b", **SUB))]
    dialog, busy = RegistryReport("waiting", "permission prompt", 12.5), PastReport("busy", 12.4, 12.5)
    found = judge(*seen, now=13, report=dialog, history=(busy,))
    assert (found["main"].status, found["a1"].status) == (WORKING, ASKING)


@pytest.mark.parametrize(("opened", "status"), [(9.0, ASKING), (12.01, WORKING)])
def test_the_end_of_a_dialog_that_was_open_before_a_call_says_nothing_of_that_call(opened: float, status: str) -> None:
    """Its own has yet to be told of; a server's question was open before, for instance."""
    plan = (PROMPT, (12.0, call("PreToolUse", "p", tool="ExitPlanMode", given={})))
    closed: dict[str, Any] = {"report": ("busy", 12.05), "history": (PastReport("waiting", opened, 12.05),)}
    assert judge(*plan, now=12.2, **closed)["main"].status == status


def test_a_busy_that_tells_of_the_beginning_of_a_turn_answers_no_call_of_it() -> None:
    """A call may be quicker than the registry."""
    plan = (PROMPT, (10.1, call("PreToolUse", "p", tool="ExitPlanMode", given={})))
    rested = (PastReport("idle", 5.0, 10.15),)
    assert judge(*plan, now=10.3, report=("busy", 10.15), history=rested)["main"].status == ASKING
    assert judge(*plan, now=10.6, report=("busy", 10.45), history=rested)["main"].status == WORKING


def test_a_dialog_is_not_answered_by_an_idle_between_two_turns() -> None:
    """Nobody can refuse so soon, and the registry's next word is on its way."""
    seen = (PROMPT, (11.0, call("PreToolUse", "t", "Edit", given={})), (11.1, ask({}, tool="Edit")))
    assert judge(*seen, now=11.3, report=RegistryReport("idle", "", 11.05, seen_at=11.25))["main"].status == ASKING
    assert judge(*seen, now=12, report=RegistryReport("idle", "", 11.5, seen_at=11.6))["main"].status == WAITING


def test_a_request_that_was_settled_while_no_dialog_was_open_stays_so_when_somebody_else_asks() -> None:
    """A hook has allowed it: the registry never told of its dialog."""
    one, two = {"path": "1"}, {"path": "2"}
    seen = [*launched(SUB), (14.0, ask(one, tool="mcp__a__b", **SUB))]
    busy = PastReport("busy", 10.1, 18.05)
    dialog = RegistryReport("waiting", "permission prompt", 18.05)
    both = (*seen, (18.0, ask(two, tool="mcp__a__b")))
    more: dict[str, Any] = {"now": 18.2, "report": dialog, "history": (busy,)}
    found = judge(*both, helpers=(), **more)
    assert (found["main"].status, found["a1"].status) == (ASKING, WORKING)
    assert judge(*both, **more)["a1"].status == ASKING, "no process can be seen: a hook may have held it back"
    held = (Helper(14.0, 18.04),)
    assert judge(*both, helpers=held, **more)["a1"].status == WORKING, "the hook was gone before the dialog opened"
    held = (Helper(14.0, 18.9),)
    assert judge(*both, helpers=held, **more)["a1"].status == ASKING, "its dialog may have opened with that"
    soon = {**more, "history": (busy._replace(until=15.9),), "report": replace(dialog, at=15.9), "now": 16.0}
    assert judge(*both[:-1], helpers=(), **soon)["a1"].status == ASKING, "its dialog may have been about to open"
    assert judge(*seen, helpers=(), **more)["a1"].status == WORKING, "a hook may yet tell whose dialog it is"
    later = {**more, "now": 19.1}
    assert judge(*seen, helpers=(), **later)["a1"].status == ASKING, "somebody is asked, and nobody else is known"


def test_a_sub_agents_request_is_judged_again_when_the_registry_must_know_of_it_case_61() -> None:
    seen = [*launched(SUB), (14.0, call("PreToolUse", "t", given=BASH, **SUB)), (14.5, ask(BASH, **SUB))]
    more: dict[str, Any] = {"report": ("busy", 13.5), "helpers": ()}
    asked = judge(*seen, now=15, **more)["a1"]
    assert (asked.status, asked.until) == (ASKING, 16.5)
    assert judge(*seen, now=16.6, **more)["a1"].status == WORKING, "a hook of the user's has allowed it"


def test_with_teammates_in_panes_a_request_that_was_settled_before_is_not_asked_again() -> None:
    """Only while the transcript may yet tell that a person has refused the one whose dialog has just closed."""
    seen = [PROMPT, (14.0, call("PreToolUse", "t", tool="Edit", given={})), (14.05, ask({}, tool="Edit"))]
    more: dict[str, Any] = {"now": 20.1, "report": ("busy", 20.0), "mates": Mates(all=1, busy=1)}
    dialog, settled = PastReport("waiting", 14.1, 15.0), PastReport("busy", 15.0, 18.0, 14.1)
    assert verdict(*seen, **more, history=(dialog._replace(until=20.0),))[0] == ASKING, "it may have been refused"
    assert verdict(*seen, **more, history=(dialog, settled, PastReport("waiting", 18.0, 20.0)))[0] == WORKING


def test_the_end_of_a_dialog_is_not_that_of_a_teammates_which_follows_it_at_once() -> None:
    seen = [PROMPT, (14.0, call("PreToolUse", "t", given=BASH))]
    shown = (Shown("main", "Bash", 15.0),)
    late, over = (RegistryReport("busy", "", at) for at in (15.01, 15.4))
    assert verdict(*seen, now=15.5, shown=shown, lead_report=late)[0] == ASKING
    assert verdict(*seen, now=15.5, shown=shown, lead_report=over)[0] == WORKING


def test_a_teammates_dialog_that_closes_just_when_it_is_told_of_has_been_answered() -> None:
    seen, shown = [PROMPT, (14.0, call("PreToolUse", "t", given=BASH))], (Shown("main", "Bash", 15.0),)
    more: dict[str, Any] = {"now": 15.5, "shown": shown, "lead_report": RegistryReport("busy", "", 15.01)}
    assert verdict(*seen, **more, history=(PastReport("waiting", 14.8, 15.01),))[0] == WORKING
    long_open = (PastReport("waiting", 14.5, 15.01),)
    assert verdict(*seen, **more, history=long_open)[0] == ASKING, "it may have been another one's, before it"
