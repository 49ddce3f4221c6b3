"""The watcher as a service of systemd: installed, left alone, checked and removed, against a fake systemctl."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from installer.hooks import entries
from installer.services import systemd
from installer.services.job import Job
from support import managers
from support.installing import PYTHON, Person
from support.managers import FakeManager
from support.patience import PATIENCE_S, until
from support.project import PROJECT
from support.watching import Scene

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path


LOADED = ["daemon-reload", f"reset-failed {systemd.UNIT}", f"enable {systemd.UNIT}", f"restart {systemd.UNIT}"]
UNLOADED = [f"disable --now {systemd.UNIT}", "daemon-reload", f"reset-failed {systemd.UNIT}"]


@pytest.fixture
def manager(tmp_path: Path) -> FakeManager:
    return FakeManager.systemd(tmp_path / "fake", tmp_path)


def unit(person: Person) -> Path:
    return person.root / ".config" / "systemd" / "user" / systemd.UNIT


def link(person: Person) -> Path:
    """What enabling makes."""
    return unit(person).parent / "default.target.wants" / systemd.UNIT


def run(person: Person, manager: FakeManager, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return person.runs(*words, PATH=manager.path, **environ)


def looks(path: Path) -> tuple[int, int, int]:
    """What changes when somebody writes or replaces it."""
    seen = path.lstat()
    return seen.st_ino, seen.st_mode, seen.st_mtime_ns


def has_hooks(person: Person) -> bool:
    return person.settings.exists() and bool(entries.found_in(json.loads(person.settings.read_text())))


def examined(person: Person, manager: FakeManager) -> tuple[str, str]:
    checks = json.loads(run(person, manager, "doctor", "--json").stdout)["checks"]
    return next((check["verdict"], check["seen"]) for check in checks if check["name"] == "service")


def test_where_a_manager_runs_yes_makes_the_watcher_a_service(person: Person, manager: FakeManager) -> None:
    done = run(person, manager, "install", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"now runs as a systemd service ({unit(person)})" in done.stdout
    assert manager.told() == LOADED
    assert unit(person).stat().st_mode & 0o777 == 0o600
    made = systemd.read(unit(person).read_bytes(), str(person.root))
    places = {"YOURTURN_HOME": str(person.state), "CLAUDE_CONFIG_DIR": str(person.config)}
    assert made == Job(PYTHON, str(PROJECT / "yourturn.py"), str(person.state), places)
    assert examined(person, manager) == ("ok", "systemd runs it as process 1971")


def test_installing_twice_changes_nothing(person: Person, manager: FakeManager) -> None:
    run(person, manager, "install", "--yes")
    manager.told()
    before = looks(unit(person))
    for words in (("--yes",), ("--service",), ()):
        done = run(person, manager, "install", *words)
        assert (done.returncode, "already" in done.stdout) == (0, True)
    assert (manager.told(), looks(unit(person))) == ([], before)


def test_a_service_of_another_copy_is_brought_up_to_date(person: Person, manager: FakeManager) -> None:
    run(person, manager, "install", "--yes")
    wanted = unit(person).read_bytes()
    unit(person).write_bytes(wanted.replace(bytes(PROJECT), b"/elsewhere"))
    verdict, seen = examined(person, manager)
    assert (verdict, "/elsewhere/yourturn.py does not exist" in seen) == ("fail", True)
    manager.told()
    assert run(person, manager, "install", "--yes").returncode == 0
    assert (unit(person).read_bytes(), manager.told()) == (wanted, LOADED)


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (managers.STOPPED, "has loaded it, but it is not running"),
        (managers.RUNNING.replace("enabled", "disabled"), "will not start"),
    ],
    ids=["stopped", "disabled"],
)
def test_a_service_that_was_stopped_or_disabled_is_started_again(
    now: str, words: str, person: Person, manager: FakeManager
) -> None:
    run(person, manager, "install", "--yes")
    manager.told()
    manager.answers(now=now)
    verdict, seen = examined(person, manager)
    assert (verdict, words in seen) == ("warn", True)
    before = looks(unit(person))
    assert run(person, manager, "install", "--service").returncode == 0
    assert (manager.told(), looks(unit(person))) == (LOADED, before)


def test_a_preview_shows_the_file_and_the_commands_and_does_nothing(person: Person, manager: FakeManager) -> None:
    done = run(person, manager, "install", "--dry-run")
    assert f"Would write: {unit(person)}\n" in done.stdout
    assert "+++" not in done.stdout
    done = run(person, manager, "install", "--dry-run", "--diff")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"+++ {unit(person)}\n" in done.stdout
    assert f"\n+ExecStart=:{PYTHON} -E {PROJECT}/yourturn.py watch --replace\n" in done.stdout
    assert f"Would run: systemctl --user restart {systemd.UNIT}\n" in done.stdout
    assert manager.told() == []
    assert os.listdir(person.root) == ["fake"]


def test_without_a_service_the_hooks_are_all(person: Person, manager: FakeManager) -> None:
    done = run(person, manager, "install", "--yes", "--no-service")
    assert (done.returncode, "the hooks start the watcher" in done.stdout) == (0, True)
    assert (manager.told(), unit(person).exists(), has_hooks(person)) == ([], False, True)
    assert examined(person, manager) == ("ok", "none: the hooks start the watcher")


def test_no_service_takes_one_away_that_was_there(person: Person, manager: FakeManager) -> None:
    run(person, manager, "install", "--yes")
    manager.told()
    done = run(person, manager, "install", "--no-service", "--dry-run")
    assert f"Would run: systemctl --user disable --now {systemd.UNIT}" in done.stdout
    assert (manager.told(), unit(person).exists()) == ([], True)
    assert run(person, manager, "install", "--yes", "--no-service").returncode == 0
    assert (manager.told(), unit(person).exists(), has_hooks(person)) == (UNLOADED, False, True)


@pytest.mark.parametrize("path", ["/usr/bin:/bin", "/nonexistent"], ids=["no manager", "no program"])
def test_where_no_manager_runs_it_says_so_and_goes_on(path: str, person: Person) -> None:
    done = person.runs("install", "--yes", PATH=path)
    assert (done.returncode, done.stderr) == (0, "")
    told = "No service: no systemd user manager is running; the hooks start the watcher."
    assert [line for line in done.stdout.splitlines() if "service" in line] == [told]
    assert (has_hooks(person), unit(person).exists()) == (True, False)
    done = person.runs("install", "--yes", "--service", PATH=path)
    assert (done.returncode, "no systemd user manager is running" in done.stderr) == (1, True)
    assert "hooks are installed anyway" in done.stderr


def test_a_manager_of_another_home_is_not_told(person: Person, manager: FakeManager) -> None:
    manager.answers(environment="HOME=/home/somebody\n")
    done = run(person, manager, "install", "--yes")
    assert (done.returncode, "reads /home/somebody/.config/systemd/user, not" in done.stdout) == (0, True)
    assert (manager.told(), unit(person).exists()) == ([], False)


def test_the_unit_goes_where_the_manager_and_the_person_agree(person: Person, manager: FakeManager) -> None:
    config = person.root / "my config"
    manager.answers(environment=f"HOME={person.root}\nXDG_CONFIG_HOME=$'{config}'\n")
    assert run(person, manager, "install", "--yes", XDG_CONFIG_HOME=str(config)).returncode == 0
    assert (config / "systemd" / "user" / systemd.UNIT).exists()
    assert manager.told() == LOADED


@pytest.mark.parametrize("verb", ["daemon-reload", "enable", "restart"])
def test_a_manager_that_fails_is_quoted_and_leaves_the_hooks(verb: str, person: Person, manager: FakeManager) -> None:
    manager.answers(**{f"fails_{verb}": "Failed to \x1b[31mdo it:\n Access denied.\n"})
    done = run(person, manager, "install", "--yes")
    assert done.returncode == 1
    assert f"`systemctl --user {verb}" in done.stderr
    assert "failed: Failed to [31mdo it: Access denied.\n" in done.stderr
    assert "journalctl" in done.stderr
    assert "hooks are installed anyway" in done.stderr
    assert has_hooks(person)


def test_a_unit_that_cannot_be_written_leaves_the_hooks(person: Person, manager: FakeManager) -> None:
    (person.root / ".config").write_text("in the way")
    done = run(person, manager, "install", "--yes")
    assert (done.returncode, "Could not write the service" in done.stderr) == (1, True)
    assert (has_hooks(person), manager.told()) == (True, [])


def test_a_failure_that_does_not_matter_is_passed_over(person: Person, manager: FakeManager) -> None:
    manager.answers(fails_reset_failed="Unit yourturn-watcher.service not loaded.")
    done = run(person, manager, "install", "--yes")
    assert (done.returncode, done.stderr, manager.told()) == (0, "", LOADED)


FOREIGN = {
    "another program": lambda path: path.write_text("[Service]\nExecStart=/bin/sleep 1\n"),
    "a masked unit": lambda path: path.symlink_to("/dev/null"),
    "a link to something like ours": lambda path: path.symlink_to(path.with_name("kept.service")),
    "a folder": lambda path: path.mkdir(),
    "nothing in it": lambda path: path.write_text(""),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_what_somebody_else_put_there_stays(kind: str, person: Person, manager: FakeManager) -> None:
    unit(person).parent.mkdir(parents=True)
    unit(person).with_name("kept.service").write_text("[Service]\nExecStart=/v/python /p/yourturn.py watch\n")
    FOREIGN[kind](unit(person))
    before = looks(unit(person))
    done = run(person, manager, "install", "--yes")
    assert (done.returncode, f"No service: {unit(person)} was not written by yourturn" in done.stdout) == (0, True)
    done = run(person, manager, "install", "--service")
    assert (done.returncode, "Move it away" in done.stderr) == (1, True)
    assert examined(person, manager) == ("warn", f"{unit(person)} was not written by yourturn")
    assert run(person, manager, "uninstall", "--yes").returncode == 0
    assert (manager.told(), looks(unit(person))) == ([], before)


def test_the_service_of_another_state_folder_stays_unless_asked_for(person: Person, manager: FakeManager) -> None:
    run(person, manager, "install", "--yes")
    manager.told()
    other = str(person.root / "other")
    done = run(person, manager, "install", "--yes", YOURTURN_HOME=other)
    assert f"No service: the installed service watches {person.state}; the hooks start the watcher." in done.stdout
    assert run(person, manager, "uninstall", "--yes", "--keep-state", YOURTURN_HOME=other).returncode == 0
    assert (manager.told(), unit(person).exists()) == ([], True)
    assert run(person, manager, "install", "--yes", "--service", YOURTURN_HOME=other).returncode == 0
    assert manager.told() == LOADED
    assert examined(person, manager) == ("ok", f"watches {other}; for this state folder, the hooks start the watcher")


@pytest.mark.parametrize("words", [(), ("--keep-state",)], ids=["everything", "not the state"])
def test_uninstalling_stops_and_removes_the_service(
    words: tuple[str, ...], person: Person, manager: FakeManager
) -> None:
    run(person, manager, "install", "--yes")
    link(person).parent.mkdir()
    link(person).symlink_to(unit(person))
    manager.told()
    done = run(person, manager, "uninstall", "--dry-run")
    assert f"Also removes the service {unit(person)}\n" in done.stdout
    assert (manager.told(), unit(person).exists()) == ([], True)
    done = run(person, manager, "uninstall", "--yes", *words)
    assert (done.returncode, done.stderr, manager.told()) == (0, "", UNLOADED)
    assert f"Service removed ({unit(person)}).\n" in done.stdout
    assert os.listdir(person.root / ".config") == []
    assert person.state.exists() is bool(words)
    assert "Nothing to uninstall" in run(person, manager, "uninstall", "--yes", "--keep-state").stdout


def test_uninstalling_keeps_other_units_and_their_folders(person: Person, manager: FakeManager) -> None:
    run(person, manager, "install", "--yes")
    theirs = [unit(person).parent / "mine.service", link(person).parent / "mine.service"]
    link(person).parent.mkdir()
    for path in theirs:
        path.write_text("mine")
    assert run(person, manager, "uninstall", "--yes").returncode == 0
    assert all(path.exists() for path in theirs)
    assert not unit(person).exists()


def test_without_a_manager_uninstalling_still_removes_the_file(person: Person, manager: FakeManager) -> None:
    run(person, manager, "install", "--yes")
    link(person).parent.mkdir()
    link(person).symlink_to(unit(person))
    checks = person.runs("doctor", "--json").stdout
    assert "exists, but no systemd user manager is running" in checks
    done = person.runs("uninstall", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert os.listdir(person.root / ".config") == []
    assert not person.state.exists()


@pytest.mark.parametrize("words", [(), ("--keep-state",)], ids=["everything", "not the state"])
def test_a_service_that_cannot_be_stopped_stays_and_can_be_tried_again(
    words: tuple[str, ...], person: Person, manager: FakeManager
) -> None:
    run(person, manager, "install", "--yes")
    manager.answers(fails_disable="Failed: Connection timed out")
    done = run(person, manager, "uninstall", "--yes", *words)
    assert (done.returncode, "failed: Failed: Connection timed out." in done.stderr) == (1, True)
    assert (unit(person).exists(), person.state.exists(), has_hooks(person)) == (True, True, False)
    (manager.folder / "fails-disable").unlink()
    assert run(person, manager, "uninstall", "--yes", *words).returncode == 0
    assert not unit(person).exists()
    assert person.state.exists() is bool(words)


def test_the_service_goes_on_while_another_folder_of_the_client_needs_it(person: Person, manager: FakeManager) -> None:
    other = {"CLAUDE_CONFIG_DIR": str(person.root / "second")}
    run(person, manager, "install", "--yes", "--no-service", **other)
    run(person, manager, "install", "--yes")
    manager.told()
    with Scene(person.root) as scene:
        watcher = scene.watcher()
        until(scene.beat)
        assert run(person, manager, "uninstall", "--yes").returncode == 0
        assert (manager.told(), unit(person).exists(), watcher.poll()) == ([], True, None)
        assert run(person, manager, "uninstall", "--yes", **other).returncode == 0
        assert (manager.told(), unit(person).exists(), watcher.wait(PATIENCE_S)) == (UNLOADED, False, 0)
