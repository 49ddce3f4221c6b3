"""The law, where a source tells of the present, and where a guess must not overrule it.

The situations were met on the real client; a number in a name is that of docs/CASES.md.
"""

from dataclasses import replace
from typing import Any

import pytest

from processes.helpers import Helper
from processes.shells import Command
from support.builders import ask, call, event
from support.cases import (
    ASK,
    ASKING,
    BASH,
    PRE,
    PROMPT,
    STOP,
    SUB,
    SUB2,
    WAITING,
    WORKING,
    facts_of,
    judge,
    launched,
    stop,
    verdict,
)
from watcher.clients.base import Meta
from watcher.rules.commands_seen import first_seen
from watcher.rules.dialogs import Word
from watcher.rules.evidence import Evidence
from watcher.rules.evidence import Said as Registered
from watcher.rules.law import resolve
from watcher.rules.turn import (
    Activity,
    Call,
    Continued,
    Ended,
    Event,
    Failed,
    Finished,
    Interrupted,
    Local,
    Prompt,
    Queued,
    Refused,
    Result,
    Said,
    Started,
    Turn,
    fold_all,
)

TWO_ASK = [(12.0, ask(BASH, **SUB)), (12.1, ask({"command": "ls"}, **SUB2))]
OPEN_DIALOG = ("waiting", 12.15, "permission prompt")


def test_two_sub_agents_that_were_both_approved_are_working_case_62() -> None:
    found = judge(PROMPT, *TWO_ASK, now=30, said=("busy", 20))
    assert (found["a1"].status, found["a2"].status) == (WORKING, WORKING)


def test_a_dialog_that_was_answered_before_its_hook_could_tell_of_it_is_over() -> None:
    """Of an agent in the foreground, whose dialog opens at once."""
    closed: dict[str, Any] = {"said": ("busy", 12.7), "history": (Word("waiting", 12.1, 12.7),)}
    late = (PROMPT, (12.0, call("PreToolUse", "e", tool="Edit", given={}, **SUB)), (13.0, ask({}, tool="Edit", **SUB)))
    assert judge(*late, now=13.1, **closed)["a1"].status == WORKING
    other = (11.5, ask(BASH))
    assert judge(*late, other, now=13.1, **closed)["a1"].status == ASKING, "it may have been the other one's"
    earlier = {**closed, "history": (Word("waiting", 11.9, 12.7),)}
    assert judge(*late, now=13.1, **earlier)["a1"].status == ASKING, "opened before its call began"
    behind = launched(SUB)
    in_background = (14.0, call("PreToolUse", "e", tool="Edit", given={}, **SUB)), (15.0, ask({}, tool="Edit", **SUB))
    closed = {"said": ("busy", 14.7), "history": (Word("waiting", 14.1, 14.7),)}
    assert judge(*behind, *in_background, now=15.1, **closed)["a1"].status == ASKING, "it opens after the hooks"


def test_a_dialog_that_was_closed_does_not_come_back_while_the_next_one_has_no_name_yet() -> None:
    """The registry tells of a dialog a moment before the hook says whose it is."""
    first = (PROMPT, (12.0, call("PreToolUse", "e", tool="Edit", given={}, **SUB)), (12.1, ask({}, tool="Edit", **SUB)))
    closed = Word("busy", 12.4, 13.0, after=12.2)
    again = Registered("waiting", "permission prompt", 13.0)
    assert judge(*first, now=13.1, heard=again, history=(closed,))["a1"].status == WORKING
    unseen = closed._replace(after=0.0)  # two words of the registry may be read as one
    assert judge(*first, now=13.1, heard=again, history=(unseen,))["a1"].status == WORKING
    theirs = unseen._replace(until=12.5)
    soon = replace(again, at=12.5)
    assert judge(*first, now=12.6, heard=soon, history=(theirs,))["a1"].status == ASKING, "it may have its turn"


def test_a_client_that_clears_itself_does_not_make_its_next_session_work() -> None:
    started = (10.0, event("SessionStart", source="clear"))
    late = Registered("busy", "", 10.05, seen_at=10.2)
    assert verdict(started, now=10.25, heard=late)[0] == WAITING
    assert verdict(started, now=13, heard=late)[0] == WORKING, "no longer a matter of a moment"
    prompt = (10.1, event("UserPromptSubmit", prompt="x"))
    assert verdict(started, prompt, now=10.25, heard=late)[0] == WORKING
    assert verdict(started, now=11.3, heard=Registered("busy", "", 11.0, seen_at=11.2))[0] == WORKING


def test_a_question_that_is_written_but_whose_turn_has_not_come_is_not_asked_without_hooks() -> None:
    lines: list[Event] = [Prompt(10.0, "p", machine=False), Call(11.0, "q", "AskUserQuestion")]
    assert verdict(now=11.1, lines=lines, said=("busy", 10.1))[0] == WORKING
    assert verdict(now=11.1, lines=lines, said=("waiting", 11.0, "input needed"))[0] == ASKING
    assert verdict(now=11.1, lines=lines)[0] == ASKING


def test_a_written_question_whose_turn_comes_late_is_its_agents_own_without_hooks() -> None:
    lines: dict[str, list[Event]] = {"a1": [Prompt(10.5, "p", machine=False), Call(11.0, "q", "ExitPlanMode")]}
    more: dict[str, Any] = {"lines": [Prompt(10.0, "p", machine=False)], "metas": {"a1": Meta()}, "sub_lines": lines}
    dialog, busy = Registered("waiting", "permission prompt", 30.0), Word("busy", 10.1, 30.0)
    found = judge(now=30.1, heard=dialog, history=(busy,), **more)
    assert (found["main"].status, found["a1"].status) == (WORKING, ASKING)


def test_an_answered_question_of_a_sub_agent_is_not_asked_by_main_meanwhile_without_hooks() -> None:
    question = Call(11.0, "q", "AskUserQuestion")
    opened = Prompt(10.5, "p", machine=False)
    asked: dict[str, list[Event]] = {"a1": [opened, question]}
    answered: dict[str, list[Event]] = {"a1": [opened, question, Result(13.0, "q", None)]}
    more: dict[str, Any] = {"lines": [Prompt(10.0, "p", machine=False)], "metas": {"a1": Meta()}}
    dialog = ("waiting", 11.0, "input needed")
    assert judge(now=12, sub_lines=asked, said=dialog, **more)["a1"].status == ASKING
    assert judge(now=13.1, sub_lines=answered, said=dialog, **more)["main"].status == WORKING
    assert judge(now=16, sub_lines=answered, said=dialog, **more)["main"].status == ASKING, "somebody else's, then"


def test_what_went_on_at_the_end_of_a_turn_has_ended_with_its_process() -> None:
    lines: list[Event] = [Prompt(10.0, "p", machine=False), Ended(12.0, agents=1)]
    assert verdict(now=20, lines=lines) == (WORKING, "1 sub-agent")
    assert verdict(now=20, lines=lines, began=15.0)[0] == WAITING


def test_a_sub_agent_that_waits_for_its_own_is_working_without_hooks() -> None:
    metas = {"a1": Meta(over=True), "a2": Meta(parent="a1")}
    words: dict[str, list[Event]] = {
        "a1": [Prompt(11.0, "p", machine=False), Said(12.0, "end_turn")],
        "a2": [Prompt(11.5, "p", machine=False), Activity(12.0)],
    }
    found = judge(
        now=20,
        lines=[Prompt(10.0, "p", machine=False)],
        sub_lines=words,
        metas=metas,
        parents={"a1": "main", "a2": "a1"},
    )
    assert (found["a1"].status, found["a1"].detail, found["a2"].status) == (WORKING, "1 sub-agent", WORKING)


def test_a_sub_agent_that_hears_of_its_own_is_working_without_hooks() -> None:
    metas, parents = {"a1": Meta(over=True), "a2": Meta(parent="a1", over=True)}, {"a1": "main", "a2": "a1"}
    outer: list[Event] = [Prompt(11.0, "p", True), Started(11.2, "a2", "agent"), Said(12.0, "end_turn")]
    words: dict[str, list[Event]] = {
        "a1": outer,
        "a2": [Prompt(11.3, "p", True), Activity(20.0), Said(20.0, "end_turn")],
    }
    more: dict[str, Any] = {"lines": [Prompt(10.0, "p", False)], "metas": metas, "parents": parents}
    found = judge(now=20.2, sub_lines=words, **more)["a1"]
    assert (found.status, found.rule, found.until) == (WORKING, "news-is-due", 23.0)
    assert judge(now=23.1, sub_lines=words, **more)["a1"].detail == "finished"
    assert judge(now=20.2, sub_lines=words, began=15.0, **more)["a1"].detail == "finished", "of an earlier process"
    woken = {**words, "a1": [*outer, Finished(20.1, "a2"), Prompt(20.1, "p", True), Call(20.3, "t", "Bash")]}
    assert judge(now=60, sub_lines=woken, **more)["a1"].rule == "at-work", "the client's note is of before"
    over = {**words, "a1": [*woken["a1"], Result(60, "t", None), Said(61, "end_turn")]}
    assert judge(now=61.1, sub_lines=over, **more)["a1"].detail == "finished"
    in_front: dict[str, list[Event]] = {**words, "a1": [Prompt(11.0, "p", True), Said(20.1, "end_turn")]}
    assert judge(now=20.2, sub_lines=in_front, **more)["a1"].detail == "finished", "its call has told it"


def test_a_sub_agent_that_waits_for_its_own_stays_when_their_client_is_stopped() -> None:
    inner = {"agent_id": "a2", "agent_type": "Explore"}
    made = (12.0, call("PostToolUse", "g", tool="Agent", given={}, tool_response={"agentId": "a2"}, **SUB))
    seen = [*launched(SUB)[:-1], made, (12.1, event("SubagentStart", **inner)), (13.0, event("SubagentStop", **SUB))]
    parents = {"a1": "main", "a2": "a1"}
    assert judge(*seen, now=20, parents=parents)["a1"].status == WORKING
    found = judge(*seen, now=20, parents=parents, stopped_at=19.0)
    assert [(found[key].status, found[key].detail) for key in ("a1", "a2")] == [(WAITING, "stopped")] * 2


def test_an_agent_in_the_background_is_answered_by_no_command_that_may_be_anothers() -> None:
    seen = [*launched(SUB), (14.0, call("PreToolUse", "t", given=BASH, **SUB)), (14.5, ask(BASH, **SUB))]
    equal = (14.1, call("PreToolUse", "u", given=BASH, **SUB2))
    assert judge(*seen, equal, now=16, commands=[("npm test", 14.3)])["a1"].status == ASKING
    assert judge(*seen, equal, now=16, commands=[("npm test", 14.3), ("npm test", 14.6)])["a1"].status == WORKING
    assert judge(*seen, now=16, commands=[("npm test", 14.3)])["a1"].status == WORKING, "allowed before our hook told"
    assert judge(*seen, now=16, commands=[("npm test", 13.9)])["a1"].status == ASKING, "before its call"


def test_an_interruption_counts_before_the_registry_has_heard_of_it() -> None:
    lines: list[Event] = [Interrupted(12.0)]
    assert verdict(PROMPT, PRE, now=12.1, lines=lines, said=("busy", 10.1)) == (WAITING, "interrupted")
    assert verdict(PROMPT, PRE, now=15, lines=lines, said=("busy", 10.1))[0] == WORKING, "it must know by then"
    assert verdict(PROMPT, PRE, now=12.1, lines=lines, said=("busy", 12.05))[0] == WORKING


def test_news_of_a_sub_agent_that_ended_in_mid_turn_is_due_after_the_turn() -> None:
    sub = [
        (11.0, event("SubagentStart", **SUB)),
        (11.1, call("PostToolUse", "g", tool="Agent", given={}, tool_response={"agentId": "a1"})),
    ]
    seen = [PROMPT, *sub, PRE, (11.2, ask(BASH)), (12.0, event("SubagentStop", **SUB))]
    lines: list[Event] = [Interrupted(30.0)]
    dialog = ("waiting", 13.0, "permission prompt")
    assert judge(*seen, now=30.1, lines=lines, said=dialog)["main"].rule == "news-is-due"
    assert judge(*seen, now=34, lines=lines)["main"].status == WAITING
    told = (30.5, event("UserPromptSubmit", prompt="<task-notification><task-id>a1</task-id>", prompt_id="q"))
    ended = (31.0, event("Stop", prompt_id="q", background_tasks=[]))
    assert judge(*seen, told, ended, now=31.5, lines=lines)["main"].status == WAITING, "it has been told"


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
    closed = Word("busy", 15.0, 15.1)
    dialog = Registered("waiting", "permission prompt", 15.1)
    more: dict[str, Any] = {"now": 16.5, "heard": dialog, "history": (closed,)}
    assert judge(*seen, (15.0, other), **more)["a1"].status == WORKING
    assert judge(*seen, **more)["a1"].status == ASKING, "somebody must be"


def test_while_a_dialog_is_open_the_registry_does_not_say_which_of_two_requests_it_shows() -> None:
    found = judge(PROMPT, *TWO_ASK, now=30, said=OPEN_DIALOG)
    assert (found["a1"].status, found["a2"].status) == (ASKING, ASKING)


def test_of_two_requests_the_one_whose_command_runs_is_answered_and_never_the_last_one() -> None:
    found = judge(PROMPT, *TWO_ASK, now=30, said=OPEN_DIALOG, commands=[("npm test", 20.0)])
    assert (found["a1"].status, found["a2"].status) == (WORKING, ASKING)
    found = judge(PROMPT, *TWO_ASK, now=30, said=OPEN_DIALOG, commands=[("npm test", 20.0), ("ls", 20.0)])
    assert ASKING in (found["a1"].status, found["a2"].status)


@pytest.mark.parametrize("said", [OPEN_DIALOG, None])
@pytest.mark.parametrize("is_over", [False, True])
@pytest.mark.parametrize("command", ["ls -la", "npm testify"])
def test_a_request_is_not_answered_by_another_agents_command_case_59(said: Any, is_over: bool, command: str) -> None:
    """At the same moment; its own call may have ended, and its end may be told late."""
    given = {"command": command}
    seen = [*launched(SUB, SUB2), (14.0, call("PreToolUse", "s", given=BASH, **SUB)), (14.1, ask(BASH, **SUB))]
    seen.append((14.1, call("PreToolUse", "o", given=given, **SUB2)))
    if is_over:
        seen.append((14.3, call("PostToolUse", "o", given=given, **SUB2)))
    found = judge(*seen, now=30, said=said, commands=[(command, 14.15)])
    assert (found["a1"].status, found["a1"].detail) == (ASKING, "Bash: npm test")


def test_a_command_that_was_rewritten_on_the_way_answers_only_where_no_registry_tells() -> None:
    rewritten = [("timeout 60 npm test", 15.0)]
    assert verdict(PROMPT, PRE, ASK, now=30, commands=rewritten)[0] == WORKING
    assert verdict(PROMPT, PRE, ASK, now=16, commands=rewritten)[0] == ASKING, "its call may not be known yet"
    assert (
        verdict(PROMPT, PRE, ASK, now=30, commands=rewritten, said=("waiting", 11.2, "permission prompt"))[0] == ASKING
    )


MCP: dict[str, Any] = {"tool": "mcp__slow__wait", "given": {"path": "x"}}


@pytest.mark.parametrize("busy_at", [11.02, 11.15, 11.3])
def test_a_request_that_a_hook_of_the_users_own_allows_at_once_is_working_case_61(busy_at: float) -> None:
    seen = (PROMPT, (11.0, call("PreToolUse", "m", **MCP)), (11.1, ask(MCP["given"], tool="mcp__slow__wait")))
    assert verdict(*seen, now=11.5, said=("busy", busy_at)) == (WORKING, "mcp__slow__wait")


def test_a_request_that_the_registry_has_not_heard_of_is_open_for_a_moment_only() -> None:
    seen = (PROMPT, (11.0, call("PreToolUse", "m", **MCP)), (11.1, ask(MCP["given"], tool="mcp__slow__wait")))
    assert verdict(*seen, now=11.5, said=("busy", 10.05))[0] == ASKING
    assert verdict(*seen, now=13.2, said=("busy", 10.05))[0] == WORKING


def test_a_sub_agents_request_that_hooks_hold_back_is_open_case_75() -> None:
    """The client shows its dialog only when all hooks have ended; one that allows leaves no trace at all."""
    seen = [
        *launched(SUB),
        (14.0, call("PreToolUse", "m", **MCP, **SUB)),
        (14.1, ask(MCP["given"], tool=MCP["tool"], **SUB)),
    ]
    busy = ("busy", 10.0)
    assert judge(*seen, now=14.5, said=busy, helpers=())["a1"].status == ASKING, "the registry lags"
    assert judge(*seen, now=17.0, said=busy, helpers=(Helper(14.05),))["a1"].status == ASKING, "a hook still runs"
    assert judge(*seen, now=17.0, said=busy, helpers=(Helper(3.0),))["a1"].status == WORKING, "a hook has allowed it"
    assert judge(*seen, now=17.0, said=busy)["a1"].status == ASKING, "no process can be seen"


def test_a_request_that_is_older_than_its_process_is_over_case_67() -> None:
    assert verdict(PROMPT, PRE, ASK, now=60, began=50.0)[0] == WAITING


def test_a_stop_hook_that_sends_the_model_back_leaves_it_working_case_57() -> None:
    assert verdict(PROMPT, STOP, now=31, said=("busy", 10.1))[0] == WORKING, "the registry says so"
    back = [Prompt(10, "p", False), Activity(20), Said(20, "end_turn"), Continued(21.1)]
    assert verdict(PROMPT, STOP, now=31, lines=back) == (WORKING, "thinking"), "without it the transcript does"
    assert verdict(PROMPT, STOP, now=31, said=("idle", 21.1))[0] == WAITING
    assert verdict(PROMPT, STOP, now=21.2, lines=back[:-1])[0] == WORKING, "it has not told yet"
    assert verdict(PROMPT, STOP, now=21.2, lines=[*back[:-1], Ended(21.1)])[0] == WAITING
    assert verdict(PROMPT, STOP, now=22.5, lines=back[:-1])[0] == WAITING
    goal = [*back[:-1], Continued(21.1, is_sure=False)]
    assert verdict(PROMPT, STOP, now=31, lines=goal)[0] == WORKING
    assert verdict(PROMPT, STOP, now=31, lines=[*back[:-1], Ended(21.1), goal[-1]])[0] == WAITING


def test_a_goal_is_pursued_until_the_api_has_judged_that_it_is_met() -> None:
    """Without the registry only the transcript tells, and the client writes in either case."""
    goal = [Prompt(10, "p", machine=False, goal=True), Activity(20), Said(20, "end_turn")]
    assert verdict(PROMPT, STOP, now=23, lines=goal) == (WORKING, "thinking"), "it may still be judged"
    assert verdict(PROMPT, STOP, now=23, lines=[*goal, Ended(22.9)])[0] == WAITING
    assert verdict(PROMPT, STOP, now=27, lines=goal)[0] == WAITING
    assert verdict(PROMPT, STOP, now=23, lines=[Prompt(10, "p", machine=False), *goal[1:]])[0] == WAITING


def test_a_turn_is_over_at_once_when_the_registry_follows_the_stop() -> None:
    assert verdict(PROMPT, STOP, now=21.05, said=("busy", 10.1))[0] == WORKING, "a Stop hook may still run"
    assert verdict(PROMPT, STOP, now=21.1, said=("idle", 21.08))[0] == WAITING


def test_a_prompt_counts_at_once_though_the_registry_still_says_idle() -> None:
    assert verdict(PROMPT, now=10.3, said=("idle", 5.0))[0] == WORKING


def test_a_prompt_that_a_hook_has_refused_is_no_turn() -> None:
    assert verdict(PROMPT, now=12.5, said=("idle", 5.0))[0] == WAITING, "the registry never said busy"
    assert verdict(PROMPT, now=12, lines=[Refused(10.5)])[0] == WAITING, "the transcript says so"
    before = [Prompt(5, "o", False), Activity(6), Ended(7)]
    assert verdict(PROMPT, now=12, lines=[*before, Refused(10.5)])[0] == WAITING, "also after an earlier turn"


def test_what_the_registry_told_of_a_process_that_cannot_be_seen_is_an_event_like_others() -> None:
    away = Registered("busy", "", 10.1, is_now=False)
    assert judge(PROMPT, STOP, now=31, heard=away)["main"].status == WAITING


def test_a_compaction_that_was_refused_cancelled_or_failed_is_over_case_58() -> None:
    begun = (20.0, event("PreCompact", trigger="manual"))
    assert verdict(PROMPT, (15.0, event("Stop")), begun, now=21) == (WORKING, "compacting")
    assert verdict(PROMPT, (15.0, event("Stop")), begun, now=21, lines=[Local(20.4)])[0] == WAITING
    assert verdict(PROMPT, (15.0, event("Stop")), begun, now=20.2, said=("idle", 15.1))[0] == WORKING
    assert verdict(PROMPT, (15.0, event("Stop")), begun, now=22.5, said=("idle", 15.1))[0] == WAITING
    assert verdict(PROMPT, (15.0, event("Stop")), begun, now=20.6, said=("idle", 20.5))[0] == WAITING
    assert verdict(PROMPT, (15.0, event("Stop")), begun, now=60, said=("busy", 20.1)) == (WORKING, "compacting")


def test_a_compaction_that_is_interrupted_at_once_is_over_case_58() -> None:
    begun, lines = (15.0, event("PreCompact", trigger="auto")), [Prompt(10, "p", False), Interrupted(15.01)]
    assert verdict(PROMPT, begun, now=15.1, lines=lines) == (WAITING, "interrupted")


def test_a_rejected_call_is_nobodys_detail_case_60() -> None:
    again = (40.0, event("UserPromptSubmit", prompt_id="q"))
    assert verdict(PROMPT, PRE, ASK, again, now=41, said=("busy", 40.1)) == (WORKING, "thinking")
    rejected = [Prompt(10, "p", False), Call(10.9, "t1", "Bash"), Result(20, "t1", "user")]
    assert verdict(PROMPT, PRE, ASK, now=21, lines=rejected) == (WORKING, "thinking"), "with feedback it goes on"


def test_a_sub_agent_whose_last_request_failed_is_over() -> None:
    found = judge(*launched(SUB), (14.0, event("StopFailure", error="rate_limit", **SUB)), now=15)
    assert (found["a1"].status, found["a1"].detail) == (WAITING, "error: rate limit")


def test_a_client_that_is_stopped_waits_case_73() -> None:
    found = judge(*launched(SUB), now=31, stopped_at=30.0)
    assert [(one.status, one.detail) for one in found.values()] == [(WAITING, "stopped")] * 2
    assert judge(PROMPT, PRE, ASK, now=31, stopped_at=30.0)["main"].status == ASKING, "it asks all the same"


@pytest.mark.parametrize(("tool", "words"), [("AskUserQuestion", "question"), ("ExitPlanMode", "plan")])
def test_a_question_that_is_open_in_the_transcript_asks_without_hooks_case_72(tool: str, words: str) -> None:
    lines = [Prompt(10, "p", False), Call(11, "t", tool)]
    assert verdict(now=20, lines=lines) == (ASKING, words)
    assert verdict(now=20, lines=[*lines, Result(15, "t", None)]) == (WORKING, "thinking")
    assert verdict((5.0, event("SessionStart", source="startup")), now=20, lines=lines) == (ASKING, words), (
        "only its start"
    )


def test_a_sub_agent_without_hooks_ends_with_what_its_parent_was_told_case_72() -> None:
    begun: list[Event] = [Prompt(10, "p", False), Call(11, "t", "Agent")]
    work: dict[str, list[Event]] = {"a1": [Prompt(11, "", True), Activity(15)]}
    metas = {"a1": Meta("Explore", call_id="t")}
    assert judge(now=30, lines=begun, sub_lines=work, metas=metas)["a1"].status == WORKING
    done = [*begun, Result(20, "t", None)]
    assert judge(now=30, lines=done, sub_lines=work, metas=metas)["a1"].detail == "finished"
    sent = [*begun, Result(12, "t", None), Started(12, "a1", "agent")]
    assert judge(now=30, lines=sent, sub_lines=work, metas=metas)["a1"].status == WORKING
    told = [*sent, Finished(20, "a1")]
    assert judge(now=30, lines=told, sub_lines=work, metas=metas)["a1"].detail == "finished"


def test_without_hooks_a_sub_agent_that_began_before_its_process_is_that_of_another_terminal() -> None:
    work: dict[str, list[Event]] = {"a1": [Prompt(11, "", True), Activity(15)]}
    metas = {"a1": Meta("Explore", call_id="t")}
    assert judge(now=16, sub_lines=work, metas=metas, began=10.0)["a1"].status == WORKING
    assert judge(now=16, sub_lines=work, metas=metas, began=12.0)["a1"].detail == "finished"


def test_without_hooks_what_was_left_running_at_the_end_of_a_turn_is_working() -> None:
    lines = [Prompt(10, "p", False), Activity(11), Said(11, "end_turn")]
    assert verdict(now=30, lines=[*lines, Ended(11.1, 2, 1)]) == (WORKING, "2 sub-agents, 1 workflow")
    assert verdict(now=30, lines=[*lines, Ended(11.1)])[0] == WAITING
    assert verdict(now=30, lines=[*lines, Ended(11.1, 2, 1), Prompt(20, "q", True), Ended(21)])[0] == WAITING


def test_a_question_that_is_written_down_is_not_asked_before_its_turn_comes() -> None:
    lines = [Prompt(10, "p", False), Call(10.9, "t1", "Bash"), Call(10.9, "q", "AskUserQuestion")]
    assert verdict(PROMPT, PRE, now=11.05, lines=lines) == (WORKING, "Bash: npm test")


def test_without_hooks_a_question_behind_a_call_that_runs_is_not_the_one_that_is_asked_case_72() -> None:
    lines: list[Event] = [Prompt(10, "p", False), Call(11, "p1", "ExitPlanMode")]
    work: list[Event] = [Prompt(10, "", True), Call(11, "b", "Bash"), Call(11, "q", "AskUserQuestion")]
    metas, dialog = {"a1": Meta("Explore")}, ("waiting", 11.1, "permission prompt")
    found = judge(now=12, lines=lines, sub_lines={"a1": work}, metas=metas, said=dialog)
    assert (found["main"].status, found["a1"].status) == (ASKING, WORKING)
    its_turn = [*work, Result(11.5, "b", None)]
    found = judge(now=12, lines=lines, sub_lines={"a1": its_turn}, metas=metas, said=dialog)
    assert (found["main"].status, found["a1"].status) == (ASKING, ASKING)
    assert judge(now=12, lines=lines, sub_lines={"a1": work}, metas=metas)["a1"].status == ASKING, "nobody would tell"


def test_a_dialog_that_opens_after_an_answer_is_not_the_one_that_was_answered() -> None:
    lines = [Prompt(10, "p", False), Call(11, "q", "ExitPlanMode"), Result(13, "q", None), Call(13.1, "f", "mcp__a__b")]
    assert verdict(now=13.6, lines=lines, said=("waiting", 13.3, "input needed")) == (ASKING, "question")
    assert verdict(now=13.6, lines=lines, said=("waiting", 11.3, "permission prompt"))[0] == WORKING, "not told yet"


def test_a_dialog_of_the_registry_waits_a_moment_for_the_hook_that_says_whose_it_is() -> None:
    told = ("waiting", 11.0, "permission prompt")
    found = judge(PROMPT, PRE, now=11.1, said=told)["main"]
    assert (found.status, found.until) == (WORKING, 12.0)
    assert verdict(PROMPT, PRE, now=12.1, said=told) == (ASKING, "permission")
    assert verdict(now=11.1, lines=[Prompt(10, "p", False)], said=told) == (ASKING, "permission"), "no hook will come"
    assert verdict(PROMPT, PRE, now=11.1, said=("waiting", 11.0, "sandbox request"))[0] == ASKING


def test_a_request_that_the_registry_once_cleared_stays_answered_when_another_one_asks() -> None:
    """Both of sub-agents whose tools have no process."""
    one, two = {"path": "1"}, {"path": "2"}
    seen = [*launched(SUB, SUB2), (14.0, ask(one, tool="mcp__a__b", **SUB)), (20.0, ask(two, tool="mcp__a__b", **SUB2))]
    busy, dialog = Word("busy", 16.0, 20.05), Registered("waiting", "permission prompt", 20.05)
    found = judge(*seen, now=21, heard=dialog, history=(busy,))
    assert (found["a1"].status, found["a2"].status) == (WORKING, ASKING)
    found = judge(*seen[:-1], now=21, heard=dialog, history=(busy,))
    assert found["a1"].status == ASKING, "somebody is asked, and nobody else is known"
    found = judge(*seen, now=21, heard=dialog, history=(Word("busy", 20.04, 20.05),))
    assert (found["a1"].status, found["a2"].status) == (WORKING, ASKING), "the newest was not shown yet"


def test_a_request_that_the_registry_once_cleared_stays_answered_when_another_one_has_just_ended() -> None:
    """The registry's file still shows the dialog of the call that has ended."""
    one, two = {"path": "1"}, {"path": "2"}
    seen = [*launched(SUB, SUB2), (14.0, ask(one, tool="mcp__a__b", **SUB))]
    seen += [
        (20.0, call("PreToolUse", "t2", "mcp__a__b", given=two, **SUB2)),
        (20.1, ask(two, tool="mcp__a__b", **SUB2)),
    ]
    dialog, busy = Registered("waiting", "permission prompt", 20.15), Word("busy", 16.0, 20.15)
    assert judge(*seen, now=21.0, heard=dialog, history=(busy,))["a2"].status == ASKING
    ended = (21.0, call("PostToolUse", "t2", "mcp__a__b", given=two, **SUB2))
    found = judge(*seen, ended, now=21.1, heard=dialog, history=(busy,))
    assert (found["a1"].status, found["a2"].status) == (WORKING, WORKING)


def test_a_registry_whose_word_on_the_turn_comes_after_its_end_does_not_open_it_again() -> None:
    late = Registered("busy", "", 20.9, seen_at=21.1)
    assert judge(PROMPT, STOP, now=21.2, heard=late)["main"].status == WAITING
    assert judge(PROMPT, STOP, now=24, heard=late)["main"].status == WORKING, "it has not taken it back"


def test_a_command_that_a_hook_allowed_before_ours_was_told_is_working() -> None:
    assert verdict(PROMPT, PRE, ASK, now=12, commands=[("npm test", 11.05)])[0] == WORKING


def test_a_blink_of_the_registry_between_two_turns_ends_nothing() -> None:
    woken: list[Event] = [Prompt(10, "p", False), Ended(21.0), Prompt(21.1, "q", True)]
    blink = Registered("idle", "", 21.2, seen_at=21.25)
    assert judge(PROMPT, STOP, now=21.3, heard=blink, lines=woken)["main"].status == WORKING
    assert judge(PROMPT, STOP, now=21.7, heard=blink, lines=woken)["main"].status == WAITING


def test_a_session_that_is_resumed_after_its_client_left_in_mid_turn_waits_at_once() -> None:
    cut_off = [Prompt(10, "p", False), Call(11, "t1", "Bash")]
    again = (20.0, event("SessionStart", source="resume"))
    assert verdict(PROMPT, PRE, again, now=20.1, lines=cut_off)[0] == WAITING


def test_a_sub_agent_that_is_about_to_hear_of_its_own_sub_agent_keeps_the_session_working() -> None:
    seen = [*launched(SUB, SUB2), (15.0, event("SubagentStop", **SUB)), (18.0, event("SubagentStop", **SUB2))]
    parents = {"a1": "main", "a2": "a1"}
    found = judge(*seen, now=18.5, parents=parents)
    assert (found["main"].status, found["a1"].detail) == (WORKING, "reading its agents' results")
    assert judge(*seen, now=22, parents=parents)["a1"].detail == "finished", "it has not come"


def test_a_busy_that_was_written_after_its_turns_end_is_late_however_often_that_end_is_told() -> None:
    late = Registered("busy", "", 20.9, seen_at=21.1)
    lines: list[Event] = [Prompt(10, "p", False), Said(20.98, "end_turn"), Ended(21.2)]
    assert judge(PROMPT, STOP, now=21.3, lines=lines, heard=late)["main"].status == WAITING


def test_a_sub_agent_whose_stop_was_lost_is_over_when_the_clients_note_says_so() -> None:
    seen = [*launched(SUB), (14.0, call("PreToolUse", "s", given=BASH, **SUB)), (15.0, call("PostToolUse", "s", **SUB))]
    said: dict[str, list[Event]] = {"a1": [Prompt(11.1, "", True), Activity(16.0), Said(16.0, "end_turn")]}
    over = {"a1": Meta("Explore", over=True)}
    found = judge(*seen, now=17, sub_lines=said, metas=over)["a1"]
    assert (found.status, found.until) == (WORKING, 18.0), "its own hook may be on its way"
    assert judge(*seen, now=18.1, sub_lines=said, metas=over)["a1"].rule == "recorded-end"
    assert judge(*seen, now=18.1, sub_lines=said, metas={"a1": Meta("Explore")})["a1"].status == WORKING
    woken = (17.5, event("SubagentStart", **SUB))
    assert judge(*seen, woken, now=30, sub_lines=said, metas=over)["a1"].status == WORKING
    inner = (14.5, event("SubagentStart", **SUB2))
    found = judge(*seen, inner, now=18.1, sub_lines=said, metas=over, parents={"a2": "a1"})["a1"]
    assert (found.status, found.rule) == (WORKING, "outlived"), "one of its own will wake it"


def test_a_sub_agent_that_failed_is_over_with_its_call_though_its_last_hook_was_lost() -> None:
    """The client notes no end of one that failed; in the foreground its parent has a result of it."""
    seen = [PROMPT, (11.0, event("SubagentStart", **SUB)), (12.0, call("PreToolUse", "t", given=BASH, **SUB))]
    lines: list[Event] = [Prompt(10, "p", False), Call(10.9, "g", "Agent")]
    failed: dict[str, list[Event]] = {"a1": [Prompt(11, "p", True), Result(14, "t", None), Failed(16, "rate limit")]}
    more: dict[str, Any] = {"sub_lines": failed, "metas": {"a1": Meta(call_id="g")}, "parents": {"a1": "main"}}
    assert judge(*seen, now=30, lines=lines, **more)["a1"].status == WORKING
    told = [*lines, Result(16.1, "g", None)]
    found = judge(*seen, now=17, lines=told, **more)["a1"]
    assert (found.status, found.until) == (WORKING, 18.0), "its hook may be on its way"
    assert judge(*seen, now=18.1, lines=told, **more)["a1"].rule == "recorded-end"


def test_a_prompt_that_the_transcript_shows_in_the_queue_begins_when_the_turn_is_over_case_41() -> None:
    """The turn was opened by a message, of which no hook tells, so the hooks take the prompt for its beginning."""
    lines: list[Event] = [Prompt(19, "o", True), Queued(20, waits=True), Said(20.9, "end_turn")]
    seen = ((20.1, event("UserPromptSubmit", prompt="x", prompt_id="p")), STOP)
    assert verdict(*seen, now=22, lines=lines) == (WORKING, "queued prompt")
    assert verdict(*seen, now=22, lines=[*lines, Queued(21.5, waits=False)])[0] == WAITING
    assert verdict(*seen, now=22, lines=[*lines, Prompt(21.5, "q", False)]) == (WORKING, "thinking")
    resumed = (21.2, event("SessionStart", source="resume"))
    assert verdict(*seen, resumed, now=22, lines=lines)[0] == WAITING


def test_a_command_stays_with_the_call_that_it_was_first_seen_with() -> None:
    """Two agents mean the same command, and only one of them was asked."""
    asked = [(12.0, call("PreToolUse", "t1", given=BASH, **SUB)), (12.1, ask(BASH, **SUB))]
    allowed, ended = (12.2, call("PreToolUse", "t2", given=BASH, **SUB2)), (15.0, call("PostToolUse", "t2", **SUB2))
    facts = facts_of([*launched(SUB, SUB2), *asked, allowed])
    ran = first_seen(Command(7, "7", 13.0, "npm test"), facts, [], set())
    assert ran.call == "t2"
    assert first_seen(Command(8, "8", 13.5, "npm test"), facts, [ran], set()).call == "t1"
    assert first_seen(Command(8, "8", 13.5, "npm test"), facts, [], {"t2"}).call == "t1", "the other one was refused"
    after = facts_of([*launched(SUB, SUB2), *asked, allowed, ended])
    evidence = Evidence(now=16, facts=after, turns={}, commands=(ran,), said=Registered("waiting", "", 12.2))
    assert resolve(evidence)["a1"].status == ASKING
    own = replace(evidence, commands=(ran._replace(call="t1"),), said=None)
    assert resolve(own)["a1"].status == WORKING


def test_a_command_that_was_allowed_is_not_that_of_an_equal_call_which_is_about_to_ask() -> None:
    """The request of the other one is told late, and the call that was allowed goes on in the background."""
    before = (12.0, call("PreToolUse", "t1", given=BASH, **SUB))
    allowed, ran = (12.3, call("PreToolUse", "t2", given=BASH, **SUB2)), Command(7, "7", 12.4, "npm test")
    seen = [*launched(SUB, SUB2), before, allowed]
    assert first_seen(ran, facts_of(seen), [], set()).call == "t2", "the newest: an older one may yet ask"
    ended = (12.5, call("PostToolUse", "t2", given=BASH, **SUB2))
    assert first_seen(ran, facts_of([*seen, ended]), [], {"t2"}).call == "t2"
    assert first_seen(ran._replace(began=12.6), facts_of([*seen, ended]), [], {"t2"}).call == "t1", "it began later"


def test_of_two_equal_requests_at_once_both_are_asked_for_until_it_is_known_which_one_was_answered() -> None:
    """Those of agents in the background are shown in the order in which their hooks end."""
    asked = [(14.0, call("PreToolUse", "t1", given=BASH, **SUB)), (14.1, call("PreToolUse", "t2", given=BASH, **SUB2))]
    asked += [(14.2, ask(BASH, **SUB)), (14.25, ask(BASH, **SUB2))]
    facts, dialog = facts_of([*launched(SUB, SUB2), *asked]), Registered("waiting", "permission prompt", 14.3)
    first = first_seen(Command(7, "7", 15.0, "npm test"), facts, [], set())
    evidence = Evidence(now=16, facts=facts, commands=(first,), said=dialog)
    assert {key: found.status for key, found in resolve(evidence).items() if key != "main"} == {
        "a1": ASKING,
        "a2": ASKING,
    }
    second = first_seen(Command(8, "8", 15.5, "npm test"), facts, [first], set())
    both = resolve(replace(evidence, commands=(first, second), said=None))
    assert (both["a1"].status, both["a2"].status) == (WORKING, WORKING)
    ended = facts_of([*launched(SUB, SUB2), *asked, (15.6, call("PostToolUse", "t2", given=BASH, **SUB2))])
    left = resolve(replace(evidence, facts=ended, said=None))
    assert (left["a1"].status, left["a2"].status) == (ASKING, WORKING), "the command was that of the other one"
    written = fold_all(Turn(), [Prompt(13.9, "p", True), Call(14.0, "t2", "Bash"), Result(15.5, "t2", None)])
    left = resolve(replace(evidence, turns={"a2": written}, said=None))
    assert (left["a1"].status, left["a2"].status) == (ASKING, WORKING), "its result may be written before the hook"


def test_a_request_that_a_hook_allowed_at_once_does_not_come_back_with_the_next_dialog() -> None:
    """The registry never told of it, and would have: it was not shown for so long."""
    one, two = {"path": "1"}, {"path": "2"}
    seen = [PROMPT, (12.0, ask(one, tool="mcp__a__b", **SUB)), (15.0, ask(two, tool="mcp__a__b", **SUB2))]
    dialog, busy = Registered("waiting", "permission prompt", 15.05), Word("busy", 10.1, 15.05)
    found = judge(*seen, now=15.2, heard=dialog, history=(busy,))
    assert (found["a1"].status, found["a2"].status) == (WORKING, ASKING)
    found = judge(*seen[:2], now=15.1, heard=dialog, history=(busy,))
    assert (found["a1"].status, found["main"].status) == (WORKING, WORKING), "for a moment nobody knows whose it is"
    assert judge(*seen[:2], now=16.1, heard=dialog, history=(busy,))["main"].status == ASKING
    soon = Word("busy", 12.1, 15.05, after=12.05)
    found = judge(*seen[:2], (13.5, ask(two, tool="mcp__a__b", **SUB2)), now=15.2, heard=dialog, history=(soon,))
    assert found["a1"].status == WORKING
    both = Word("busy", 10.1, 12.05)
    found = judge(*seen, now=15.2, heard=dialog, history=(both,))
    assert (found["a1"].status, found["a2"].status) == (ASKING, ASKING), "another kind of dialog, with no pause between"


def test_the_dialog_of_a_main_agent_may_be_answered_soon_after_its_hook_has_told_of_it() -> None:
    one, two = {"path": "1"}, {"path": "2"}
    seen = [PROMPT, (12.0, call("PreToolUse", "t", "mcp__a__b", given=one)), (12.2, ask(one, tool="mcp__a__b"))]
    seen += [(12.3, ask(two, tool="mcp__a__b", **SUB))]
    dialog, busy = Registered("waiting", "permission prompt", 12.5), Word("busy", 12.4, 12.5)
    found = judge(*seen, now=13, heard=dialog, history=(busy,))
    assert (found["main"].status, found["a1"].status) == (WORKING, ASKING)


def test_a_dialog_is_not_answered_by_an_idle_between_two_turns() -> None:
    """Nobody can refuse so soon, and the registry's next word is on its way."""
    seen = (PROMPT, (11.0, call("PreToolUse", "t", "Edit", given={})), (11.1, ask({}, tool="Edit")))
    assert judge(*seen, now=11.3, heard=Registered("idle", "", 11.05, seen_at=11.25))["main"].status == ASKING
    assert judge(*seen, now=12, heard=Registered("idle", "", 11.5, seen_at=11.6))["main"].status == WAITING


def test_a_sub_agent_that_is_not_listed_any_more_but_has_agents_of_its_own_is_woken_by_them() -> None:
    seen = [*launched(SUB), (14.0, event("SubagentStart", **SUB2)), stop(15.0)]
    found = judge(*seen, now=16, parents={"a2": "a1"})
    assert (found["a1"].status, found["a1"].rule) == (WORKING, "outlived")


def test_a_request_that_was_settled_while_no_dialog_was_open_stays_so_when_somebody_else_asks() -> None:
    """A hook has allowed it: the registry never told of its dialog."""
    one, two = {"path": "1"}, {"path": "2"}
    seen = [*launched(SUB), (14.0, ask(one, tool="mcp__a__b", **SUB))]
    busy = Word("busy", 10.1, 18.05)
    dialog = Registered("waiting", "permission prompt", 18.05)
    both = (*seen, (18.0, ask(two, tool="mcp__a__b")))
    more: dict[str, Any] = {"now": 18.2, "heard": dialog, "history": (busy,)}
    found = judge(*both, helpers=(), **more)
    assert (found["main"].status, found["a1"].status) == (ASKING, WORKING)
    assert judge(*both, **more)["a1"].status == ASKING, "no process can be seen: a hook may have held it back"
    held = (Helper(14.0, 18.04),)
    assert judge(*both, helpers=held, **more)["a1"].status == WORKING, "the hook was gone before the dialog opened"
    held = (Helper(14.0, 18.9),)
    assert judge(*both, helpers=held, **more)["a1"].status == ASKING, "its dialog may have opened with that"
    soon = {**more, "history": (busy._replace(until=15.9),), "heard": replace(dialog, at=15.9), "now": 16.0}
    assert judge(*both[:-1], helpers=(), **soon)["a1"].status == ASKING, "its dialog may have been about to open"
    assert judge(*seen, helpers=(), **more)["a1"].status == ASKING, "somebody is asked, and nobody else is known"


def test_a_request_that_was_settled_stays_so_while_its_client_is_stopped() -> None:
    """A hook has allowed it at 14.2; Ctrl-Z at 17."""
    seen = [*launched(SUB), (14.0, ask({"path": "1"}, tool="mcp__a__b", **SUB))]
    frozen = Registered("busy", "", 10.1, is_now=False, slept_at=17.0)
    more: dict[str, Any] = {"heard": frozen, "stopped_at": 17.0, "now": 30.0, "helpers": ()}
    assert judge(*seen, history=(Word("busy", 10.1, 17.0),), **more)["a1"].detail == "stopped"
    assert judge(*seen, history=(Word("busy", 10.1, 15.0),), **more)["a1"].status == ASKING, "stopped before"


def test_a_client_that_goes_on_after_ctrl_z_would_tell_of_a_dialog() -> None:
    seen = [*launched(SUB), (14.0, ask({"path": "1"}, tool="mcp__a__b", **SUB))]
    before = Registered("busy", "", 10.1, is_now=False, slept_at=13.5)
    assert judge(*seen, now=17, heard=before, helpers=())["a1"].status == WORKING
    assert judge(*seen, now=15, heard=before, helpers=())["a1"].status == ASKING, "it may be about to"
    later = replace(before, slept_at=14.5)
    assert judge(*seen, now=17, heard=later, helpers=())["a1"].status == ASKING, "what it had to tell may be lost"


FORM = event("Elicitation", mcp_server_name="s")
REPLY = event("ElicitationResult", mcp_server_name="s")


def test_an_answered_question_of_a_server_is_not_asked_again_while_the_registry_still_shows_it() -> None:
    dialog = ("waiting", 12.1, "input needed")
    seen = (PROMPT, PRE, (12.0, FORM), (14.0, REPLY))
    assert verdict(*seen[:3], now=14.0, said=dialog) == (ASKING, "question")
    assert verdict(*seen, now=14.3, said=dialog)[0] == WORKING
    assert verdict(*seen, now=16.1, said=dialog) == (ASKING, "question"), "another one"


def test_a_question_whose_hook_was_lost_is_not_hidden_by_a_permission_that_was_given_before_it() -> None:
    """The registry tells questions from permissions."""
    asked = [(14.0, call("PreToolUse", "t", given=BASH, **SUB)), (14.1, ask(BASH, **SUB))]
    more: dict[str, Any] = {"now": 20.0, "heard": Registered("waiting", "input needed", 18.0)}
    history = (Word("waiting", 14.2, 18.0),)
    found = judge(*launched(SUB), *asked, history=history, commands=[("npm test", 17.9)], **more)
    assert (found["main"].detail, found["a1"].status) == ("question", WORKING)
    ended = (19.9, call("PostToolUse", "t", given=BASH, **SUB))
    assert judge(*launched(SUB), *asked, ended, history=history, **more)["main"].detail == "question"
    found = judge(*launched(SUB), *asked, history=history, **more)
    assert (found["main"].detail, found["a1"].status) == ("question", ASKING), "it may wait behind the question"


def test_a_question_of_a_server_is_over_when_a_dialog_that_opened_after_it_was_closed() -> None:
    seen = (PROMPT, PRE, (12.0, FORM))
    assert verdict(*seen, now=13.0, said=("busy", 12.9), history=(Word("waiting", 12.1, 12.9),))[0] == WORKING
    theirs = (Word("waiting", 11.5, 12.1),)
    assert verdict(*seen, now=12.3, said=("busy", 12.1), history=theirs)[0] == ASKING, "that was another one's"
    assert verdict(*seen, now=14.1, said=("busy", 12.1), history=theirs)[0] == WORKING, "it would have opened by now"


def test_news_that_begins_a_turn_is_not_the_prompt_that_waits_in_the_queue() -> None:
    news = event("UserPromptSubmit", prompt="<task-notification><task-id>b1</task-id>", prompt_id="n")
    seen = [(20.0, news), (20.2, event("UserPromptSubmit", prompt="x", prompt_id="n")), (20.9, event("Stop"))]
    lines: list[Event] = [Queued(20.1, waits=True), Prompt(20.25, "n", True), Said(20.8, "end_turn"), Ended(20.95)]
    assert verdict(*seen, now=21.1, lines=lines, said=("idle", 21.0)) == (WORKING, "queued prompt")
    assert verdict(*seen[::2], now=21.1, lines=lines, said=("idle", 21.0)) == (WORKING, "queued prompt"), "hook lost"
    begun = [*lines, Prompt(21.05, "p", False)]
    assert verdict(*seen, now=21.1, lines=begun, said=("busy", 21.08)) == (WORKING, "thinking")


def test_nobody_hears_of_an_agents_end_during_a_compaction() -> None:
    seen = [*launched(SUB), (15.0, event("PreCompact", trigger="manual")), (16.0, event("SubagentStop", **SUB))]
    done = (25.0, event("SessionStart", source="compact"))
    assert judge(*seen, now=24.9)["main"].rule == "compacting"
    assert judge(*seen, done, now=25.2)["main"].rule == "news-is-due"
    assert judge(*seen, done, now=28.1)["main"].status == WAITING


def test_an_agent_whose_stop_was_lost_works_while_those_do_that_it_started() -> None:
    """The client's note says that it is over; it will be woken."""
    lines: list[Event] = [Prompt(11.2, "p", True), Said(15.0, "end_turn")]
    seen = [*launched(SUB), (14.0, event("SubagentStart", **SUB2)), (14.5, call("PreToolUse", "b", given=BASH, **SUB2))]
    more: dict[str, Any] = {"parents": {"a2": "a1"}, "sub_lines": {"a1": lines}, "metas": {"a1": Meta(over=True)}}
    assert judge(*seen, now=20, **more)["a1"].rule == "outlived"
    ended = (18.0, event("SubagentStop", **SUB2))
    assert judge(*seen, ended, now=30, **more)["a1"].status == WAITING


def test_a_notification_that_repeats_a_request_is_nobody_elses_when_that_is_long_over() -> None:
    """Main waits for its agent in the foreground, so that nothing of its own is newer."""
    note = (18.1, event("Notification", notification_type="permission_prompt"))
    main = [PROMPT, (11.0, call("PreToolUse", "ag", tool="Agent", given={}))]
    asked = [(12.0, call("PreToolUse", "t", given=BASH, **SUB)), (12.1, ask(BASH, **SUB))]
    ended = (20.0, call("PostToolUse", "t", given=BASH, **SUB))
    assert verdict(*main, *asked, note, ended, now=40)[0] == WORKING
    before = (17.0, call("PostToolUse", "t", given=BASH, **SUB))
    assert verdict(*main, *asked, before, note, now=40)[0] == ASKING, "it was over when somebody else was asked"


def evidence_of(*seen: tuple[float, dict[str, Any]], **more: Any) -> Evidence:
    return Evidence(facts=facts_of(seen), **more)


def test_a_prompt_in_the_queue_is_taken_though_its_own_hook_is_told_a_moment_later_case_41() -> None:
    seen = (PROMPT, (20.1, event("UserPromptSubmit", prompt="x", prompt_id="p")), STOP)
    waits: list[Event] = [Prompt(10, "p", False), Queued(20, waits=True)]
    assert verdict(*seen, now=22, lines=[*waits, Said(20.9, "end_turn")]) == (WORKING, "queued prompt")
    taken: list[Event] = [*waits, Queued(20.05, waits=False), Said(20.9, "end_turn"), Ended(21)]
    assert verdict(*seen, now=22, lines=taken)[0] == WAITING
    begun: list[Event] = [*waits, Prompt(20.05, "q", False), Said(20.9, "end_turn"), Ended(21)]
    assert verdict(*seen, now=22, lines=begun)[0] == WAITING


def test_an_agent_that_was_started_just_before_an_interruption_is_awaited() -> None:
    """Its start is told a moment later; a call that the interruption ends is refused in the transcript."""
    seen, begun = (
        (PROMPT, (12.0, call("PreToolUse", "t", tool="Agent"))),
        [Prompt(10, "p", False), Call(11.9, "t", "Agent")],
    )
    assert verdict(*seen, now=12.2, lines=[*begun, Interrupted(12.1)]) == (WORKING, "reading its agents' results")
    assert verdict(*seen, now=13.2, lines=[*begun, Interrupted(12.1)]) == (WAITING, "interrupted")
    refused = [*begun, Result(12.1, "t", "user"), Interrupted(12.1)]
    assert verdict(*seen, now=12.2, lines=refused) == (WAITING, "interrupted")


def test_agents_that_were_left_at_the_end_of_a_turn_are_over_when_the_registry_rests() -> None:
    """Without hooks: main is not told of an agent of an agent that has failed."""
    lines: list[Event] = [Prompt(10, "p", False), Said(12, "end_turn"), Ended(12, agents=1)]
    assert verdict(now=20, lines=lines) == (WORKING, "1 sub-agent")
    assert verdict(now=20.3, lines=lines, said=("idle", 20)) == (WORKING, "1 sub-agent"), "news may be on their way"
    assert verdict(now=21.1, lines=lines, said=("idle", 20))[0] == WAITING
    assert judge(now=20.3, lines=lines, said=("idle", 20))["main"].until == 21.0
    at_work = [Prompt(10, "p", False), Said(12, "end_turn"), Ended(12, agents=1, workflows=2)]
    assert verdict(now=30, lines=at_work, said=("idle", 20)) == (WORKING, "2 workflows")


def test_an_agent_that_was_sent_for_is_awaited_though_its_start_is_told_late() -> None:
    """By whoever sent for it, and has nothing else to do."""
    made = (12.0, call("PostToolUse", "g", tool="Agent", given={}, tool_response={"agentId": "a1"}))
    assert verdict(PROMPT, made, stop(12.2), now=12.5) == (WORKING, "reading its agents' results")
    assert verdict(PROMPT, made, stop(12.2), now=13.1)[0] == WAITING
    in_front = (12.0, call("PostToolUse", "g", tool="Agent", given={}, tool_response={"content": "done"}))
    assert verdict(PROMPT, in_front, stop(12.2), now=12.5)[0] == WAITING
    inner = (14.0, call("PostToolUse", "h", tool="Agent", given={}, tool_response={"agentId": "a2"}, **SUB))
    seen = [*launched(SUB), inner, (14.1, event("SubagentStop", **SUB))]
    assert (found := judge(*seen, now=14.5)["a1"]).status == WORKING
    assert found.until == 15.0
    assert judge(*seen, now=15.1)["a1"].detail == "finished"
    listed = {"background_tasks": [{"id": name, "type": "subagent", "status": "running"} for name in ("a1", "a2")]}
    late = [*launched(SUB), (14.1, event("SubagentStop", **SUB, **listed))]
    assert judge(*late, now=14.5)["a1"].status == WORKING, "its call is told even later"
    begun = [*seen, (14.9, event("SubagentStart", **SUB2))]
    assert judge(*begun, now=16, parents={"a2": "a1"})["a1"].rule == "outlived"


def test_without_hooks_an_agent_is_awaited_whose_transcript_is_not_there_yet() -> None:
    words: list[Event] = [Prompt(11, "p", True), Result(14, "g", None), Started(14, "a2", "agent")]
    more: dict[str, Any] = {"metas": {"a1": Meta(over=True)}, "parents": {"a1": "main"}}
    ended = {"a1": [*words, Said(14.2, "end_turn")]}
    assert judge(now=14.5, sub_lines=ended, **more)["a1"].status == WORKING
    assert judge(now=15.1, sub_lines=ended, **more)["a1"].detail == "finished"
    assert judge(now=14.5, sub_lines={"a1": [*ended["a1"], Finished(14.4, "a2")]}, **more)["a1"].detail == "finished"
    others: list[Event] = [Prompt(10, "p", False), Started(14, "a2", "agent"), Ended(14.2)]
    assert verdict(now=14.5, lines=others)[0] == WAITING, "main's may be those of another process"


def test_a_prompt_in_the_queue_is_not_taken_by_the_turn_of_news_that_began_just_before_case_41() -> None:
    news = event("UserPromptSubmit", prompt="<task-notification>\n<task-id>b1</task-id>", prompt_id="n")
    typed = (10.2, event("UserPromptSubmit", prompt="x", prompt_id="n"))
    lines: list[Event] = [Prompt(10.1, "n", machine=True), Said(10.5, "end_turn")]
    seen = ((10.0, news), typed, stop(10.6))
    assert verdict(*seen, now=10.7, lines=[*lines, Ended(10.65)]) == (WORKING, "queued prompt")
    by_hand: list[Event] = [Prompt(10.1, "n", machine=False), *lines[1:]]
    assert verdict(*seen, now=10.7, lines=[*by_hand, Ended(10.65)])[0] == WAITING


def test_the_second_of_two_prompts_in_the_queue_begins_when_the_turn_of_the_first_is_over_case_41() -> None:
    typed = [(at, event("UserPromptSubmit", prompt="x", prompt_id="p")) for at in (12.1, 13.1)]
    seen = (PROMPT, *typed, (20.0, event("Stop", prompt_id="p")), (30.0, event("Stop", prompt_id="q")))
    waits: list[Event] = [Prompt(10, "p", False), Queued(12, waits=True), Queued(13, waits=True), Ended(20)]
    first = [*waits, Prompt(20.2, "q", machine=False, queued=True), Ended(30)]
    assert verdict(*seen, now=30.2, lines=first) == (WORKING, "queued prompt")
    assert verdict(*seen, now=34, lines=first)[0] == WAITING, "the guess is bounded"
    assert verdict(*seen, now=30.2, lines=[*first[:-1], Queued(25, waits=False), Ended(30)])[0] == WAITING, "taken in"
    other = [*waits, Queued(14, waits=False, every=True), Ended(20)]
    assert verdict(*seen[:-1], now=20.2, lines=other)[0] == WAITING, "a person took all of them back"
    typed_anew = [*waits, Prompt(20.2, "q", machine=False), Ended(30)]
    assert verdict(*seen, now=30.2, lines=typed_anew)[0] == WAITING, "an old client does not tell"


def test_news_of_a_sub_agent_that_stopped_during_a_compaction_come_after_it_case_31() -> None:
    seen = [*launched(SUB), (14.0, event("PreCompact", trigger="manual")), (15.0, event("SubagentStop", **SUB))]
    done = [*seen, (40.0, event("SessionStart", source="compact")), (40.1, event("PostCompact", trigger="manual"))]
    assert verdict(*seen, now=40) == (WORKING, "compacting")
    assert verdict(*done, now=40.5) == (WORKING, "reading its agents' results")
    assert verdict(*done, now=44)[0] == WAITING, "the guess is bounded"
    refused: list[Event] = [Prompt(10, "p", False), Ended(13), Local(40)]
    assert verdict(*seen, now=40.5, lines=refused) == (WORKING, "reading its agents' results")
    assert verdict(*seen, now=44, lines=refused)[0] == WAITING


def test_a_notification_of_a_servers_question_is_over_with_its_answer() -> None:
    server = {"mcp_server_name": "web"}
    repeated = event("Notification", notification_type="elicitation_dialog", message="Claude needs your input")
    calls = (11, call("PreToolUse", "t", "mcp__web__fetch"))
    seen = (PROMPT, calls, (12, event("Elicitation", **server)), (18, repeated))
    assert verdict(*seen, now=19)[0] == ASKING
    assert verdict(*seen, (20, event("ElicitationResult", **server)), now=20.5)[0] == WORKING
