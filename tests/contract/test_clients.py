"""What several rooms know of each client: asked of one table."""

from pathlib import Path

import pytest

from contract import clients, launch, pulse


@pytest.fixture
def parrot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(clients.CLIENTS, "parrot", "support.parrot_contract")


def test_a_watcher_inherits_where_claude_code_keeps_its_files_and_no_secret_of_it() -> None:
    env = {"CLAUDE_CONFIG_DIR": "/c", "CLAUDE_PID": "7", "ANTHROPIC_API_KEY": "x", "PARROT_CAGE": "/p", "PATH": "/bin"}
    assert launch.kept(env, "/s") == {"CLAUDE_CONFIG_DIR": "/c", "PATH": "/bin", "YOURTURN_HOME": "/s"}


@pytest.mark.usefixtures("parrot")
def test_a_watcher_inherits_where_another_client_keeps_its_files() -> None:
    assert launch.kept({"PARROT_CAGE": "/p"}, "/s") == {"PARROT_CAGE": "/p", "YOURTURN_HOME": "/s"}


@pytest.mark.usefixtures("parrot")
def test_the_processes_that_any_client_lists_may_need_a_watcher(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path)}
    assert pulse.registered(env) == ()
    for path in (".claude/sessions/7.json", ".parrot/running/8"):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).touch()
    assert pulse.registered(env) == ("7.json", "8")
