"""The law: the compaction of a conversation."""

from support.builders import event
from support.cases import PROMPT, STOP, WAITING, WORKING, verdict
from watcher.rules.turn_events import Compacted, Ended, Event, Interrupted, Local, Prompt


def test_compaction_by_hand_works_and_then_waits_case_31() -> None:
    seen = (PROMPT, STOP, (30.0, event("PreCompact", trigger="manual")))
    assert verdict(*seen, now=60, report=("busy", 30.1)) == (WORKING, "compacting")
    assert verdict(*seen, now=60) == (WORKING, "compacting")
    done = (*seen, (80.0, event("SessionStart", source="compact")), (80.1, event("PostCompact", trigger="manual")))
    assert verdict(*done, now=90, report=("idle", 80.2))[0] == WAITING
    assert verdict(*done, now=90)[0] == WAITING
    assert verdict(*seen, now=90, report=("idle", 50))[0] == WAITING, "given up with Esc"
    assert verdict(*seen, now=90, lines=[Prompt(10, False), Ended(21), Compacted(80)])[0] == WAITING


def test_compaction_in_mid_turn_goes_on_working_case_32() -> None:
    seen = (PROMPT, (15.0, event("PreCompact", trigger="auto")), (25.0, event("SessionStart", source="compact")))
    assert verdict(*seen[:2], now=20) == (WORKING, "compacting")
    assert verdict(*seen, (25.1, event("PostCompact", trigger="auto")), now=30)[0] == WORKING


def test_a_compaction_that_was_refused_cancelled_or_failed_is_over_case_58() -> None:
    begun = (20.0, event("PreCompact", trigger="manual"))
    assert verdict(PROMPT, (15.0, event("Stop")), begun, now=21) == (WORKING, "compacting")
    assert verdict(PROMPT, (15.0, event("Stop")), begun, now=21, lines=[Local(20.4)])[0] == WAITING
    assert verdict(PROMPT, (15.0, event("Stop")), begun, now=20.2, report=("idle", 15.1))[0] == WORKING
    assert verdict(PROMPT, (15.0, event("Stop")), begun, now=22.5, report=("idle", 15.1))[0] == WAITING
    assert verdict(PROMPT, (15.0, event("Stop")), begun, now=20.6, report=("idle", 20.5))[0] == WAITING
    assert verdict(PROMPT, (15.0, event("Stop")), begun, now=60, report=("busy", 20.1)) == (WORKING, "compacting")


def test_a_compaction_that_is_interrupted_at_once_is_over_case_58() -> None:
    begun, lines = (15.0, event("PreCompact", trigger="auto")), [Prompt(10, False), Interrupted(15.01)]
    assert verdict(PROMPT, begun, now=15.1, lines=lines) == (WAITING, "interrupted")


def test_a_compaction_by_hand_tells_that_the_turn_before_it_was_interrupted_case_2() -> None:
    begun, done = (20.0, event("PreCompact", trigger="manual")), (25.0, event("PostCompact", trigger="manual"))
    prompted: list[Event] = [Prompt(10, False)]
    assert verdict(PROMPT, begun, now=22, lines=prompted) == (WORKING, "compacting")
    assert verdict(PROMPT, begun, now=22, lines=[*prompted, Local(20.1)])[0] == WAITING
    assert verdict(PROMPT, begun, done, now=26, lines=prompted)[0] == WAITING
    written: list[Event] = [*prompted, Ended(15), Prompt(17, True)]  # by a teammate's message, which no hook tells
    stopped = (15.0, event("Stop"))
    assert verdict(PROMPT, stopped, now=22, lines=written)[0] == WORKING
    assert verdict(PROMPT, stopped, begun, now=22, lines=[*written, Local(20.1)])[0] == WAITING
    by_itself = (20.0, event("PreCompact", trigger="auto"))
    assert verdict(PROMPT, by_itself, done, now=26, lines=prompted)[0] == WORKING


def test_a_busy_that_is_written_as_a_compaction_by_hand_ends_is_no_turn_case_31() -> None:
    seen = (PROMPT, STOP, (30.0, event("PreCompact", trigger="manual")), (32.0, event("PostCompact", trigger="manual")))
    for stamped in (30.1, 32.05):
        busy = ("busy", stamped)
        assert verdict(*seen, now=32.1, report=busy)[0] == WAITING, "its idle is on its way"
        assert verdict(*seen, now=34.1, report=busy)[0] == WORKING, "it stands"
    assert verdict(*seen, now=33, report=("busy", 32.5))[0] == WORKING, "something has begun since"
    prompt = (32.2, event("UserPromptSubmit", prompt="y", prompt_id="q"))
    assert verdict(*seen, prompt, now=32.3, report=("busy", 32.05))[0] == WORKING
    by_itself = ((30.0, event("PreCompact", trigger="auto")), (32.0, event("PostCompact", trigger="auto")))
    sent_back = verdict(PROMPT, STOP, *by_itself, now=32.1, report=("busy", 10.1))
    assert sent_back[0] == WORKING, "in mid-turn: a goal has sent it back, of which no hook tells"
