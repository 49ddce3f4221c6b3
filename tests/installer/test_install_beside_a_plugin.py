"""`yourturn install` where Claude Code has yourturn as a plugin: the hooks are not installed twice."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from support.installing import Person


def test_install_refuses_to_add_the_hooks_a_second_time(person: Person) -> None:
    person.has_plugin()
    before = person.settings.read_bytes()
    for words in (("--yes",), ("--dry-run",)):
        done = person.runs("install", *words)
        assert (done.returncode, done.stdout) == (3, "")
        assert "The plugin yourturn@here has the hooks already" in done.stderr
        assert "claude plugin uninstall yourturn@here" in done.stderr
    assert person.settings.read_bytes() == before


def test_install_leaves_the_hooks_to_the_plugin_where_only_the_service_is_meant(person: Person) -> None:
    person.has_plugin()
    before = person.settings.read_bytes()
    done = person.runs("install", "--yes", "--no-service")
    assert (done.returncode, done.stderr) == (0, "")
    assert "The plugin yourturn@here has the hooks" in done.stdout
    assert person.settings.read_bytes() == before


def test_where_both_are_installed_install_says_how_to_have_one(person: Person) -> None:
    person.has("{}")
    assert person.runs("install", "--yes", "--no-service").returncode == 0
    own = json.loads(person.settings.read_text())
    person.settings.write_text(json.dumps({**own, "enabledPlugins": {"yourturn@here": True}}))
    done = person.runs("install", "--yes", "--no-service")
    assert done.returncode == 3
    assert "Run `yourturn uninstall --keep-state`, or `claude plugin uninstall yourturn@here`." in done.stderr


def test_a_plugin_of_one_project_is_a_warning(person: Person) -> None:
    project = person.root / "project"
    (project / ".claude").mkdir(parents=True)
    (project / ".claude/settings.json").write_text(json.dumps({"enabledPlugins": {"yourturn@here": True}}))
    person.has_plugin(scope="project", projectPath=str(project))
    person.has("{}")
    done = person.runs("install", "--yes", "--no-service")
    assert done.returncode == 0
    assert f"is a plugin in {project}, so each event there would be recorded twice" in done.stdout
