"""Offering the service: who is asked, what is started, what doctor says of it."""

from __future__ import annotations

import io
import plistlib
import signal
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from installer.doctor import doctor
from installer.doctor.probes import Seen
from installer.hooks.settings_file import Content
from installer.place import Place, Wish
from installer.refusal import Refusal
from installer.services import manager as services
from installer.services import systemd
from installer.services.job import Job, Said, Standing
from installer.services.manager import Service
from support import managers
from support.installing import PYTHON, Person
from support.managers import FakeManager, talk
from support.patience import PATIENCE_S, until
from support.project import PROJECT
from support.watching import Scene

LOADED = ["daemon-reload", f"reset-failed {systemd.UNIT}", f"enable {systemd.UNIT}", f"restart {systemd.UNIT}"]


@pytest.fixture
def manager(tmp_path: Path) -> FakeManager:
    return FakeManager.systemd(tmp_path / "fake", tmp_path)


@pytest.fixture
def here(person: Person, manager: FakeManager) -> dict[str, str]:
    return person.environ | {"PATH": manager.path}


def test_the_choice_is_explained(person: Person) -> None:
    told = person.runs("install", "--help").stdout
    assert "--service, --no-service" in told
    assert "starts when you log in" in " ".join(told.split())


@pytest.mark.parametrize(("answer", "told"), [("y\n", LOADED), ("n\n", []), ("", [])])
def test_at_a_terminal_the_person_is_asked(
    answer: str, told: list[str], manager: FakeManager, here: dict[str, str]
) -> None:
    code, said = talk(services.look(here, "linux"), here, Wish(now=0.0), answer)
    assert (code, "Run the watcher as a service? (systemd starts it" in said) == (0, True)
    assert manager.told() == told
    assert ("The watcher now runs as a systemd service" in said) is bool(told)


@pytest.mark.parametrize("wish", [Wish(now=0.0, yes=True), Wish(now=0.0, service=True)])
def test_who_has_said_it_already_is_not_asked(wish: Wish, manager: FakeManager, here: dict[str, str]) -> None:
    code, said = talk(services.look(here, "linux"), here, wish)
    assert (code, "[y/N]" in said, manager.told()) == (0, False, LOADED)


def test_without_a_terminal_nobody_is_asked_and_nothing_is_started(manager: FakeManager, here: dict[str, str]) -> None:
    code, said = talk(services.look(here, "linux"), here, Wish(now=0.0), "y\n", io.StringIO)
    assert (code, said, manager.told()) == (0, "No service; the hooks start the watcher.\n", [])


def test_a_manager_that_does_not_answer_is_none(
    manager: FakeManager, here: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (manager.folder / "systemctl").write_text("#!/bin/sh\nexec sleep 3600\n")
    monkeypatch.setattr(services, "ASK_TIMEOUT_S", 0.2)
    assert services.look(here, "linux").missing == "no systemd user manager is running"


def test_a_watcher_that_goes_on_after_it_was_stopped_is_told(
    manager: FakeManager, here: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(services.look(here, "linux"), here, Wish(now=0.0, yes=True))
    manager.answers(gone=managers.RUNNING)
    monkeypatch.setattr(services, "ENDING_S", 0.3)
    with pytest.raises(Refusal, match="still runs the watcher as process 1971"):
        services.remove(services.look(here, "linux"))
    assert Path(systemd.path(here)).exists()


def test_what_the_service_starts_takes_over_from_a_hook_and_ends_well(tmp_path: Path) -> None:
    with Scene(tmp_path) as scene:
        by_hook = scene.watcher("--until-idle")
        until(scene.beat)
        wanted = Job(PYTHON, str(PROJECT / "yourturn.py"), scene.state, {"YOURTURN_HOME": scene.state})
        agent = plistlib.loads(services.wanted(services.look(scene.env, "darwin"), wanted))
        env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), **agent["EnvironmentVariables"]}
        with subprocess.Popen(agent["ProgramArguments"], env=env) as served:
            until(lambda: (beat := scene.beat()) and beat.pid == served.pid and beat.mode == "service")
            assert by_hook.wait(PATIENCE_S) == 0
            served.send_signal(signal.SIGTERM)
            assert served.wait(PATIENCE_S) == 0


def test_both_managers_start_the_same_words(tmp_path: Path) -> None:
    wanted = Job("/v/python", "/p/yourturn.py", str(tmp_path), {})
    agent, file = (
        services.wanted(services.look({"HOME": str(tmp_path), "PATH": ""}, platform), wanted)
        for platform in ("darwin", "linux")
    )
    line = next(line for line in file.decode().splitlines() if line.startswith("ExecStart="))
    assert line == "ExecStart=:" + " ".join(plistlib.loads(agent)["ProgramArguments"])


WANTED = b"[Service]"
OURS = Job("/v/python", "/p/yourturn.py", "/s", {})
WELL = Seen(
    place=Place("/c/settings.json", "/s"),
    service=Service(systemd, lambda _argv: Said(0), "/u", Content(WANTED), OURS, None, Standing(known=True, pid=7)),
    service_wanted=WANTED,
)
CHECKS: dict[str, tuple[str, dict[str, Any], dict[str, Any], str, str]] = {
    "running": ("ok", {}, {}, "systemd runs it as process 7", ""),
    "no file": ("ok", {"content": Content(None), "job": None}, {}, "the hooks start the watcher", ""),
    "not ours": ("warn", {"job": None}, {}, "/u was not written by yourturn", "Move it away"),
    "another state folder": ("ok", {"job": OURS._replace(home="/t")}, {}, "watches /t", ""),
    "a program that is gone": ("FAIL", {}, {"service_trouble": "/v/python is gone"}, "gone", "install --service"),
    "another version": ("warn", {}, {"service_wanted": b"x"}, "not as this copy would write it", "install --service"),
    "no manager": ("warn", {"missing": "no manager runs"}, {}, "/u exists, but no manager", "hooks"),
    "failed": ("FAIL", {"standing": Standing(known=True, trouble="exit 1")}, {}, "exit 1", "journalctl"),
    "not loaded": ("warn", {"standing": Standing()}, {}, "will not start /u at login", "install --service"),
    "stopped": ("warn", {"standing": Standing(known=True)}, {}, "is not running", "install --service"),
}


@pytest.mark.parametrize(("wanted", "service", "seen", "words", "remedy"), CHECKS.values(), ids=CHECKS)
def test_doctor_says_how_the_service_is_and_what_to_do(
    wanted: str, service: dict[str, Any], seen: dict[str, Any], words: str, remedy: str
) -> None:
    assert WELL.service
    check = doctor.service(replace(WELL, service=WELL.service._replace(**service), **seen))
    assert (check.verdict, words in check.seen, remedy in (check.remedy or "")) == (wanted, True, True), check
