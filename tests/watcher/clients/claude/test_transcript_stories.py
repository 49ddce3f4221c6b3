"""What whole transcripts tell, as they were recorded from the client."""

from __future__ import annotations

from typing import Any

import pytest

from support.transcript_lines import (
    TRANSCRIPTS,
    recorded,
)
from watcher.clients.claude.transcript import parse

ONE_CALL = "Prompt Activity Message Call Message"
ANSWER = "Activity Message Ended"
BOTH_ENDS = "Activity Message Ended Ended"  # a Stop hook is set up: its summary comes before the end
STORIES = {
    "api_error": "Prompt Failed Ended",
    "approved": f"{ONE_CALL} Result {BOTH_ENDS}",
    "approved_and_switched_to_auto": ONE_CALL,
    "approved_with_a_remark_in_2_1_197": f"Prompt Call Message Result {ANSWER}",
    "auto_mode_opens_a_dialog": ONE_CALL,
    "background_shell_wakes_the_agent": f"{ONE_CALL} Result Started {BOTH_ENDS} "
    f"Finished Finished Prompt:machine {BOTH_ENDS}",
    "cleared": f"Local Local Prompt {BOTH_ENDS}",
    "compacted": f"Prompt {BOTH_ENDS} Compacted Local",
    "compacted_in_mid_turn": f"Prompt Call Message Result Call Message Result Compacted {ANSWER}",
    "denied_by_a_rule_in_print_mode": "Queued:waits Prompt Call Message Result:auto Activity Message",
    "denied_in_print_mode": "Queued:waits Prompt Call Message Result:auto Activity Message",
    "interrupted_before_any_output": "Prompt",
    "interrupted_while_a_tool_runs": f"{ONE_CALL} Result:user Interrupted",
    "interrupted_while_text_streams": "Prompt Aborted Interrupted",
    "interrupted_with_a_prompt_queued": f"Prompt Queued:waits Aborted Interrupted Prompt {ANSWER}",
    "killed_in_mid_tool": ONE_CALL,
    "killed_resumed_and_asked_again": f"Prompt Call Message Result:lost Prompt {ANSWER}",
    "lead_of_a_teammate": f"{ONE_CALL} Result Activity Message Call Message Result "
    f"Activity Message Call Message Result {ANSWER} Prompt:machine {ANSWER}",
    "local_commands": f"Prompt {ANSWER} Prompt Continued {ANSWER} Local Local",
    "local_commands_in_2_1_197": f"Local Local {ANSWER} Prompt Continued {ANSWER} Local Local",
    "plan_dismissed": f"{ONE_CALL} Result Activity Message Call Message Result:user Interrupted Ended",
    "prompt_queued_for_the_next_turn": f"Prompt Queued:waits {ANSWER} Prompt {ANSWER}",
    "prompt_queued_in_mid_turn": f"{ONE_CALL} Queued:waits Result Queued {BOTH_ENDS}",
    "question_answered": f"{ONE_CALL} Result {BOTH_ENDS}",
    "rate_limited": "Prompt Failed Ended Prompt Failed Ended",
    "rejected": f"{ONE_CALL} Result:user Interrupted Ended",
    "rejected_with_feedback": f"Prompt Call Message Result:user {ANSWER}",
    "resumed": f"Prompt {BOTH_ENDS} Compacted Local",
    "schedule_wakes_the_agent": "Prompt Call Message Result Call Message Result "
    f"{ANSWER} Queued:waits Prompt:machine {ANSWER}",
    "schedule_wakes_the_agent_in_2_1_197": "Call Message Result Prompt Call Message Result "
    f"{ANSWER} Queued:waits Prompt:machine {ANSWER}",
    "stop_hook_sends_it_back": "Prompt Activity Message Continued Hooked Activity Message Hooked Ended",
    "sub_agent_interrupted_in_2_1_197": "Prompt Call Message Result:user Interrupted",
    "sub_agent_rejected": f"Prompt Call Message Result Started {ANSWER} Finished Finished Prompt:machine {ANSWER}",
    "sub_agents_in_the_background": f"{ONE_CALL} Call Message Result Started Result Started {BOTH_ENDS} "
    f"Finished Finished Prompt:machine {BOTH_ENDS} Finished Finished Prompt:machine {BOTH_ENDS}",
    "sub_agents_stopped_by_the_user": "Prompt Call Message Result Started Call Message Result:user Interrupted "
    f"Queued:waits Killed Prompt:machine {ANSWER}",
    "teammate_in_a_pane": f"Prompt:machine Activity Message Call Message Result {BOTH_ENDS}",
    "two_calls_rejected_at_once": "Prompt Call Message Call Message Result:user Result:user Interrupted Ended",
}


def told(lines: list[bytes], *, sidechain: bool = False) -> str:
    """The events of these lines in one row, with what sets one apart."""
    return " ".join(named(event) for one in lines for event in parse(one, sidechain=sidechain))


def named(event: Any) -> str:
    marks = [getattr(event, "denied", None), *(m for m in ("machine", "waits") if getattr(event, m, False))]
    return ":".join([type(event).__name__, *filter(None, marks)])


@pytest.mark.parametrize("name", sorted(STORIES))
def test_a_recorded_transcript_tells_its_story(name: str) -> None:
    assert told(recorded(name)) == STORIES[name]


def test_every_recorded_transcript_has_its_story_here() -> None:
    assert {path.stem for path in TRANSCRIPTS.glob("*.jsonl")} == set(STORIES)


@pytest.mark.parametrize(
    ("path", "story"),
    [
        ("sub_agents_in_the_background/subagents/agent-a5fcb0dc687776b20", "Prompt:machine Activity Message"),
        (
            "sub_agents_in_the_background/subagents/agent-aa5fb3115e8bd99c2",
            "Prompt:machine Activity Message Call Message Result Activity Message",
        ),
        (
            "sub_agent_rejected/subagents/agent-a9d3cd3668d666cb1",
            "Prompt:machine Call Message Result:user Activity Message",
        ),
        (
            "sub_agents_stopped_by_the_user/subagents/agent-afcf33d5127bd1052",
            "Prompt:machine Call Message Result:user Interrupted",
        ),
    ],
)
def test_a_sub_agents_transcript_tells_its_own_story_and_nothing_of_the_main_agent(path: str, story: str) -> None:
    assert told(recorded(path), sidechain=True) == story
    assert told(recorded(path)) == ""
