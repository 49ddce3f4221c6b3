"""The law: whose dialog it is that the registry or a notification shows."""

from typing import Any

from support.builders import ask, call, event
from support.cases import (
    ASK,
    ASKING,
    BASH,
    POST,
    PRE,
    PROMPT,
    STOP,
    SUB,
    WAITING,
    WORKING,
    judge,
    launched,
    stop,
    verdict,
)
from watcher.rules.evidence import Mates, RegistryReport
from watcher.rules.past_reports import PastReport
from watcher.rules.turn_events import Call, Prompt, Result


def test_a_dialog_that_only_a_notification_tells_of_case_12() -> None:
    note = (17.0, event("Notification", notification_type="agent_needs_input", message="x"))
    assert verdict(PROMPT, PRE, note, now=18)[0] == ASKING
    assert verdict(PROMPT, PRE, note, POST, now=30)[0] == WORKING


def test_a_late_notification_of_an_answered_request_is_no_news_case_12() -> None:
    note = (17.1, event("Notification", notification_type="permission_prompt"))
    assert verdict(PROMPT, PRE, ASK, note, now=18, commands=[("npm test", 15.0)])[0] == WORKING


def test_sandbox_and_trust_dialogs_are_told_by_the_registry_alone() -> None:
    assert verdict(PROMPT, PRE, now=30, report=("waiting", 12, "sandbox request")) == (ASKING, "sandbox request")
    assert verdict(PROMPT, PRE, now=30, report=("waiting", 12, "dialog open")) == (ASKING, "dialog open")


def test_a_dialog_that_a_person_opened_asks_for_nothing() -> None:
    assert verdict(PROMPT, STOP, now=40, report=("waiting", 30, "dialog open")) == (WAITING, "")
    assert verdict(now=40, report=("waiting", 30, "dialog open"))[0] == WAITING


def test_a_menu_that_a_person_opened_in_mid_turn_asks_for_nothing_when_the_turn_ends_case_46() -> None:
    """The registry tells of it only then, before the hook tells of the end."""
    menu = ("waiting", 20.0, "dialog open")
    found = judge(PROMPT, PRE, POST, now=20.5, report=menu)["main"]
    assert (found.status, found.until) == (WORKING, 21.0)
    assert verdict(PROMPT, PRE, POST, (20.2, event("Stop", background_tasks=[])), now=20.5, report=menu)[0] == WAITING
    assert verdict(PROMPT, PRE, now=21.1, report=menu) == (ASKING, "dialog open"), "the client itself has opened it"


def test_a_menu_that_is_opened_after_an_interruption_that_the_registry_alone_told_of_asks_for_nothing_case_02() -> None:
    idle, busy = PastReport("idle", 11.0, 20.0), PastReport("busy", 10.1, 20.0)
    more: dict[str, Any] = {"now": 25.0, "report": ("waiting", 20.0, "dialog open")}
    assert verdict(PROMPT, history=(busy._replace(until=11.0), idle), **more) == (WAITING, "")
    assert verdict(PROMPT, history=(busy,), **more) == (ASKING, "dialog open"), "the client has opened it in mid-turn"
    again = (15.0, event("UserPromptSubmit", prompt="x", prompt_id="2"))
    assert verdict(PROMPT, again, history=(idle,), **more)[0] == ASKING


def test_a_registry_that_lags_behind_an_answer_does_not_bring_the_request_back() -> None:
    assert verdict(PROMPT, PRE, ASK, POST, now=20.01, report=("waiting", 11.1, "permission prompt"))[0] == WORKING


def test_a_registry_that_lags_behind_an_answer_to_a_sub_agent_does_not_blame_main() -> None:
    seen = [*launched(SUB), (14.0, call("PreToolUse", "s", given=BASH, **SUB)), (14.1, ask(BASH, **SUB))]
    refused = {"tool_use_id": "s", "tool_name": "Bash", "tool_input": BASH}
    seen.append((18.0, event("PostToolBatch", tool_calls=[refused], **SUB)))
    found = judge(*seen, now=18.01, report=("waiting", 14.12, "permission prompt"))
    assert (found["main"].detail, found["a1"].status) == ("1 sub-agent", WORKING)


def test_a_dialog_that_opens_after_an_answer_is_not_the_one_that_was_answered() -> None:
    lines = [Prompt(10, False), Call(11, "q", "ExitPlanMode"), Result(13, "q", None), Call(13.1, "f", "mcp__a__b")]
    assert verdict(now=13.6, lines=lines, report=("waiting", 13.3, "input needed")) == (ASKING, "question")
    assert verdict(now=13.6, lines=lines, report=("waiting", 11.3, "permission prompt"))[0] == WORKING, "not told yet"


def test_a_dialog_of_the_registry_waits_a_moment_for_the_hook_that_says_whose_it_is() -> None:
    told = ("waiting", 11.0, "permission prompt")
    found = judge(PROMPT, PRE, now=11.1, report=told)["main"]
    assert (found.status, found.until) == (WORKING, 12.0)
    assert verdict(PROMPT, PRE, now=12.1, report=told) == (ASKING, "permission")
    assert verdict(now=11.1, lines=[Prompt(10, False)], report=told) == (ASKING, "permission"), "no hook will come"
    assert verdict(PROMPT, PRE, now=11.1, report=("waiting", 11.0, "sandbox request"))[0] == ASKING


def test_a_dialog_that_follows_another_one_at_once_stays_with_a_lead_of_panes() -> None:
    """Its light would go and come again."""
    mates = Mates(all=1, busy=1)
    told = RegistryReport("waiting", "permission prompt", 14.0)
    at_once = (PastReport("waiting", 11.0, 13.8), PastReport("busy", 13.8, 14.0))
    assert verdict(PROMPT, PRE, now=14.1, report=told, history=at_once, mates=mates) == (ASKING, "permission")
    later = (PastReport("waiting", 11.0, 13.5), PastReport("busy", 13.5, 14.0))
    assert verdict(PROMPT, PRE, now=14.1, report=told, history=later, mates=mates)[0] == WORKING


def test_a_question_whose_hook_was_lost_is_not_hidden_by_a_permission_that_was_given_before_it() -> None:
    """The registry tells questions from permissions."""
    asked = [(14.0, call("PreToolUse", "t", given=BASH, **SUB)), (14.1, ask(BASH, **SUB))]
    more: dict[str, Any] = {"now": 20.0, "report": RegistryReport("waiting", "input needed", 18.0)}
    history = (PastReport("waiting", 14.2, 18.0),)
    found = judge(*launched(SUB), *asked, history=history, commands=[("npm test", 17.9)], **more)
    assert (found["main"].detail, found["a1"].status) == ("question", WORKING)
    ended = (19.9, call("PostToolUse", "t", given=BASH, **SUB))
    assert judge(*launched(SUB), *asked, ended, history=history, **more)["main"].detail == "question"
    found = judge(*launched(SUB), *asked, history=history, **more)
    assert (found["main"].detail, found["a1"].status) == ("question", ASKING), "it may wait behind the question"


def test_a_notification_that_repeats_a_request_is_nobody_elses_when_that_is_long_over() -> None:
    """Main waits for its agent in the foreground, so that nothing of its own is newer."""
    note = (18.1, event("Notification", notification_type="permission_prompt"))
    main = [PROMPT, (11.0, call("PreToolUse", "ag", tool="Agent", given={}))]
    asked = [(12.0, call("PreToolUse", "t", given=BASH, **SUB)), (12.1, ask(BASH, **SUB))]
    ended = (20.0, call("PostToolUse", "t", given=BASH, **SUB))
    assert verdict(*main, *asked, note, ended, now=40)[0] == WORKING
    before = (17.0, call("PostToolUse", "t", given=BASH, **SUB))
    assert verdict(*main, *asked, before, note, now=40)[0] == ASKING, "it was over when somebody else was asked"


def test_a_notification_in_the_last_moment_of_a_turn_is_judged_again_when_that_is_over_case_12() -> None:
    note = (15.1, event("Notification", notification_type="permission_prompt"))
    shown = judge(PROMPT, stop(15.0), note, now=15.2, lines=[Prompt(10, False)])["main"]
    assert (shown.rule, shown.until) == ("dialog-notified", 16.0)


def test_a_question_that_an_old_client_calls_a_permission_asks_no_more_when_it_is_answered_case_10() -> None:
    """Its registry may be a moment behind the answer."""
    question: dict[str, Any] = {"tool": "AskUserQuestion", "given": {}}
    seen = (PROMPT, (11.0, call("PreToolUse", "q", **question)), (11.1, ask(**question)))
    dialog = ("waiting", 11.1, "permission prompt")
    assert verdict(*seen, now=12.5, report=dialog) == (ASKING, "question")
    answered = (12.6, call("PostToolUse", "q", **question))
    assert verdict(*seen, answered, now=12.8, report=dialog) == (WORKING, "thinking")
    assert verdict(*seen, answered, now=13.8, report=dialog)[0] == ASKING, "it would have said so by now"
