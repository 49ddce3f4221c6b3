"""The form of the law: its rules and what every verdict names. The situations are in the files of their topics.

In each of these time runs in seconds; what was seen is told by its source: hook events, transcript lines, the
registry's word, running commands. A number in a name is that of docs/CASES.md.
"""

from support.cases import ASK, POST, PRE, PROMPT, STOP, judge, rule
from watcher.rules.law import MAIN_RULES, SUB_AGENT_RULES
from watcher.rules.turn_events import Activity, Ended, Prompt


def test_every_verdict_names_a_rule_its_evidence_and_everything_weighed() -> None:
    found = judge(PROMPT, PRE, ASK, now=30, report=("busy", 15), lines=[Prompt(10, False)])["main"]
    assert found.rule == "turn-open"
    assert [(s.source, s.says, s.overruled) for s in found.signs if s.overruled] == [
        ("hook", "asked for Bash: “npm test”", "registry: busy (told now)")
    ]
    assert [s.at for s in found.signs] == sorted((s.at for s in found.signs), reverse=True)


def test_the_last_rule_of_each_ladder_always_applies() -> None:
    assert list(MAIN_RULES)[-1] == "nothing-asked"
    assert list(SUB_AGENT_RULES)[-1] == "at-work"
    assert rule(now=1) == "nothing-asked"


def test_since_is_the_beginning_of_the_state_not_its_latest_sign() -> None:
    working = judge(PROMPT, PRE, POST, now=30, lines=[Prompt(10, False), Activity(25)])["main"]
    assert working.since == 10
    asking = judge(PROMPT, PRE, ASK, now=30)["main"]
    assert asking.since == 11.1
    waiting = judge(PROMPT, STOP, now=99, report=("idle", 21.2), lines=[Prompt(10, False), Ended(21.1)])["main"]
    assert waiting.since == 21
