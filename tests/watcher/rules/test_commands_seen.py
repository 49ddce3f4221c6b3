"""The law: which request a command that runs has answered."""

from dataclasses import replace
from typing import Any

import pytest

from processes.shells import Command
from support.builders import ask, call
from support.cases import (
    ASK,
    ASKING,
    BASH,
    OPEN_DIALOG,
    POST,
    PRE,
    PROMPT,
    SUB,
    SUB2,
    TWO_ASK,
    WORKING,
    facts_of,
    judge,
    launched,
    verdict,
)
from support.turns import fold_all
from watcher.rules.commands_seen import UNDECIDED, first_seen
from watcher.rules.evidence import Evidence, Mates, RegistryReport
from watcher.rules.law import resolve
from watcher.rules.turn import Turn
from watcher.rules.turn_events import Call, Prompt, Result


def test_an_approved_bash_is_working_by_registry_or_by_its_process_case_03() -> None:
    assert verdict(PROMPT, PRE, ASK, now=30, report=("waiting", 11.1, "permission prompt")) == (
        ASKING,
        "Bash: npm test",
    )
    assert verdict(PROMPT, PRE, ASK, now=30, report=("busy", 15)) == (WORKING, "Bash: npm test")
    assert verdict(PROMPT, PRE, ASK, now=30, commands=[("npm test", 15.0)]) == (WORKING, "Bash: npm test")


def test_a_command_that_began_before_the_request_approves_nothing_case_03() -> None:
    assert verdict(PROMPT, PRE, ASK, now=30, commands=[("npm test", 5.0)])[0] == ASKING


def test_another_agents_command_approves_nothing_case_03() -> None:
    other = (10.5, call("PreToolUse", "u", given={"command": "ls -la"}, **SUB))
    assert verdict(PROMPT, other, PRE, ASK, now=30, commands=[("ls -la", 15.0)])[0] == ASKING


@pytest.mark.parametrize("text", ["npm test", "npm  test\n", "'npm' \"test\""])
def test_the_command_is_known_whatever_the_quoting_case_03(text: str) -> None:
    other = (10.5, call("PreToolUse", "u", given={"command": "ls"}, **SUB))
    assert verdict(PROMPT, other, PRE, ASK, now=30, commands=[(text, 15.0)])[0] == WORKING


def test_an_agent_in_the_background_is_answered_by_no_command_that_may_be_anothers() -> None:
    seen = [*launched(SUB), (14.0, call("PreToolUse", "t", given=BASH, **SUB)), (14.5, ask(BASH, **SUB))]
    equal = (14.1, call("PreToolUse", "u", given=BASH, **SUB2))
    assert judge(*seen, equal, now=16, commands=[("npm test", 14.3)])["a1"].status == ASKING
    assert judge(*seen, equal, now=16, commands=[("npm test", 14.3), ("npm test", 14.6)])["a1"].status == WORKING
    assert judge(*seen, now=16, commands=[("npm test", 14.3)])["a1"].status == WORKING, "allowed before our hook told"
    assert judge(*seen, now=16, commands=[("npm test", 13.9)])["a1"].status == ASKING, "before its call"


def test_of_two_requests_the_one_whose_command_runs_is_answered_and_never_the_last_one() -> None:
    found = judge(PROMPT, *TWO_ASK, now=30, report=OPEN_DIALOG, commands=[("npm test", 20.0)])
    assert (found["a1"].status, found["a2"].status) == (WORKING, ASKING)
    found = judge(PROMPT, *TWO_ASK, now=30, report=OPEN_DIALOG, commands=[("npm test", 20.0), ("ls", 20.0)])
    assert ASKING in (found["a1"].status, found["a2"].status)


@pytest.mark.parametrize("report", [OPEN_DIALOG, None])
@pytest.mark.parametrize("is_over", [False, True])
@pytest.mark.parametrize("command", ["ls -la", "npm testify"])
def test_a_request_is_not_answered_by_another_agents_command_case_59(report: Any, is_over: bool, command: str) -> None:
    """At the same moment; its own call may have ended, and its end may be told late."""
    given = {"command": command}
    seen = [*launched(SUB, SUB2), (14.0, call("PreToolUse", "s", given=BASH, **SUB)), (14.1, ask(BASH, **SUB))]
    seen.append((14.1, call("PreToolUse", "o", given=given, **SUB2)))
    if is_over:
        seen.append((14.3, call("PostToolUse", "o", given=given, **SUB2)))
    found = judge(*seen, now=30, report=report, commands=[(command, 14.15)])
    assert (found["a1"].status, found["a1"].detail) == (ASKING, "Bash: npm test")


def test_a_command_that_was_rewritten_on_the_way_answers_only_where_no_registry_tells() -> None:
    rewritten = [("timeout 60 npm test", 15.0)]
    assert verdict(PROMPT, PRE, ASK, now=30, commands=rewritten)[0] == WORKING
    assert verdict(PROMPT, PRE, ASK, now=16, commands=rewritten)[0] == ASKING, "its call may not be known yet"
    assert (
        verdict(PROMPT, PRE, ASK, now=30, commands=rewritten, report=("waiting", 11.2, "permission prompt"))[0]
        == ASKING
    )


def test_a_monitor_of_another_agent_answers_no_request_where_no_registry_tells_case_59() -> None:
    """Its command is a child of the client like any other, and no call of Bash explains it."""
    begun = (14.0, call("PreToolUse", "m", tool="Monitor", given={}, **SUB))
    ended = (14.3, call("PostToolUse", "m", tool="Monitor", given={}, **SUB))
    ran: dict[str, Any] = {"now": 30, "commands": [("tail -f log", 14.2)]}
    assert verdict(PROMPT, PRE, ASK, begun, **ran)[0] == ASKING
    assert verdict(PROMPT, PRE, ASK, begun, ended, **ran)[0] == ASKING
    agent = (11.0, call("PreToolUse", "g", tool="Agent", given={}, **SUB))
    assert verdict(PROMPT, agent, PRE, ASK, **ran)[0] == WORKING, "whoever starts an agent runs no command"


def test_a_command_that_a_hook_allowed_before_ours_was_told_is_working() -> None:
    assert verdict(PROMPT, PRE, ASK, now=12, commands=[("npm test", 11.05)])[0] == WORKING


def test_a_dialog_of_before_a_command_that_is_read_after_it_is_over_for_a_moment_case_61() -> None:
    """A hook of the user's has allowed it at once, and the registry's file is late."""
    facts, ran = facts_of([PROMPT, PRE, ASK]), Command(7, "7", 11.25, "npm test", "t1")
    late = RegistryReport("waiting", "permission prompt", 11.12, seen_at=11.4)
    evidence = Evidence(now=11.45, facts=facts, commands=(ran,), report=late)
    assert resolve(evidence)["main"].status == WORKING
    found = resolve(replace(evidence, now=12.2))["main"]
    assert (found.status, found.until) == (WORKING, 12.25)
    assert resolve(replace(evidence, now=12.3))["main"].status == ASKING, "the registry would have taken it back"
    for report in (replace(late, seen_at=11.2), replace(late, at=11.3)):
        assert resolve(replace(evidence, report=report))["main"].status == ASKING, "it was read before, or opened since"


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
    evidence = Evidence(now=16, facts=after, turns={}, commands=(ran,), report=RegistryReport("waiting", "", 12.2))
    assert resolve(evidence)["a1"].status == ASKING
    own = replace(evidence, commands=(ran._replace(call="t1"),), report=None)
    assert resolve(own)["a1"].status == WORKING


def test_a_command_that_was_allowed_is_not_that_of_an_equal_call_which_is_about_to_ask() -> None:
    """The request of the other one is told late, and the call that was allowed goes on in the background."""
    before = (12.0, call("PreToolUse", "t1", given=BASH, **SUB))
    after, ran = (12.3, call("PreToolUse", "t2", given=BASH, **SUB2)), Command(7, "7", 12.4, "npm test")
    seen = [*launched(SUB, SUB2), before, after]
    first = first_seen(ran, facts_of(seen), [], set())
    assert (first.call, first.claims) == (UNDECIDED, ("t2", "t1"))
    ended = (12.5, call("PostToolUse", "t2", given=BASH, **SUB2))
    assert first_seen(ran, facts_of([*seen, ended]), [], {"t2"}).claims == ("t2", "t1")
    assert first_seen(ran._replace(began=12.6), facts_of([*seen, ended]), [], {"t2"}).call == "t1", "it began later"
    assert first_seen(ran._replace(began=12.2), facts_of([*seen, ended]), [], {"t2"}).call == "t1", "it began before"
    assert first_seen(ran._replace(began=12.2), facts_of(seen), [], set()).call == "t1", "it began before"
    for agent, sub in (("a1", SUB), ("a2", SUB2)):
        facts = facts_of([*seen, (12.45, ask(BASH, **sub))])
        second = first_seen(Command(8, "8", 13.5, "npm test"), facts, [first], set())
        assert second.call == UNDECIDED
        assert resolve(Evidence(now=14, facts=facts, commands=(first,)))[agent].status == ASKING
        assert resolve(Evidence(now=14, facts=facts, commands=(first, second)))[agent].status == WORKING


def test_two_equal_requests_at_once_are_answered_by_two_commands_one_of_them_older_than_the_second() -> None:
    """A hook of the user's own allows each at once; nothing else tells of it."""
    asked = [(14.0, call("PreToolUse", "t1", given=BASH, **SUB)), (14.05, ask(BASH, **SUB))]
    asked += [(14.1, call("PreToolUse", "t2", given=BASH, **SUB2)), (14.2, ask(BASH, **SUB2))]
    facts = facts_of([*launched(SUB, SUB2), *asked])
    ended = facts_of([*launched(SUB, SUB2), *asked, (20.0, call("PostToolUse", "t1", given=BASH, **SUB))])
    for known in (facts, facts_of([*launched(SUB, SUB2), *asked[:-1]])):  # before the second request, too
        first = first_seen(Command(7, "7", 14.15, "npm test"), known, [], set())
        second = first_seen(Command(8, "8", 14.3, "npm test"), facts, [first], set())
        one = resolve(Evidence(now=15, facts=facts, commands=(first,)))
        assert (one["a1"].status, one["a2"].status) == (ASKING, ASKING)
        both = resolve(Evidence(now=15, facts=facts, commands=(first, second)))
        assert (both["a1"].status, both["a2"].status) == (WORKING, WORKING)
        for now in (20.1, 30):
            assert resolve(Evidence(now=now, facts=ended, commands=(first, second)))["a2"].status == WORKING
            assert resolve(Evidence(now=now, facts=ended, commands=(first,)))["a2"].status == ASKING


def test_the_end_of_another_command_that_was_asked_for_at_once_tells_nothing_of_equal_ones() -> None:
    other = {"agent_id": "a3", "agent_type": "Explore"}
    asked = [(14.0, call("PreToolUse", "t1", given=BASH, **SUB)), (14.05, ask(BASH, **SUB))]
    beside = [
        (14.0, call("PreToolUse", "t3", given={"command": "ls"}, **other)),
        (14.1, ask({"command": "ls"}, **other)),
    ]
    ended = (14.6, call("PostToolUse", "t3", given={"command": "ls"}, **other))
    allowed = (14.2, call("PreToolUse", "t2", given=BASH, **SUB2))
    facts = facts_of([*launched(SUB, SUB2, other), *asked, *beside, allowed, ended])
    first = first_seen(Command(7, "7", 14.3, "npm test"), facts, [], set())
    second = first_seen(Command(8, "8", 14.31, "npm test"), facts, [first], set())
    assert resolve(Evidence(now=15, facts=facts, commands=(first, second)))["a1"].status == WORKING


def test_a_command_beside_a_call_that_has_just_begun_may_be_that_of_an_equal_request() -> None:
    asked = [(14.0, call("PreToolUse", "t1", given=BASH, **SUB)), (14.05, ask(BASH, **SUB))]
    facts = facts_of([*launched(SUB, SUB2), *asked, (20.0, call("PreToolUse", "t2", given=BASH, **SUB2))])
    ran = first_seen(Command(7, "7", 20.1, "npm test"), facts, [], set())
    assert (ran.call, ran.claims) == (UNDECIDED, ("t2", "t1"))
    assert resolve(Evidence(now=21, facts=facts, commands=(ran,)))["a1"].status == ASKING
    later = first_seen(Command(8, "8", 20.2, "npm test"), facts, [ran], set())
    assert resolve(Evidence(now=21, facts=facts, commands=(ran, later)))["a1"].status == WORKING
    assert first_seen(Command(7, "7", 20.5, "npm test"), facts, [], set()).call == "t2", "it was allowed unasked"


def test_of_two_equal_requests_at_once_both_are_asked_for_until_it_is_known_which_one_was_answered() -> None:
    """Those of agents in the background are shown in the order in which their hooks end."""
    asked = [(14.0, call("PreToolUse", "t1", given=BASH, **SUB)), (14.1, call("PreToolUse", "t2", given=BASH, **SUB2))]
    asked += [(14.2, ask(BASH, **SUB)), (14.25, ask(BASH, **SUB2))]
    facts, dialog = facts_of([*launched(SUB, SUB2), *asked]), RegistryReport("waiting", "permission prompt", 14.3)
    first = first_seen(Command(7, "7", 15.0, "npm test"), facts, [], set())
    evidence = Evidence(now=16, facts=facts, commands=(first,), report=dialog)
    assert {key: found.status for key, found in resolve(evidence).items() if key != "main"} == {
        "a1": ASKING,
        "a2": ASKING,
    }
    second = first_seen(Command(8, "8", 15.5, "npm test"), facts, [first], set())
    both = resolve(replace(evidence, commands=(first, second), report=None))
    assert (both["a1"].status, both["a2"].status) == (WORKING, WORKING)
    ended = facts_of([*launched(SUB, SUB2), *asked, (15.6, call("PostToolUse", "t2", given=BASH, **SUB2))])
    left = resolve(replace(evidence, facts=ended, report=None))
    assert (left["a1"].status, left["a2"].status) == (ASKING, WORKING), "the command was that of the other one"
    written = fold_all(Turn(), [Prompt(13.9, True), Call(14.0, "t2", "Bash"), Result(15.5, "t2", None)])
    left = resolve(replace(evidence, turns={"a2": written}, report=None))
    assert (left["a1"].status, left["a2"].status) == (ASKING, WORKING), "its result may be written before the hook"


def test_a_command_of_which_nobody_knew_whose_it_was_answers_no_equal_request_after_it() -> None:
    asked = [(14.0, call("PreToolUse", "t1", given=BASH, **SUB)), (14.1, call("PreToolUse", "t2", given=BASH, **SUB2))]
    asked += [(14.2, ask(BASH, **SUB)), (14.25, ask(BASH, **SUB2))]
    first = first_seen(Command(7, "7", 15.0, "npm test"), facts_of([*launched(SUB, SUB2), *asked]), [], set())
    both = [(15.2, call("PostToolUse", "t1", given=BASH, **SUB)), (15.3, call("PostToolUse", "t2", given=BASH, **SUB2))]
    again = [(20.0, call("PreToolUse", "t3", given=BASH, **SUB)), (20.1, ask(BASH, **SUB))]
    facts = facts_of([*launched(SUB, SUB2), *asked, *both, *again])
    assert resolve(Evidence(now=21, facts=facts, commands=(first,)))["a1"].status == ASKING


def test_a_call_that_ended_before_a_dialog_opened_does_not_explain_it_case_59() -> None:
    first = [(12.0, call("PreToolUse", "t1", given=BASH)), (12.1, ask(BASH))]
    done, other = (14.0, call("PostToolUse", "t1", given=BASH)), {"command": "ls"}
    seen = [PROMPT, *first, done, (14.4, call("PreToolUse", "t2", given=other)), (14.5, ask(other))]
    ran: dict[str, Any] = {"now": 15.5, "commands": [("ls", 15.4)]}
    assert judge(*seen, report=("waiting", 14.6, "permission prompt"), **ran)["main"].status == ASKING
    assert judge(*seen, report=("waiting", 12.2, "permission prompt"), **ran)["main"].status == WORKING, (
        "it may be late"
    )


FETCH = {"url": "http://x"}
BESIDE = ((11.05, call("PreToolUse", "w", tool="WebFetch", given=FETCH)), (11.2, ask(FETCH, tool="WebFetch")))


def test_where_nothing_runs_before_all_is_answered_one_command_answers_for_all() -> None:
    seen = (PROMPT, PRE, ASK, *BESIDE)
    runs: dict[str, Any] = {"now": 30, "commands": [("npm test", 15.0)]}
    assert verdict(*seen, **runs)[0] == ASKING
    assert verdict(*seen, **runs, asks_first=True)[0] == WORKING
    assert verdict(*seen, now=30, asks_first=True)[0] == ASKING
    later = (15.5, call("PreToolUse", "l", tool="WebFetch", given=FETCH)), (16.0, ask(FETCH, tool="WebFetch"))
    assert verdict(PROMPT, PRE, ASK, *later, **runs, asks_first=True)[0] == ASKING, "it was asked after that"


def test_with_a_teammate_at_work_a_dialog_that_stays_open_is_not_of_the_command_that_runs() -> None:
    """Its own follows at once, and then the registry has nothing new to tell."""
    runs: dict[str, Any] = {
        "now": 30,
        "commands": [("npm test", 15.0)],
        "report": ("waiting", 12.05, "permission prompt"),
    }
    assert verdict(PROMPT, PRE, ASK, **runs) == (ASKING, "Bash: npm test")
    assert verdict(PROMPT, PRE, ASK, **runs, mates=Mates(all=1)) == (ASKING, "Bash: npm test")
    assert verdict(PROMPT, PRE, ASK, **runs, mates=Mates(all=1, busy=1)) == (ASKING, "permission")


def test_so_does_one_that_has_ended() -> None:
    seen = (PROMPT, PRE, ASK, *BESIDE, POST)
    assert verdict(*seen, now=30)[0] == ASKING
    assert verdict(*seen, now=30, asks_first=True)[0] == WORKING


def test_of_several_agents_none_answers_for_another() -> None:
    agents = [(10.5, call("PreToolUse", name, tool="Agent", given={"prompt": name})) for name in ("one", "two")]
    runs: dict[str, Any] = {"now": 30, "commands": [("npm test", 15.0)], "asks_first": True}
    assert verdict(PROMPT, *agents[:1], PRE, ASK, *BESIDE, **runs)[0] == WORKING
    assert verdict(PROMPT, *agents, PRE, ASK, *BESIDE, **runs)[0] == ASKING
