"""What prompts and stops change in a fact: the turn, its calls and what waits in the queue."""

from contract import facts
from contract.facts import Stamp
from recorder import changes
from recorder.clients import claude
from support.builders import ask, call, event, known


def test_a_stop_ends_the_turn_and_all_its_calls() -> None:
    fact = known(
        event("UserPromptSubmit", prompt="x", prompt_id="p"), call("PreToolUse", "a"), event("Stop", prompt_id="p")
    )
    assert fact.turn is not None
    assert fact.turn.ended == (1002.0, 1002.0)
    assert not fact.calls


def test_an_older_stop_does_not_end_a_newer_turn() -> None:
    fact = known(
        event("UserPromptSubmit", prompt="a"), event("UserPromptSubmit", prompt="b"), event("Stop"), at=[1, 9, 5]
    )
    assert fact.turn is not None
    assert fact.turn.is_open


def test_an_older_prompt_does_not_open_a_turn_that_has_ended() -> None:
    fact = known(
        event("UserPromptSubmit", prompt="a"), event("Stop"), event("UserPromptSubmit", prompt="b"), at=[1, 9, 5]
    )
    assert fact.turn is not None
    assert not fact.turn.is_open


def test_events_after_the_wall_clock_was_set_back_are_newer_all_the_same() -> None:
    fact = None
    steps = (
        event("UserPromptSubmit", prompt="a", prompt_id="1"),
        call("PreToolUse", "t"),
        event("UserPromptSubmit", prompt="b", prompt_id="2"),
        event("Stop", prompt_id="2"),
        event("UserPromptSubmit", prompt="c", prompt_id="3"),
        event("Stop", prompt_id="3"),
    )
    for k, one in enumerate(steps):
        (change,) = claude.translate(one)
        fact = changes.record(fact, change, Stamp((9000.0 - 1000 * k, 100.0 + k)))
    assert fact is not None
    assert fact.turn is not None
    assert (fact.turn.id, fact.turn.opened, fact.turn.ended) == ("3", (5000.0, 104.0), (4000.0, 105.0))
    assert not fact.calls
    assert not fact.turn.queued


def test_a_prompt_queued_in_mid_turn_belongs_to_the_turn_case_41() -> None:
    fact = known(
        event("UserPromptSubmit", prompt="a", prompt_id="p"),
        call("PreToolUse", "t"),
        event("UserPromptSubmit", prompt="b", prompt_id="p"),
    )
    assert fact.turn is not None
    assert (fact.turn.opened, fact.turn.prompted) == ((1000.0, 1000.0), (1002.0, 1002.0))
    assert list(fact.calls) == ["t"]
    assert fact.turn.queued == (1002.0, 1002.0)


def test_the_end_of_the_turn_before_that_is_told_last_says_nothing_of_what_goes_on() -> None:
    """A hook of it was so slow that the next turn came and went."""
    first, second = (event("UserPromptSubmit", prompt="x", prompt_id=name) for name in "pq")
    shell = [{"id": "b1", "type": "shell", "status": "running"}]
    slow = event("Stop", prompt_id="p", background_tasks=shell)
    assert [task.id for task in known(first, second, slow).background] == ["b1"]
    assert known(first, second, event("Stop", prompt_id="q", background_tasks=[]), slow).background == []


def test_the_end_of_a_turn_that_is_told_in_the_next_one_does_not_end_that() -> None:
    """A person need not wait for the hooks of a turn's end."""
    first, second = event("UserPromptSubmit", prompt_id="p"), event("UserPromptSubmit", prompt_id="q")
    late = known(first, second, event("StopFailure", prompt_id="p", error="rate_limit"))
    assert late.turn is not None
    assert late.turn.is_open
    own = known(first, second, event("Stop", prompt_id="q"))
    assert own.turn is not None
    assert not own.turn.is_open
    queued = known(first, event("UserPromptSubmit", prompt_id="p"), event("Stop", prompt_id="r"))
    assert queued.turn is not None
    assert not queued.turn.is_open, "a turn that a prompt from the queue began has an id of which no hook told"


def test_a_prompt_that_two_hook_entries_tell_of_is_one_prompt() -> None:
    (prompt,) = claude.translate(event("UserPromptSubmit", prompt="a", prompt_id="p"))
    fact = changes.record(changes.record(None, prompt, Stamp((1000.0, 1000.0))), prompt, Stamp((1000.02, 1000.02)))
    assert fact is not None
    assert fact.turn is not None
    assert fact.turn.queued is None


def test_a_queued_prompt_is_taken_in_by_the_next_batch_of_calls_case_41() -> None:
    first, second = (
        event("UserPromptSubmit", prompt="a", prompt_id="p"),
        event("UserPromptSubmit", prompt="b", prompt_id="p"),
    )
    taken = known(first, second, event("PostToolBatch", tool_calls=[]), event("Stop"))
    left = known(first, second, event("Stop"))
    assert taken.turn is not None
    assert left.turn is not None
    assert (taken.turn.queued, left.turn.queued) == (None, (1001.0, 1001.0))


def test_a_task_notification_is_a_machine_turn_and_no_human_activity_case_42() -> None:
    fact = known(
        event("UserPromptSubmit", prompt="hi"),
        event("Stop"),
        event("UserPromptSubmit", prompt="<task-notification>\n<task-id>x"),
    )
    assert fact.turn is not None
    assert fact.turn.machine
    assert fact.human == (1000.0, 1000.0)


def test_of_a_notification_only_the_task_is_kept_case_42() -> None:
    words = "<task-notification>\n<task-id>a5fc</task-id>\n<result>swordfish</result>"
    fact = known(event("UserPromptSubmit", prompt=words))
    assert fact.heard == {"a5fc": (1000.0, 1000.0)}
    assert b"swordfish" not in facts.encode(fact)
    junk = ["<task-notification>", "<task-notification><task-id>", "<task-notification><task-id>\x1b[2J</task-id>"]
    assert not known(*[event("UserPromptSubmit", prompt=one) for one in junk]).heard


def test_no_prompt_is_kept() -> None:
    assert b"swordfish" not in facts.encode(known(event("UserPromptSubmit", prompt="the swordfish prompt")))
    assert b"swordfish" not in facts.encode(known(event("Stop", last_assistant_message="swordfish")))
    assert b"swordfish" not in facts.encode(
        known(event("Notification", notification_type="idle_prompt", message="swordfish"))
    )


def test_a_failed_stop_keeps_its_error_until_the_next_turn() -> None:
    failed = known(event("UserPromptSubmit", prompt="x"), event("StopFailure", error="rate_limit"))
    assert failed.turn is not None
    assert failed.turn.error == "rate_limit"
    again = known(
        event("UserPromptSubmit", prompt="x"),
        event("StopFailure", error="rate_limit"),
        event("UserPromptSubmit", prompt="y"),
    )
    assert again.turn is not None
    assert not again.turn.error


def test_background_tasks_and_crons_of_a_stop_are_kept() -> None:
    tasks = [{"id": "b1", "type": "shell", "status": "running", "description": "secret", "command": "secret"}]
    crons = [{"id": "c1", "schedule": "*/5 * * * *", "recurring": True, "prompt": "secret"}]
    fact = known(event("Stop", background_tasks=tasks, session_crons=crons))
    assert [(t.id, t.type, t.status) for t in fact.background] == [("b1", "shell", "running")]
    assert [(c.id, c.schedule, c.recurring) for c in fact.crons] == [("c1", "*/5 * * * *", True)]
    assert b"secret" not in facts.encode(fact)


def test_a_new_turn_ends_the_calls_of_the_one_before() -> None:
    rejected = [event("UserPromptSubmit", prompt_id="a"), call("PreToolUse", "t1"), ask({"command": "echo t1"})]
    assert not known(*rejected, event("UserPromptSubmit", prompt_id="b")).calls


def test_a_prompt_that_is_queued_in_mid_turn_ends_no_call() -> None:
    asked = [event("UserPromptSubmit", prompt_id="a"), call("PreToolUse", "t1"), ask({"command": "echo t1"})]
    assert known(*asked, event("UserPromptSubmit", prompt_id="a")).calls["t1"].asked


def test_a_prompt_that_was_queued_in_an_earlier_process_is_forgotten() -> None:
    queued = [event("UserPromptSubmit", prompt_id="a"), event("UserPromptSubmit", prompt_id="a")]
    fact = known(*queued, event("SessionStart", source="resume"))
    assert fact.turn is not None
    assert fact.turn.queued is None
