"""The law for a session without hooks: registry and transcript tell."""

from typing import Any

import pytest

from support.builders import event
from support.cases import ASKING, WAITING, WORKING, judge, verdict
from watcher.clients.base import Meta
from watcher.rules.evidence import RegistryReport
from watcher.rules.past_reports import PastReport
from watcher.rules.turn_events import Activity, Call, Ended, Event, Finished, Message, Prompt, Result, Started


def test_a_session_without_hooks_is_told_by_registry_and_transcript_case_50() -> None:
    assert verdict(now=30, report=("busy", 20))[0] == WORKING
    assert verdict(now=30, report=("idle", 20))[0] == WAITING
    assert verdict(now=30, report=("waiting", 20, "permission prompt")) == (ASKING, "permission")
    assert verdict(now=30, report=("shell", 20)) == (WAITING, "shell running")
    lines: list[Event] = [Prompt(10, False), Call(12, "x", "Bash")]
    assert verdict(now=30, lines=lines) == (WORKING, "Bash")
    assert verdict(now=30, lines=[*lines, Result(13, "x", None), Activity(14), Message(14, "end_turn")])[0] == WAITING
    assert verdict(now=30)[0] == WAITING


def test_a_question_that_is_written_but_whose_turn_has_not_come_is_not_asked_without_hooks() -> None:
    lines: list[Event] = [Prompt(10.0, machine=False), Call(11.0, "q", "AskUserQuestion")]
    assert verdict(now=11.1, lines=lines, report=("busy", 10.1))[0] == WORKING
    assert verdict(now=11.1, lines=lines, report=("waiting", 11.0, "input needed"))[0] == ASKING
    assert verdict(now=11.1, lines=lines)[0] == ASKING


def test_a_written_question_whose_turn_comes_late_is_its_agents_own_without_hooks() -> None:
    lines: dict[str, list[Event]] = {"a1": [Prompt(10.5, machine=False), Call(11.0, "q", "ExitPlanMode")]}
    more: dict[str, Any] = {"lines": [Prompt(10.0, machine=False)], "metas": {"a1": Meta()}, "sub_lines": lines}
    dialog, busy = RegistryReport("waiting", "permission prompt", 30.0), PastReport("busy", 10.1, 30.0)
    found = judge(now=30.1, report=dialog, history=(busy,), **more)
    assert (found["main"].status, found["a1"].status) == (WORKING, ASKING)


def test_a_plan_that_is_younger_than_the_dialog_is_behind_it_until_main_goes_on_without_hooks() -> None:
    plan: dict[str, list[Event]] = {"a1": [Prompt(10.5, machine=False), Call(11.2, "q", "ExitPlanMode")]}
    lines: list[Event] = [Prompt(10.0, machine=False), Call(11.0, "x", "Bash")]
    more: dict[str, Any] = {
        "metas": {"a1": Meta()},
        "sub_lines": plan,
        "report": ("waiting", 11.1, "permission prompt"),
    }
    assert judge(now=12, lines=lines, **more)["main"].status == ASKING
    found = judge(now=15, lines=[*lines, Result(14.0, "x", None)], **more)
    assert (found["main"].status, found["a1"].status) == (WORKING, ASKING)


def test_a_plan_is_not_the_question_that_the_registry_shows_without_hooks() -> None:
    """The client calls a plan a permission: what needs input is a question, here a server's to main."""
    lines: dict[str, list[Event]] = {"a1": [Prompt(10.5, machine=False), Call(11.0, "q", "ExitPlanMode")]}
    more: dict[str, Any] = {"lines": [Prompt(10.0, machine=False)], "metas": {"a1": Meta()}, "sub_lines": lines}
    found = judge(now=12, report=("waiting", 11.1, "input needed"), **more)
    assert (found["main"].status, found["main"].detail) == (ASKING, "question")
    assert judge(now=12, report=("waiting", 11.1, "permission prompt"), **more)["main"].status == WORKING


def test_an_answered_question_of_a_sub_agent_is_not_asked_by_main_meanwhile_without_hooks() -> None:
    question = Call(11.0, "q", "AskUserQuestion")
    opened = Prompt(10.5, machine=False)
    asked: dict[str, list[Event]] = {"a1": [opened, question]}
    answered: dict[str, list[Event]] = {"a1": [opened, question, Result(13.0, "q", None)]}
    more: dict[str, Any] = {"lines": [Prompt(10.0, machine=False)], "metas": {"a1": Meta()}}
    dialog = ("waiting", 11.0, "input needed")
    assert judge(now=12, sub_lines=asked, report=dialog, **more)["a1"].status == ASKING
    assert judge(now=13.1, sub_lines=answered, report=dialog, **more)["main"].status == WORKING
    assert judge(now=16, sub_lines=answered, report=dialog, **more)["main"].status == ASKING, "somebody else's, then"


def test_what_went_on_at_the_end_of_a_turn_has_ended_with_its_process() -> None:
    lines: list[Event] = [Prompt(10.0, machine=False), Ended(12.0, agents=1)]
    assert verdict(now=20, lines=lines) == (WORKING, "1 sub-agent")
    assert verdict(now=20, lines=lines, began=15.0)[0] == WAITING


def test_a_sub_agent_that_waits_for_its_own_is_working_without_hooks() -> None:
    metas = {"a1": Meta(over=True), "a2": Meta(parent="a1")}
    words: dict[str, list[Event]] = {
        "a1": [Prompt(11.0, machine=False), Message(12.0, "end_turn")],
        "a2": [Prompt(11.5, machine=False), Activity(12.0)],
    }
    found = judge(
        now=20,
        lines=[Prompt(10.0, machine=False)],
        sub_lines=words,
        metas=metas,
        parents={"a1": "main", "a2": "a1"},
    )
    assert (found["a1"].status, found["a1"].detail, found["a2"].status) == (WORKING, "1 sub-agent", WORKING)


def test_a_sub_agent_that_hears_of_its_own_is_working_without_hooks() -> None:
    metas, parents = {"a1": Meta(over=True), "a2": Meta(parent="a1", over=True)}, {"a1": "main", "a2": "a1"}
    outer: list[Event] = [Prompt(11.0, True), Started(11.2, "a2", "agent"), Message(12.0, "end_turn")]
    words: dict[str, list[Event]] = {
        "a1": outer,
        "a2": [Prompt(11.3, True), Activity(20.0), Message(20.0, "end_turn")],
    }
    more: dict[str, Any] = {"lines": [Prompt(10.0, False)], "metas": metas, "parents": parents}
    found = judge(now=20.2, sub_lines=words, **more)["a1"]
    assert (found.status, found.rule, found.until) == (WORKING, "news-is-due", 23.0)
    assert judge(now=23.1, sub_lines=words, **more)["a1"].detail == "finished"
    assert judge(now=20.2, sub_lines=words, began=15.0, **more)["a1"].detail == "finished", "of an earlier process"
    woken = {**words, "a1": [*outer, Finished(20.1, "a2"), Prompt(20.1, True), Call(20.3, "t", "Bash")]}
    assert judge(now=60, sub_lines=woken, **more)["a1"].rule == "at-work", "the client's note is of before"
    over = {**words, "a1": [*woken["a1"], Result(60, "t", None), Message(61, "end_turn")]}
    assert judge(now=61.1, sub_lines=over, **more)["a1"].detail == "finished"
    late: dict[str, list[Event]] = {**words, "a2": [Prompt(11.3, True), Call(11.4, "t", "Bash")]}
    assert judge(now=20.2, sub_lines=late, **more)["a1"].rule == "news-is-due", "its last words are not written yet"
    told = {**more, "lines": [*more["lines"], Finished(11.9, "a2")]}
    assert judge(now=20.2, sub_lines=late, **told)["a1"].detail == "finished", "the queue told so before its own end"
    in_front: dict[str, list[Event]] = {**words, "a1": [Prompt(11.0, True), Message(20.1, "end_turn")]}
    assert judge(now=20.2, sub_lines=in_front, **more)["a1"].detail == "finished", "its call has told it"


@pytest.mark.parametrize(("tool", "words"), [("AskUserQuestion", "question"), ("ExitPlanMode", "plan")])
def test_a_question_that_is_open_in_the_transcript_asks_without_hooks_case_72(tool: str, words: str) -> None:
    lines = [Prompt(10, False), Call(11, "t", tool)]
    assert verdict(now=20, lines=lines) == (ASKING, words)
    assert verdict(now=20, lines=[*lines, Result(15, "t", None)]) == (WORKING, "thinking")
    assert verdict((5.0, event("SessionStart", source="startup")), now=20, lines=lines) == (ASKING, words), (
        "only its start"
    )


def test_a_sub_agent_without_hooks_ends_with_what_its_parent_was_told_case_72() -> None:
    begun: list[Event] = [Prompt(10, False), Call(11, "t", "Agent")]
    work: dict[str, list[Event]] = {"a1": [Prompt(11, True), Activity(15)]}
    metas = {"a1": Meta("Explore", call_id="t")}
    assert judge(now=30, lines=begun, sub_lines=work, metas=metas)["a1"].status == WORKING
    done = [*begun, Result(20, "t", None)]
    assert judge(now=30, lines=done, sub_lines=work, metas=metas)["a1"].detail == "finished"
    sent = [*begun, Result(12, "t", None), Started(12, "a1", "agent")]
    assert judge(now=30, lines=sent, sub_lines=work, metas=metas)["a1"].status == WORKING
    told = [*sent, Finished(20, "a1")]
    assert judge(now=30, lines=told, sub_lines=work, metas=metas)["a1"].detail == "finished"


def test_without_hooks_a_sub_agent_that_began_before_its_process_is_that_of_another_terminal() -> None:
    work: dict[str, list[Event]] = {"a1": [Prompt(11, True), Activity(15)]}
    metas = {"a1": Meta("Explore", call_id="t")}
    assert judge(now=16, sub_lines=work, metas=metas, began=10.0)["a1"].status == WORKING
    assert judge(now=16, sub_lines=work, metas=metas, began=12.0)["a1"].detail == "finished"


def test_without_hooks_what_was_left_running_at_the_end_of_a_turn_is_working() -> None:
    lines = [Prompt(10, False), Activity(11), Message(11, "end_turn")]
    assert verdict(now=30, lines=[*lines, Ended(11.1, 2, 1)]) == (WORKING, "2 sub-agents, 1 workflow")
    assert verdict(now=30, lines=[*lines, Ended(11.1)])[0] == WAITING
    assert verdict(now=30, lines=[*lines, Ended(11.1, 2, 1), Prompt(20, True), Ended(21)])[0] == WAITING


def test_without_hooks_a_question_behind_a_call_that_runs_is_not_the_one_that_is_asked_case_72() -> None:
    lines: list[Event] = [Prompt(10, False), Call(11, "p1", "ExitPlanMode")]
    work: list[Event] = [Prompt(10, True), Call(11, "b", "Bash"), Call(11, "q", "AskUserQuestion")]
    metas, dialog = {"a1": Meta("Explore")}, ("waiting", 11.1, "permission prompt")
    found = judge(now=12, lines=lines, sub_lines={"a1": work}, metas=metas, report=dialog)
    assert (found["main"].status, found["a1"].status) == (ASKING, WORKING)
    its_turn = [*work, Result(11.5, "b", None)]
    found = judge(now=12, lines=lines, sub_lines={"a1": its_turn}, metas=metas, report=dialog)
    assert (found["main"].status, found["a1"].status) == (ASKING, ASKING)
    assert judge(now=12, lines=lines, sub_lines={"a1": work}, metas=metas)["a1"].status == ASKING, "nobody would tell"


def test_agents_that_were_left_at_the_end_of_a_turn_are_over_when_the_registry_rests() -> None:
    """Without hooks: main is not told of an agent of an agent that has failed."""
    lines: list[Event] = [Prompt(10, False), Message(12, "end_turn"), Ended(12, agents=1)]
    assert verdict(now=20, lines=lines) == (WORKING, "1 sub-agent")
    assert verdict(now=20.3, lines=lines, report=("idle", 20)) == (WORKING, "1 sub-agent"), "news may be on their way"
    assert verdict(now=21.1, lines=lines, report=("idle", 20))[0] == WAITING
    assert judge(now=20.3, lines=lines, report=("idle", 20))["main"].until == 21.0
    at_work = [Prompt(10, False), Message(12, "end_turn"), Ended(12, agents=1, workflows=2)]
    assert verdict(now=30, lines=at_work, report=("idle", 20)) == (WORKING, "2 workflows")


def test_without_hooks_an_agent_is_awaited_whose_transcript_is_not_there_yet() -> None:
    words: list[Event] = [Prompt(11, True), Result(14, "g", None), Started(14, "a2", "agent")]
    more: dict[str, Any] = {"metas": {"a1": Meta(over=True)}, "parents": {"a1": "main"}}
    ended = {"a1": [*words, Message(14.2, "end_turn")]}
    assert judge(now=14.5, sub_lines=ended, **more)["a1"].status == WORKING
    assert judge(now=15.1, sub_lines=ended, **more)["a1"].detail == "finished"
    assert judge(now=14.5, sub_lines={"a1": [*ended["a1"], Finished(14.4, "a2")]}, **more)["a1"].detail == "finished"
    others: list[Event] = [Prompt(10, False), Started(14, "a2", "agent"), Ended(14.2)]
    assert verdict(now=14.5, lines=others)[0] == WAITING, "main's may be those of another process"
