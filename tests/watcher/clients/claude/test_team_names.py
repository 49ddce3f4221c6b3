"""How Claude Code names teammates and teams."""

import pytest

from watcher.clients.claude import team_names


@pytest.mark.parametrize(
    ("agent", "name", "is_mate"),
    [("amia-1f", "mia", True), ("a1f2e3", "mia", False), ("a1f2e3", "", False), ("a-1f", "", False)],
    ids=["its name", "another id", "no name", "no name, and an id that begins as if it had one"],
)
def test_the_id_of_a_teammate_has_its_name_in_it(agent: str, name: str, is_mate: bool) -> None:
    assert team_names.is_mate(agent, name) is is_mate


def test_a_team_that_nobody_named_is_named_after_its_lead() -> None:
    team = team_names.implicit_team("9df7420c-1111")
    assert (team, team_names.implicit_lead(team)) == ("session-9df7420c", "9df7420c")
    assert team_names.implicit_lead("alpha") is None
    assert team_names.implicit_lead("session-") == "", "no session can be meant"
