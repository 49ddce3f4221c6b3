"""`yourturn explain`."""

import json
from pathlib import Path

from contract.status import NEEDS_APPROVAL, Weighed
from statusbar.cli.explain import choose
from statusbar.cli.explain import page as explain_page
from statusbar.model.snapshot import Statuses
from statusbar.model.targets import Target
from support.printed import words
from support.showing import NOW, RESTS, agent, put, run, session, statuses, watcher


def test_explain_tells_verdict_rule_evidence_its_age_and_what_was_overruled() -> None:
    weighed = (
        Weighed("hook", "asked for Bash: npm test", NOW - 240, kind="told then"),
        Weighed("registry", "busy", NOW - 3, "two agents may be meant", "told now"),
    )
    one = session(
        "9df7420c",
        NEEDS_APPROVAL,
        name="api",
        team="crew",
        since=NOW - 240,
        agents=(
            agent(),
            agent("x", NEEDS_APPROVAL, type="Explore", detail="Bash: npm test", since=NOW - 240, weighed=weighed),
        ),
    )
    assert words(explain_page([Target(one)], statuses(one), NOW)) == (
        "api  /home/me/9df7420c\n"
        "9df7420c  process 7  team crew\n"
        "▲ needs approval for 4 m\n"
        "\n"
        "  main  agent, running\n"
        "    verdict   ● working for 1 m\n"
        "    rule      some-rule (from hook)\n"
        "\n"
        "  Explore  sub-agent, running\n"
        "    verdict   ▲ needs approval for 4 m: Bash: npm test\n"
        "    rule      some-rule (from hook)\n"
        "    evidence  hook        told then  4 m ago   asked for Bash: npm test\n"
        "              registry    told now   3 s ago   busy\n"
        "                                               overruled: two agents may be meant\n"
    )


KNOWN = statuses(session("aab", name="web"), session("aac", name="api"), session("x", name="apiary", hidden=True))


def test_explain_without_a_name_tells_all_but_helpers() -> None:
    assert [one.session.session_id for one in choose(KNOWN, None)] == ["aab", "aac"]
    assert len(choose(KNOWN, None, show_hidden=True)) == 3
    assert words(explain_page([], Statuses(heartbeat=RESTS), NOW)) == "No session to explain."


def test_a_target_that_is_not_there_is_an_error_with_exit_code_two(tmp_path: Path) -> None:
    unknown = run(tmp_path, "explain", "zz")
    assert (unknown.returncode, unknown.stderr) == (
        2,
        "yourturn: no session or agent 'zz' found, but the list may be out of date (state unknown).\n",
    )
    with watcher(tmp_path):
        found = run(tmp_path, "explain", "zz\x1b[31m")
        assert (found.returncode, found.stdout) == (2, "")
        assert found.stderr == "yourturn: no session or agent 'zz [31m' found: no agent is running.\n"
        put(tmp_path, session("aab", name="web"))
        assert (
            run(tmp_path, "explain", "zz").stderr
            == "yourturn: no session or agent 'zz' found. Running sessions:\n  aab  web  working\n"
        )


def test_explain_takes_a_group_and_refuses_an_ambiguous_word_with_exit_code_three(tmp_path: Path) -> None:
    put(tmp_path, session("aab", NEEDS_APPROVAL), session("aac", NEEDS_APPROVAL), session("b"))
    found = run(tmp_path, "explain", "aa")
    assert (found.returncode, found.stdout) == (3, "")
    assert "  aab  aab-name  needs approval\n  aac  aac-name  needs approval\n" in found.stderr
    blocked = run(tmp_path, "explain", "@blocked").stdout
    assert "aab-name" in blocked
    assert "aac-name" in blocked
    assert "b-name  /home/me/b\n" not in blocked


def test_explain_tells_of_one_agent_alone(tmp_path: Path) -> None:
    put(tmp_path, session("a", agents=(agent(), agent("x1", type="Explore"))))
    found = run(tmp_path, "explain", "a/Expl").stdout
    assert "  Explore  sub-agent" in found
    assert "  main  agent" not in found
    (told,) = json.loads(run(tmp_path, "explain", "a/x1", "--json").stdout)["sessions"]
    assert [one["key"] for one in told["agents"]] == ["x1"]


def test_explain_as_json_has_everything(tmp_path: Path) -> None:
    put(tmp_path, session("a", agents=(agent(weighed=(Weighed("hook", "said so", 5.0, kind="told then"),)),)))
    found = json.loads(run(tmp_path, "explain", "a", "--json").stdout)
    weighed = [{"source": "hook", "says": "said so", "at": 5.0, "overruled": "", "kind": "told then"}]
    assert found["sessions"][0]["agents"][0]["weighed"] == weighed
