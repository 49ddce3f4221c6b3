"""What doctor says where Claude Code runs the hooks as a plugin."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from contract import lack, store
from contract.lack import Lack
from contract.version import VERSION
from installer.doctor import doctor
from installer.hooks.installed_plugin import Plugin
from installer.hooks.program import Program
from support.diagnosing import NOW, OURS, PROGRAM, WELL, examine, verdict
from support.pythons import need_python

if TYPE_CHECKING:
    from pathlib import Path

    from support.diagnosing import Sick
    from support.installing import Person

PLUGIN = Plugin("yourturn@market", "/c/plugins/cache/market/yourturn", VERSION)
PYTHON = Program("/usr/bin/python3", f"{PLUGIN.folder}/hook.py")
WELL_PLUGGED = replace(WELL, settings={}, plugin=PLUGIN, programs={PYTHON: None})
LACKING = Lack(at=1, words="python3 is 3.9.6.", remedy="uv tool install x")

SICK: dict[str, Sick] = {
    "in the settings too": ("hooks", "warn", {"settings": OURS}, "twice", "claude plugin uninstall yourturn@market"),
    "another version": ("hooks", "warn", {"plugin": PLUGIN._replace(version="0.0.9")}, "0.0.9", "claude plugin update"),
    "one project's": (
        "hooks",
        "warn",
        {"plugin": PLUGIN._replace(project="/p")},
        "only in /p",
        "claude plugin install",
    ),
    "an old Python": ("interpreter", "FAIL", {"programs": {PYTHON: "it is older"}}, "older", "on PATH be Python 3.9"),
    "no watcher": ("watcher", "FAIL", {"watcher_alive": False, "beat": None, "lack": LACKING}, "3.9.6", "yourturn up"),
    "no event yet": ("state folder", "warn", {"home_exists": False}, "not exist yet", "Send a prompt"),
}


def test_a_plugin_alone_is_all_that_is_needed() -> None:
    checks = doctor.diagnose(WELL_PLUGGED, PROGRAM, NOW)
    assert {check.verdict for check in checks} == {"ok"}
    assert verdict("hooks", WELL_PLUGGED)[:2] == ("ok", "by the plugin yourturn@market")
    assert verdict("interpreter", WELL_PLUGGED)[:2] == ("ok", "/usr/bin/python3, as `python3` on PATH")


@pytest.mark.parametrize("sick", SICK.values(), ids=SICK)
def test_what_is_wrong_with_a_plugin_is_told_with_its_remedy(sick: Sick) -> None:
    name, wanted, different, words, remedy = sick
    got, said, advice = verdict(name, replace(WELL_PLUGGED, **different))
    assert (got, words in said, remedy in advice) == (wanted, True, True), (said, advice)


@pytest.mark.parametrize("sick", SICK.values(), ids=SICK)
def test_nobody_with_a_plugin_is_advised_to_install_the_hooks_a_second_time(sick: Sick) -> None:
    checks = doctor.diagnose(replace(WELL_PLUGGED, **sick[2]), PROGRAM, NOW)
    assert not [check for check in checks if (check.remedy or "").startswith("Run `yourturn install`")]


def test_what_was_lacking_is_no_matter_while_a_watcher_runs() -> None:
    assert verdict("watcher", replace(WELL_PLUGGED, lack=LACKING))[0] == "ok"


def python3(folder: Path, version: str) -> None:
    (folder / "bin").mkdir(exist_ok=True)
    (folder / "bin/python3").symlink_to(need_python(version))


def test_the_python_of_macos_is_good_enough_for_a_plugin(person: Person) -> None:
    person.has_plugin()
    python3(person.root, "3.9")
    told = examine(person)[1]
    assert told["hooks"] == ("ok", "by the plugin yourturn@here")
    assert told["interpreter"] == ("ok", f"{person.root}/bin/python3, as `python3` on PATH")


def test_a_python_that_is_too_old_is_seen(person: Person) -> None:
    person.has_plugin()
    python3(person.root, "3.8")
    assert examine(person)[1]["interpreter"] == ("fail", f"{person.root}/bin/python3 is older than Python 3.9")


def test_what_the_hooks_lack_is_read_from_the_state_folder(person: Person) -> None:
    person.has_plugin()
    store.private_folder(str(person.state))
    lack.write(str(person.state), LACKING)
    assert examine(person)[1]["watcher"] == ("fail", "python3 is 3.9.6.")
