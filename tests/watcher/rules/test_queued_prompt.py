"""The law: a prompt that waits in the queue."""

from typing import Any

from support.builders import call, event
from support.cases import BASH, PRE, PROMPT, STOP, WAITING, WORKING, stop, verdict
from watcher.rules.past_reports import PastReport
from watcher.rules.turn_events import Activity, Call, Continued, Ended, Event, Interrupted, Message, Prompt, Queued


def test_a_queued_prompt_works_until_the_last_turn_ends_case_41() -> None:
    queued = (12.0, event("UserPromptSubmit", prompt="y", prompt_id="p"))
    assert verdict(PROMPT, PRE, queued, now=13)[0] == WORKING
    first_end = (15.0, event("Stop", prompt_id="p"))
    assert verdict(PROMPT, queued, first_end, now=15.01)[0] == WORKING, "nothing tells of the second turn yet"
    lines = [Prompt(10, False), Ended(15), Prompt(15.02, False)]
    assert verdict(PROMPT, queued, first_end, now=60, lines=lines)[0] == WORKING
    assert verdict(PROMPT, queued, first_end, now=60, report=("busy", 15.03))[0] == WORKING
    assert verdict(PROMPT, queued, first_end, (70, event("Stop", prompt_id="q")), now=71, lines=lines)[0] == WAITING
    assert verdict(PROMPT, queued, first_end, now=60)[0] == WAITING, "the guess is bounded"


def test_a_prompt_that_an_old_client_queues_in_its_transcript_alone_is_working_case_41() -> None:
    """Its hook tells of the prompt only when that begins."""
    lines, first_end = [Prompt(10, False), Queued(12, waits=True), Ended(15)], (15.0, event("Stop", prompt_id="p"))
    assert verdict(PROMPT, first_end, now=15.01, lines=lines) == (WORKING, "queued prompt")
    interrupted = [*lines[:2], Interrupted(15)]
    assert verdict(PROMPT, now=15.01, lines=interrupted, report=("idle", 15)) == (WORKING, "queued prompt")
    begun = (15.2, event("UserPromptSubmit", prompt="y", prompt_id="q"))
    over = (20.0, event("Stop", prompt_id="q"))
    assert verdict(PROMPT, first_end, begun, over, now=20.1, lines=lines) == (WAITING, "")
    assert verdict(PROMPT, first_end, now=15.2, lines=[*lines, Queued(14.9, waits=False)]) == (WAITING, ""), (
        "it was taken in"
    )
    assert verdict(now=21, lines=lines, began=20) == (WAITING, ""), "it was queued in an earlier process"


def test_a_prompt_that_was_typed_as_a_long_compaction_began_opens_a_turn_when_that_is_over_case_31() -> None:
    """Its hook comes before that of the compaction, so only the transcript tells that it waits."""
    typed = (30.0, event("UserPromptSubmit", prompt="y", prompt_id="q"))
    seen = (PROMPT, STOP, typed, (30.1, event("PreCompact", trigger="manual")))
    done, lines = (60.0, event("PostCompact", trigger="manual")), [Queued(30.0, waits=True)]
    assert verdict(*seen, now=50, lines=lines) == (WORKING, "compacting")
    assert verdict(*seen, done, now=60.3, lines=lines) == (WORKING, "queued prompt")
    assert verdict(*seen, done, now=63.1, lines=lines) == (WAITING, ""), "the guess is bounded"


def test_an_interruption_that_starts_the_queued_prompt_is_working_case_41() -> None:
    queued = (12.0, event("UserPromptSubmit", prompt="y", prompt_id="p"))
    lines = [Prompt(10, False), Interrupted(15)]
    assert verdict(PROMPT, queued, now=15.01, lines=lines)[0] == WORKING, "it starts at once, but is not told yet"
    assert verdict(PROMPT, queued, now=20, lines=[*lines, Prompt(15.02, False)])[0] == WORKING
    over = (20.0, event("Stop", prompt_id="q"))
    assert verdict(PROMPT, queued, over, now=21.1, lines=[*lines, Prompt(15.02, False)])[0] == WAITING
    assert verdict(PROMPT, queued, now=16.5, lines=lines, report=("idle", 15.05))[0] == WAITING, "it was taken back"


def test_a_turn_that_a_stop_hook_sent_back_has_not_taken_the_queued_prompt_cases_41_and_57() -> None:
    queued = (12.0, event("UserPromptSubmit", prompt="y", prompt_id="p"))
    sent_back = ((15.0, event("Stop", prompt_id="p")), (15.2, call("PreToolUse", "t2", given=BASH)))
    lines = [Prompt(10, False), Queued(12, waits=True), Message(15, "end_turn"), Continued(15.1)]
    assert verdict(PROMPT, queued, *sent_back, now=18, lines=lines)[0] == WORKING
    over = [*lines, Interrupted(20)]
    assert verdict(PROMPT, queued, *sent_back, now=20.1, lines=over) == (WORKING, "queued prompt")


def test_a_turn_that_only_the_registry_told_of_has_taken_the_queued_prompt_case_63() -> None:
    """Where two terminals have the session open, nobody knows whose lines its transcript has."""
    queued, later = (12.0, event("UserPromptSubmit", prompt="y", prompt_id="p")), (16.0, PRE[1])
    rested = (PastReport("busy", 10.1, 15.0), PastReport("idle", 15.0, 15.1), PastReport("busy", 15.1, 20.0))
    seen: dict[str, Any] = {"now": 20.1, "report": ("idle", 20.0), "lines": [Prompt(10, False)]}
    assert verdict(PROMPT, queued, later, **seen) == (WORKING, "queued prompt")
    assert verdict(PROMPT, queued, later, **seen, history=rested)[0] == WAITING
    unread = (rested[0], rested[2])
    assert verdict(PROMPT, queued, later, **seen, history=unread)[0] == WAITING, "the rest was overwritten"


def test_of_two_prompts_in_the_queue_the_second_begins_when_the_first_is_rejected_case_41() -> None:
    queued = [(at, event("UserPromptSubmit", prompt="y", prompt_id=str(at))) for at in (12.0, 13.0)]
    lines = [
        Prompt(10, False),
        Queued(12, waits=True),
        Queued(13, waits=True),
        Ended(15),
        Prompt(15.1, False, queued=True),
        Call(15.2, "t1", "Bash"),
    ]
    start = (9.0, event("SessionStart", source="startup"))
    seen = (start, PROMPT, *queued, (15.0, event("Stop", prompt_id="p")), (15.3, PRE[1]))
    assert verdict(*seen, now=17.1, lines=[*lines, Interrupted(17)]) == (WORKING, "queued prompt")
    assert verdict(*seen, now=21, lines=[*lines, Interrupted(17)])[0] == WAITING, "the guess is bounded"


def test_a_prompt_that_the_transcript_shows_in_the_queue_begins_when_the_turn_is_over_case_41() -> None:
    """The turn was opened by a message, of which no hook tells, so the hooks take the prompt for its beginning."""
    lines: list[Event] = [Prompt(19, True), Queued(20, waits=True), Message(20.9, "end_turn")]
    seen = ((20.1, event("UserPromptSubmit", prompt="x", prompt_id="p")), STOP)
    assert verdict(*seen, now=22, lines=lines) == (WORKING, "queued prompt")
    assert verdict(*seen, now=22, lines=[*lines, Queued(21.5, waits=False)])[0] == WAITING
    assert verdict(*seen, now=22, lines=[*lines, Prompt(21.5, False)]) == (WORKING, "thinking")
    resumed = (21.2, event("SessionStart", source="resume"))
    assert verdict(*seen, resumed, now=22, lines=lines)[0] == WAITING


def test_news_that_begins_a_turn_is_not_the_prompt_that_waits_in_the_queue() -> None:
    news = event("UserPromptSubmit", prompt="<task-notification><task-id>b1</task-id>", prompt_id="n")
    seen = [(20.0, news), (20.2, event("UserPromptSubmit", prompt="x", prompt_id="n")), (20.9, event("Stop"))]
    lines: list[Event] = [Queued(20.1, waits=True), Prompt(20.25, True), Message(20.8, "end_turn"), Ended(20.95)]
    assert verdict(*seen, now=21.1, lines=lines, report=("idle", 21.0)) == (WORKING, "queued prompt")
    assert verdict(*seen[::2], now=21.1, lines=lines, report=("idle", 21.0)) == (WORKING, "queued prompt"), "hook lost"
    begun = [*lines, Prompt(21.05, False)]
    assert verdict(*seen, now=21.1, lines=begun, report=("busy", 21.08)) == (WORKING, "thinking")


def test_a_prompt_in_the_queue_is_taken_though_its_own_hook_is_told_a_moment_later_case_41() -> None:
    seen = (PROMPT, (20.1, event("UserPromptSubmit", prompt="x", prompt_id="p")), STOP)
    waits: list[Event] = [Prompt(10, False), Queued(20, waits=True)]
    assert verdict(*seen, now=22, lines=[*waits, Message(20.9, "end_turn")]) == (WORKING, "queued prompt")
    taken: list[Event] = [*waits, Queued(20.05, waits=False), Message(20.9, "end_turn"), Ended(21)]
    assert verdict(*seen, now=22, lines=taken)[0] == WAITING
    begun: list[Event] = [*waits, Prompt(20.05, False), Message(20.9, "end_turn"), Ended(21)]
    assert verdict(*seen, now=22, lines=begun)[0] == WAITING


def test_a_prompt_in_the_queue_is_not_taken_by_the_turn_of_news_that_began_just_before_case_41() -> None:
    news = event("UserPromptSubmit", prompt="<task-notification>\n<task-id>b1</task-id>", prompt_id="n")
    typed = (10.2, event("UserPromptSubmit", prompt="x", prompt_id="n"))
    lines: list[Event] = [Prompt(10.1, machine=True), Message(10.5, "end_turn")]
    seen = ((10.0, news), typed, stop(10.6))
    assert verdict(*seen, now=10.7, lines=[*lines, Ended(10.65)]) == (WORKING, "queued prompt")
    by_hand: list[Event] = [Prompt(10.1, machine=False), *lines[1:]]
    assert verdict(*seen, now=10.7, lines=[*by_hand, Ended(10.65)])[0] == WAITING


def test_the_second_of_two_prompts_in_the_queue_begins_when_the_turn_of_the_first_is_over_case_41() -> None:
    typed = [(at, event("UserPromptSubmit", prompt="x", prompt_id="p")) for at in (12.1, 13.1)]
    seen = (PROMPT, *typed, (20.0, event("Stop", prompt_id="p")), (30.0, event("Stop", prompt_id="q")))
    waits: list[Event] = [Prompt(10, False), Queued(12, waits=True), Queued(13, waits=True), Ended(20)]
    first = [*waits, Prompt(20.2, machine=False, queued=True), Ended(30)]
    assert verdict(*seen, now=30.2, lines=first) == (WORKING, "queued prompt")
    assert verdict(*seen, now=34, lines=first)[0] == WAITING, "the guess is bounded"
    assert verdict(*seen, now=30.2, lines=[*first[:-1], Queued(25, waits=False), Ended(30)])[0] == WAITING, "taken in"
    other = [*waits, Queued(14, waits=False, every=True), Ended(20)]
    assert verdict(*seen[:-1], now=20.2, lines=other)[0] == WAITING, "a person took all of them back"
    typed_anew = [*waits, Prompt(20.2, machine=False), Ended(30)]
    assert verdict(*seen, now=30.2, lines=typed_anew)[0] == WAITING, "an old client does not tell"


def test_a_prompt_that_waited_for_a_compaction_begins_when_that_is_over_case_41() -> None:
    lines: list[Event] = [Prompt(5, False), Activity(6), Ended(7), Queued(20, True)]
    assert verdict(now=30.2, lines=lines, report=("idle", 30.0)) == (WORKING, "queued prompt")
    assert verdict(now=31.1, lines=lines, report=("idle", 30.0))[0] == WAITING
