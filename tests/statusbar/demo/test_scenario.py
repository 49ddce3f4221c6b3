"""What the demo shows: every state, in the words of the law, and each as old as it would be."""

from contract import status
from contract.status import NEEDS_APPROVAL, STATES, WAITING, WORKING, Heartbeat, SessionStatus
from statusbar.demo import scenario
from statusbar.demo.fake_watcher import FakeWatcher
from statusbar.demo.scenario import LENGTH, next_change, sessions
from statusbar.model import reader
from statusbar.model.board import board
from statusbar.model.glimpses import Glimpses
from statusbar.model.snapshot import Statuses
from watcher.rules.law import MAIN_RULES, SUB_AGENT_RULES
from watcher.rules.lifecycle import BY_RULE

SECONDS = [k / 2 for k in range(int(LENGTH) * 2)]


def of(sessions: tuple[SessionStatus, ...], id_: str) -> SessionStatus:
    return next(one for one in sessions if one.session_id == id_)


def test_the_scenario_has_all_that_a_newcomer_should_see() -> None:
    scenes = [sessions(t) for t in SECONDS]
    everybody = [agent for sessions in scenes for one in sessions for agent in one.agents]
    assert {agent.status for agent in everybody} == set(STATES)
    assert {agent.kind for agent in everybody} == {"agent", "sub_agent", "teammate"}
    assert {agent.rule for agent in everybody} >= {"turn-interrupted", "turn-failed", "shell-runs", "wakes-by-itself"}
    assert any(one.team for one in scenes[0])
    assert {agent.parent for agent in everybody} > {None, "main"}, "a sub-agent of a sub-agent"
    assert len({len(one) for one in scenes}) > 1, "somebody comes and goes"


def test_the_scenario_uses_the_words_of_the_law() -> None:
    used = {(agent.key == "main", agent.rule) for t in SECONDS for one in sessions(t) for agent in one.agents}
    assert {rule for is_main, rule in used if is_main} <= set(MAIN_RULES)
    assert {rule for is_main, rule in used if not is_main} <= set(SUB_AGENT_RULES)


def test_the_scenario_gives_each_rule_the_state_that_the_watcher_gives_it() -> None:
    states = {rule: (outcome.state, outcome.reason) for rule, outcome in scenario.OUTCOMES.items()}
    assert states == {rule: BY_RULE[rule][:2] for rule in scenario.OUTCOMES}


def test_an_approval_of_a_sub_agent_shows_on_its_session_and_is_given() -> None:
    before, asked, given = (of(sessions(t), "shop") for t in (20, 24, 31))
    assert [one.status for one in (before, asked, given)] == [WORKING, NEEDS_APPROVAL, WORKING]
    assert (asked.detail, asked.since) == ("Bash: npm install", 22)


def test_a_teammate_that_asks_is_named_on_the_teams_row() -> None:
    assert of(sessions(9), "api").detail == "tester: Bash: dropdb api_test"


def test_the_demo_shows_titles_questions_and_last_words_from_transcripts_that_are_really_read() -> None:
    with FakeWatcher() as watcher:
        for t, wanted in ((50, "“Should the guide begin with pip or with Docker?”"), (64.5, "Speed up the checkout")):
            watcher.write(sessions(t), t, scenario.told(t))
            found = reader.read(watcher.home)
            rows = board(found, t, Glimpses({"YOURTURN_HOME": watcher.home}).of(found.sessions)).rows
            assert wanted in [text for row in rows for text in (row.name, row.words)]
        assert "“The guide now begins with Docker.”" in [row.words for row in rows]


def test_everybody_whose_transcript_is_read_has_something_to_say_at_any_moment() -> None:
    for t in SECONDS:
        told = scenario.told(t)
        assert told.keys() == {one.session_id for one in sessions(t) if one.client == "claude"}
        assert all(glimpse.last_words for glimpse in told.values())


def test_the_desk_is_a_mixed_one() -> None:
    assert {one.client for t in SECONDS for one in sessions(t)} == {"claude", "codex", "copilot"}
    assert all(len({one.client for one in sessions(t)}) > 1 for t in SECONDS)


def test_an_interruption_ends_the_turn() -> None:
    found = of(sessions(36), "site")
    assert (found.status, found.detail, found.rule) == (WAITING, "interrupted", "turn-interrupted")


def test_every_scene_survives_the_files_and_is_never_older_than_itself() -> None:
    for t in SECONDS:
        for one in sessions(t, began=1000.0):
            assert status.decode(status.encode(one)) == one
            assert one.since <= 1000.0 + t
            assert one.since in [agent.since for agent in one.agents if agent.rule == one.rule]


def test_a_scene_changes_only_when_the_next_change_says_so() -> None:
    t, scenes = 0.0, 0
    while t < LENGTH:
        until = next_change(t)
        assert sessions(t) == sessions((t + until) / 2) == sessions(until - 0.001)
        assert sessions(until) != sessions(t)
        t, scenes = until, scenes + 1
    assert t == LENGTH
    assert scenes > 25


def test_the_scenario_repeats_and_the_second_round_is_later() -> None:
    first, second = sessions(24), sessions(24 + LENGTH)
    assert [one.detail for one in first] == [one.detail for one in second]
    assert of(second, "shop").since - of(first, "shop").since == LENGTH


def test_at_another_speed_everything_happens_when_it_is_shown() -> None:
    assert of(sessions(24, began=1000.0, speed=2.0), "shop").since == 1011
    assert of(sessions(24 + LENGTH, began=1000.0, speed=2.0), "shop").since == 1011 + LENGTH / 2
    assert of(sessions(24, began=1000.0, speed=2.0), "docs").since == -500, "what was before the demo stays as long ago"


def test_each_scene_is_a_board_without_trouble() -> None:
    for t in SECONDS:
        whole = board(Statuses(sessions(t, 1000.0), Heartbeat(1, "", "", 1000.0 + t), locked=True), 1000.0 + t)
        assert whole.is_well
        assert len(whole.rows) >= 5


def test_the_scenario_has_an_agent_for_every_session() -> None:
    assert {change.agent.session for change in scenario.CHANGES} == set(scenario.SESSIONS)
