"""The law: who asks for a permission, an answer or a plan, and what ends that."""

from contract.facts import Client
from support.builders import ask, call, event
from support.cases import ASK, ASKING, BASH, POST, PRE, PROMPT, STOP, SUB, SUB2, WAITING, WORKING, judge, stop, verdict
from watcher.rules.turn_events import Activity, Call, Event, Handed, Interrupted, Prompt, Result


def test_an_approved_write_is_working_by_registry_and_else_at_its_result_case_04() -> None:
    write = {"file_path": "/p/a.py", "content": "x"}
    seen = (PROMPT, (11.0, call("PreToolUse", "w", tool="Write", given=write)), (11.1, ask(write, tool="Write")))
    assert verdict(*seen, now=30, report=("busy", 15)) == (WORKING, "Write: a.py")
    assert verdict(*seen, now=30) == (ASKING, "Write: a.py")
    assert verdict(*seen, now=30, lines=[Prompt(10, False), Result(15, "w", None)])[0] == WORKING
    assert verdict(*seen, (16, call("PostToolUse", "w", tool="Write", given=write)), now=30)[0] == WORKING


def test_rejected_is_waiting_case_05() -> None:
    lines = [Prompt(10, False), Call(11, "t1", "Bash"), Result(15, "t1", "user"), Interrupted(15)]
    assert verdict(PROMPT, PRE, ASK, now=30, lines=lines) == (WAITING, "interrupted")
    assert verdict(PROMPT, PRE, ASK, now=30, report=("idle", 15))[0] == WAITING


def test_rejected_with_feedback_is_working_case_06() -> None:
    lines = [Prompt(10, False), Call(11, "t1", "Bash"), Result(15, "t1", "user"), Activity(16)]
    assert verdict(PROMPT, PRE, ASK, now=30, lines=lines)[0] == WORKING
    assert verdict(PROMPT, PRE, ASK, now=30, report=("busy", 15))[0] == WORKING


def test_what_the_model_has_the_result_of_is_not_asked_for() -> None:
    """Where a client gives its calls no ids, no result says of which call it is."""
    assert verdict(PROMPT, PRE, ASK, now=30, lines=[Handed(15)]) == (WORKING, "thinking")
    assert verdict(PROMPT, PRE, ASK, now=30, lines=[Handed(10.9)]) == (ASKING, "Bash: npm test")
    assert verdict(PROMPT, PRE, ASK, now=30, lines=[Handed(15, since=11.05)]) == (ASKING, "Bash: npm test")
    assert verdict(PROMPT, PRE, now=30, lines=[Handed(15)]) == (WORKING, "thinking")


def test_the_model_writes_after_the_approved_tool_case_07() -> None:
    assert verdict(PROMPT, PRE, ASK, POST, now=30) == (WORKING, "thinking")


def test_a_sub_agent_asks_while_others_work_case_09() -> None:
    start = [(10.5, event("SubagentStart", **SUB)), (10.6, event("SubagentStart", **SUB2))]
    asks = [(12.0, call("PreToolUse", "s", given=BASH, **SUB)), (12.1, ask(BASH, **SUB))]
    found = judge(PROMPT, *start, *asks, stop(13, ("a1", "subagent"), ("a2", "subagent")), now=30)
    assert {key: v.status for key, v in found.items()} == {"main": WORKING, "a1": ASKING, "a2": WORKING}
    assert found["main"].detail == "2 sub-agents"
    assert found["main"].rule == "children-work"
    assert found["a1"].detail == "Bash: npm test"


def test_questions_and_plans_ask_case_10() -> None:
    dialogs = {"AskUserQuestion": ("question", "input needed"), "ExitPlanMode": ("plan", "permission prompt")}
    for tool, (word, dialog) in dialogs.items():
        seen = (PROMPT, (11.0, call("PreToolUse", "q", tool=tool, given={})), (11.1, ask({}, tool=tool)))
        assert verdict(*seen, now=30) == (ASKING, word)
        assert verdict(*seen, now=30, report=("waiting", 11.1, dialog)) == (ASKING, word)
        assert verdict(*seen, (15, call("PostToolUse", "q", tool=tool, given={})), now=30)[0] == WORKING


def test_a_question_whose_call_was_not_told_is_over_when_its_result_is_written() -> None:
    """The hook of its call was lost; the next request of its agent is another one."""
    question, next_one = (11.1, ask({}, tool="AskUserQuestion")), (14.0, call("PreToolUse", "b", given=BASH))
    seen = (PROMPT, question, next_one, (14.1, ask(BASH)))
    lines: list[Event] = [Prompt(10, False), Call(11.0, "q", "AskUserQuestion")]
    dialog = ("waiting", 14.2, "permission prompt")
    assert verdict(*seen, now=30, lines=lines, report=dialog) == (ASKING, "question")
    answered = [*lines, Result(13.0, "q", None), Call(13.9, "b", "Bash")]
    assert verdict(*seen, now=30, lines=answered, report=dialog) == (ASKING, "Bash: npm test")


def test_a_request_whose_call_was_not_told_is_over_when_the_result_of_an_untold_call_is_written() -> None:
    """The hook of its call was lost. A call that the hooks know has a result of its own."""
    first, next_one = (11.1, ask({"command": "ls"})), (14.0, call("PreToolUse", "b", given=BASH))
    seen = (PROMPT, first, next_one, (14.1, ask(BASH)))
    lines: list[Event] = [Prompt(10, False), Call(11.0, "a", "Bash"), Call(11.0, "b", "Bash"), Call(11.0, "r", "Read")]
    dialog = ("waiting", 11.2, "permission prompt")
    assert verdict(*seen, now=30, lines=lines, report=dialog) == (ASKING, "Bash: ls")
    refused = [*lines, Result(13.9, "a", "user")]
    assert verdict(*seen, now=30, lines=refused, report=dialog) == (ASKING, "Bash: npm test")
    for other in ("b", "r"):
        over = [*lines, Result(13.9, other, "user")]
        assert verdict(*seen, now=30, lines=over, report=dialog) == (ASKING, "Bash: ls"), "another call's"
    two = (PROMPT, first, (11.2, ask({"command": "pwd"})), *seen[2:])
    assert verdict(*two, now=30, lines=refused, report=dialog) == (ASKING, "Bash: ls"), "it may be either's"
    before = [*lines, Result(11.05, "a", None)]
    assert verdict(*seen, now=30, lines=before, report=dialog) == (ASKING, "Bash: ls"), "it was asked for later"


def test_a_question_without_a_permission_request_asks_case_11() -> None:
    assert verdict(PROMPT, (11.0, call("PreToolUse", "q", tool="AskUserQuestion", given={})), now=12) == (
        ASKING,
        "question",
    )


def test_the_request_itself_is_enough_at_once_case_12() -> None:
    assert verdict(PROMPT, PRE, ASK, now=11.1)[0] == ASKING


def test_an_idle_prompt_changes_nothing_case_13() -> None:
    note = (81.0, event("Notification", notification_type="idle_prompt"))
    assert verdict(PROMPT, PRE, POST, STOP, note, now=90) == (WAITING, "")


def test_a_request_that_cannot_prompt_is_no_request_case_23() -> None:
    headless = Client(pid=1, entrypoint="sdk-cli")
    assert verdict(PROMPT, PRE, ASK, now=12, client=headless) == (WORKING, "Bash: npm test")
    job = Client(pid=1, entrypoint="cli", background=True)
    assert verdict(PROMPT, PRE, ASK, now=12, client=job)[0] == WORKING
    assert verdict(PROMPT, PRE, ASK, now=12, client=job, report=("waiting", 11.1, "permission prompt"))[0] == ASKING


def test_a_call_that_auto_mode_denies_goes_on_case_24() -> None:
    assert verdict(PROMPT, PRE, (12, call("PermissionDenied", "t1", given=BASH)), now=13) == (WORKING, "thinking")


def test_a_request_that_is_older_than_its_process_is_over_case_67() -> None:
    assert verdict(PROMPT, PRE, ASK, now=60, began=50.0)[0] == WAITING


def test_a_rejected_call_is_nobodys_detail_case_60() -> None:
    again = (40.0, event("UserPromptSubmit", prompt_id="q"))
    assert verdict(PROMPT, PRE, ASK, again, now=41, report=("busy", 40.1)) == (WORKING, "thinking")
    rejected = [Prompt(10, False), Call(10.9, "t1", "Bash"), Result(20, "t1", "user")]
    assert verdict(PROMPT, PRE, ASK, now=21, lines=rejected) == (WORKING, "thinking"), "with feedback it goes on"


def test_a_question_that_is_written_down_is_not_asked_before_its_turn_comes() -> None:
    lines = [Prompt(10, False), Call(10.9, "t1", "Bash"), Call(10.9, "q", "AskUserQuestion")]
    assert verdict(PROMPT, PRE, now=11.05, lines=lines) == (WORKING, "Bash: npm test")
