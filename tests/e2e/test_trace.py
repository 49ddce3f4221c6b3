"""A run as one timeline: what is called what, and its order without times."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from e2e.harness import trace
from e2e.harness.folders import temporary_folder
from e2e.harness.home import Home
from e2e.harness.patience import until
from e2e.harness.script import bash, script, text
from e2e.harness.trace import API, COMMAND, HOOK, KEY, MAIN, REGISTRY, TRANSCRIPT, Moment
from e2e.harness.tracer import TracedApi, TracedClient, Tracer, marked, stamping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from e2e.harness.trace import Timeline


def test_the_order_counts_agents_as_they_appear_and_knows_no_time() -> None:
    early = [
        Moment(1, HOOK, "a7f", "SubagentStart"),
        Moment(2, HOOK, MAIN, "Stop"),
        Moment(3, HOOK, "a7f", "SubagentStop"),
    ]
    late = [moment._replace(at=moment.at * 10, who=moment.who.replace("a7f", "b22")) for moment in early]
    assert trace.order(early) == trace.order(late)
    assert list(trace.order(early).values()) == [["SubagentStart", "SubagentStop"], ["Stop"]]


def test_the_order_keeps_streams_apart() -> None:
    mixed = [Moment(1, HOOK, MAIN, "Stop"), Moment(2, REGISTRY, "17", "idle"), Moment(3, HOOK, MAIN, "SessionEnd")]
    assert trace.order(mixed) == {(HOOK, MAIN): ["Stop", "SessionEnd"], (REGISTRY, "process 1"): ["idle"]}


def test_the_order_keeps_two_sessions_apart() -> None:
    two = [Moment(n, HOOK, MAIN, "SessionStart", None, session) for n, session in enumerate(("b", "a", "b"))]
    assert trace.order(two) == {(HOOK, "main"): ["SessionStart", "SessionStart"], (HOOK, "main 2"): ["SessionStart"]}


def test_a_line_is_told_by_its_marks_and_never_by_what_somebody_said() -> None:
    told = {"role": "user", "content": [{"type": "text", "text": "a secret"}]}
    assert trace.line({"type": "user", "message": told, "isMeta": True}) == "user text isMeta=True"
    denied = {"content": [{"type": "tool_result", "is_error": True}]}
    line = {"type": "user", "message": denied, "toolDenialKind": "user-rejected"}
    assert trace.line(line) == "user tool_result is_error toolDenialKind=user-rejected"


def test_the_interrupt_text_is_told_only_where_it_is_the_whole_text() -> None:
    mark = "[Request interrupted by user]"
    assert trace.line({"type": "user", "message": {"content": [{"type": "text", "text": mark}]}}) == f"user {mark}"
    assert trace.line({"type": "user", "message": {"content": f"he said {mark}"}}) == "user text"


def test_the_ends_of_a_turn_are_told_with_what_goes_on() -> None:
    summary = {"type": "system", "subtype": "stop_hook_summary", "hookErrors": ["go on"], "hasOutput": True}
    assert trace.line(summary) == "system stop_hook_summary hookErrors=['go on'] hasOutput=True"
    over = {"type": "system", "subtype": "turn_duration", "pendingBackgroundAgentCount": 2}
    assert trace.line(over) == "system turn_duration pendingBackgroundAgentCount=2"
    stop = {"hook_event_name": "Stop", "background_tasks": [{"type": "shell", "status": "running"}]}
    assert trace.hook(stop) == "Stop tasks=['shell running']"


def test_the_table_has_a_column_for_each_stream_and_milliseconds_since_the_beginning() -> None:
    rows = trace.table([Moment(10.25, KEY, "", "Enter"), Moment(10.5, API, "", "a | b", 10.0)], 10.0).splitlines()[2:]
    assert rows == ["| 250 | Enter |  |  |  |  |  |", "| 500 |  | a \\| b _(own 0)_ |  |  |  |  |"]


def test_a_real_turn_is_recorded_in_all_streams(client_program: str, folder: str) -> None:
    home = Home.make(folder, stamping(Stop=marked("my hook", "true")))
    with TracedApi() as api, Tracer(home) as tracer, TracedClient(client_program, api.url, home) as agent:
        tracer.pids.append(agent.pid)
        door = home.door("door")
        # Not `cat`: an old client reads the file of that itself, and would wait at the door for ever.
        call = bash(f"""python3 -c 'open("{door}").read()'""")
        agent.say(script({**call, "hold": "busy"}, text("over")))
        _await(tracer, REGISTRY, "busy")
        api.release("busy")
        agent.answer("Enter", words="python3")
        _await(tracer, COMMAND, "begins: python3")
        _await(tracer, REGISTRY, "busy", 2)
        open(door, "wb").close()
        _await(tracer, TRANSCRIPT, "system turn_duration")
        _await(tracer, REGISTRY, "idle", 2)
        found = _by_stream(tracer.timeline(api.moments, agent.moments))
    asks = ["PreToolUse", "PermissionRequest", "PostToolUse", "PostToolBatch"]
    assert _first_words(found[HOOK, MAIN]) == ["SessionStart", "UserPromptSubmit", *asks, "Stop"]
    assert found[HOOK, ""] == ["my hook begins", "my hook ends"]
    assert _first_words(found[REGISTRY, ""])[-5:] == ["idle", "busy", "waiting", "busy", "idle"]
    lines = [
        kind.split(" `")[0] for kind in found[TRANSCRIPT, MAIN] if kind.startswith(("user", "assistant", "system"))
    ]
    turn = ["user text", "assistant tool_use Bash", "user tool_result", "assistant text"]
    assert lines == [*turn, "system stop_hook_summary", "system turn_duration"]
    assert _first_words(found[COMMAND, ""]) == ["begins:", "ends:"]
    assert found[KEY, ""] == ["Enter", "Enter"]
    assert [kind for kind in found[API, ""] if kind.startswith("request")] == ["request → Bash", "request → 'over'"]


@pytest.fixture
def folder() -> Iterator[str]:
    with temporary_folder() as path:
        yield path


def _by_stream(moments: Timeline) -> dict[tuple[str, str], list[str]]:
    return {(stream, who if who == MAIN else ""): kinds for (stream, who), kinds in trace.order(moments).items()}


def _first_words(kinds: list[str]) -> list[str]:
    return [kind.split()[0] for kind in kinds]


def _await(tracer: Tracer, stream: str, words: str, times: int = 1) -> None:
    def came() -> bool:
        return sum(moment.stream == stream and moment.what.startswith(words) for moment in tracer.timeline()) >= times

    until(came, 20, lambda: trace.table(tracer.timeline(), 0))
