"""`yourturn login`: the icon opened when a person logs in, by an autostart entry or by an agent of launchd."""

from __future__ import annotations

import json
import os
import plistlib
import subprocess
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract import bar_files
from installer import login
from installer.hooks.program import Program
from installer.refusal import Refusal
from installer.services import autostart
from installer.services.job import Job
from support.installing import PYTHON, Person
from support.managers import FakeManager
from support.needs import need
from support.patience import PATIENCE_S, until
from support.project import PROJECT

OURS = Program(PYTHON, str(PROJECT / "hook.py"))
PLACES = ["plain", "with spaces", "quo\"t'e", "100%f", "$HOME", "back\\slash", "`tick`", "semi;colon&~#*?", "漢字"]


def entry(person: Person) -> Path:
    return person.root / ".config" / "autostart" / "yourturn.desktop"


def examined(person: Person) -> tuple[str, str, str | None]:
    checks = json.loads(person.runs("doctor", "--json").stdout)["checks"]
    return next((one["verdict"], one["seen"], one["remedy"]) for one in checks if one["name"] == "login")


# The entry of a Linux desktop


def words(character: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.text(character, min_size=1)


def identity(path: Path) -> tuple[int, ...]:
    """Of a file, or of a link itself; to have been read changes nothing."""
    found = path.lstat()
    return found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns, found.st_ctime_ns


@given(st.lists(words(st.characters(exclude_categories=["C"])) | words(st.sampled_from(" \"'\\$`%=~sntr")), max_size=4))
def test_every_argument_comes_back_as_it_was(argv: list[str]) -> None:
    assert autostart.unquoted(" ".join(map(autostart.quoted, argv))) == argv


@pytest.mark.parametrize("place", PLACES)
def test_a_real_desktop_starts_the_very_program_with_its_words(place: str, tmp_path: Path) -> None:
    need("gio")
    folder = tmp_path / place
    folder.mkdir()
    python = folder / "python"
    python.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$YOURTURN_HOME\" \"$0\" \"$@\" > '{tmp_path}/new'\n"
                      f"mv '{tmp_path}/new' '{tmp_path}/said'\n")  # fmt: skip
    python.chmod(0o755)
    job = Job(str(python), f"{folder}/yourturn.py", str(folder), {"YOURTURN_HOME": str(folder)})
    data = autostart.write(Path(autostart.TEMPLATE).read_bytes(), job)
    assert autostart.read(data, "/h") == job
    (tmp_path / "yourturn.desktop").write_bytes(data)
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    subprocess.run(["gio", "launch", str(tmp_path / "yourturn.desktop")], env=env, check=True, timeout=PATIENCE_S)
    until((tmp_path / "said").exists, "the start of the program")
    said = (tmp_path / "said").read_text().splitlines()
    assert said == [str(folder), str(python), "-E", f"{folder}/yourturn.py", "up", "--at-login"]


def test_a_program_that_env_would_take_for_a_variable_is_refused() -> None:
    with pytest.raises(Refusal, match="equals sign"):
        autostart.write(Path(autostart.TEMPLATE).read_bytes(), Job("/a=b/python", "/p/yourturn.py", "/s", {}))


def test_on_writes_the_entry_and_off_takes_it_away(person: Person) -> None:
    assert person.runs("login").stdout == "yourturn does not open at login. To change that: yourturn login on\n"
    done = person.runs("login", "on")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"yourturn opens at login ({entry(person)}).\n", "")
    assert entry(person).stat().st_mode & 0o777 == 0o600
    made = autostart.read(entry(person).read_bytes(), str(person.root))
    places = {"YOURTURN_HOME": str(person.state), "CLAUDE_CONFIG_DIR": str(person.config)}
    assert made == Job(PYTHON, str(PROJECT / "yourturn.py"), str(person.state), places)
    assert person.runs("login").stdout == done.stdout
    assert examined(person) == ("ok", f"the icon opens at login ({entry(person)})", None)
    assert person.runs("login", "off").returncode == 0
    assert not (person.root / ".config").exists()
    assert person.runs("login", "off").returncode == 0


def test_how_it_stands_is_told_to_programs_too(person: Person) -> None:
    said = {"v": 1, "on": False, "path": str(entry(person)), "ours": None}
    assert json.loads(person.runs("login", "--json").stdout) == said
    assert json.loads(person.runs("login", "on", "--json").stdout) == {**said, "on": True, "ours": True}


def test_a_word_that_is_none_is_told_which_there_are(person: Person) -> None:
    done = person.runs("login", "maybe")
    assert done.returncode == 2
    assert "usage: yourturn login [-h] [--json] [on|off]" in done.stderr
    assert "argument on|off: invalid choice: 'maybe'" in done.stderr


def test_on_twice_changes_nothing(person: Person) -> None:
    person.runs("login", "on")
    before = identity(entry(person))
    assert person.runs("login", "on").returncode == 0
    assert identity(entry(person)) == before


def test_the_entry_lies_where_the_desktop_looks(person: Person) -> None:
    config = person.root / "my config"
    person.runs("login", "on", XDG_CONFIG_HOME=str(config))
    made = autostart.read((config / "autostart" / "yourturn.desktop").read_bytes(), str(person.root))
    assert made
    assert made.variables["XDG_CONFIG_HOME"] == str(config)
    assert bar_files.login({"HOME": "/h", "XDG_CONFIG_HOME": "c"}, "linux") == "/h/.config/autostart/yourturn.desktop"


def test_one_that_was_switched_off_by_the_desktop_is_off_until_it_is_wanted_again(person: Person) -> None:
    person.runs("login", "on")
    wanted = entry(person).read_bytes()
    entry(person).write_bytes(wanted + b"Hidden=true\n")
    assert "does not open" in person.runs("login").stdout
    assert examined(person)[:2] == ("ok", f"{entry(person)} is turned off in the desktop's settings")
    person.runs("login", "on")
    assert entry(person).read_bytes() == wanted


FOREIGN = {
    "another program": lambda path: path.write_text("[Desktop Entry]\nExec=/bin/true\n"),
    "another word of ours": lambda path: path.write_text("[Desktop Entry]\nExec=env /v/python /p/yourturn.py top\n"),
    "no UTF-8": lambda path: path.write_bytes(b"Exec=env /v/python /p/yourturn.py up \xff\n"),
    "a link to one like ours": lambda path: path.symlink_to(path.with_name("kept")),
    "a folder": lambda path: path.mkdir(),
    "nothing in it": lambda path: path.write_text(""),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_what_somebody_else_put_there_stays(kind: str, person: Person) -> None:
    entry(person).parent.mkdir(parents=True)
    entry(person).with_name("kept").write_text("Exec=env /v/python /p/yourturn.py up\n")
    FOREIGN[kind](entry(person))
    before = identity(entry(person))
    for word in ("on", "off"):
        done = person.runs("login", word)
        assert (done.returncode, f"{entry(person)} was not written by yourturn." in done.stderr) == (1, True)
    assert person.runs("login").stdout == f"{entry(person)} was not written by yourturn, and was not changed.\n"
    assert json.loads(person.runs("login", "--json").stdout)["ours"] is False
    assert examined(person)[:2] == ("warn", f"{entry(person)} was not written by yourturn")
    person.runs("uninstall", "--yes")
    assert identity(entry(person)) == before


def test_without_what_draws_the_icon_there_is_nothing_to_open(person: Person) -> None:
    python, *rest = person.argv("login", "on")
    done = person.calls([python, "-S", *rest])
    assert (done.returncode, f"make -C {PROJECT} setup" in done.stderr) == (1, True)
    assert not entry(person).exists()


def test_a_folder_that_cannot_be_written_is_said(person: Person) -> None:
    (person.root / ".config").write_text("in the way")
    done = person.runs("login", "on")
    told = f"Could not write the login entry: {person.root}/.config is a file where a folder is needed."
    assert (done.returncode, told in done.stderr) == (1, True)


# What uninstall and doctor make of it


def test_uninstall_takes_it_away(person: Person) -> None:
    person.runs("install", "--yes")
    person.runs("login", "on")
    seen = person.runs("uninstall", "--dry-run")
    assert f"Also removes the login entry {entry(person)}" in seen.stdout
    assert entry(person).exists()
    done = person.runs("uninstall", "--yes")
    assert (done.returncode, "Login entry removed" in done.stdout) == (0, True)
    assert not (person.root / ".config").exists()


def test_uninstall_takes_it_away_even_if_it_is_all_there_is(person: Person) -> None:
    person.runs("login", "on")
    assert person.runs("uninstall", "--yes").returncode == 0
    assert not entry(person).exists()
    assert "Nothing to uninstall" in person.runs("uninstall", "--yes").stdout


def test_one_for_another_state_folder_stays(person: Person) -> None:
    person.runs("login", "on", YOURTURN_HOME=str(person.root / "other"))
    person.runs("install", "--yes")
    assert person.runs("uninstall", "--yes").returncode == 0
    assert entry(person).exists()


def test_while_another_folder_of_the_client_needs_it_it_stays(person: Person) -> None:
    person.runs("install", "--yes")
    person.runs("install", "--yes", CLAUDE_CONFIG_DIR=str(person.root / "other"))
    person.runs("login", "on")
    assert person.runs("uninstall", "--yes").returncode == 0
    assert entry(person).exists()
    assert person.runs("uninstall", "--yes", CLAUDE_CONFIG_DIR=str(person.root / "other")).returncode == 0
    assert not entry(person).exists()


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        (str(PROJECT / "yourturn.py"), "/gone/yourturn.py", "/gone/yourturn.py does not exist"),
        (PYTHON, "/gone/python", "/gone/python does not exist"),
    ],
    ids=["the program", "its Python"],
)
def test_doctor_names_what_is_gone(was: str, becomes: str, said: str, person: Person) -> None:
    person.runs("login", "on")
    entry(person).write_text(entry(person).read_text().replace(f" {was} ", f" {becomes} "))
    verdict, seen, remedy = examined(person)
    assert (verdict, seen) == ("fail", f"{entry(person)}: {said}")
    assert remedy == "Run `yourturn login on`, or `yourturn login off`."
    person.runs("login", "on")
    assert examined(person)[0] == "ok"


def test_doctor_tells_of_another_copy(person: Person) -> None:
    person.runs("login", "on")
    other = person.root / "copy" / "yourturn.py"
    other.parent.mkdir()
    other.touch()
    entry(person).write_text(entry(person).read_text().replace(str(PROJECT / "yourturn.py"), str(other)))
    assert examined(person)[:2] == ("warn", f"{entry(person)} opens another copy of yourturn, {other}")


# The agent of launchd: no Mac was at hand


def test_launchd_finds_an_agent_of_ours_at_the_next_login(person: Person) -> None:
    fake = FakeManager.launchd(person.root / "fake")
    environ = person.environ | {"PATH": fake.path}
    found = login.look(environ, "darwin")
    assert (found.path, found.is_on) == (f"{person.root}/Library/LaunchAgents/{bar_files.LABEL}.plist", False)
    login.switch_on(found, OURS, environ)
    agent = plistlib.loads(Path(found.path).read_bytes())
    assert agent["Label"] == bar_files.LABEL
    assert agent["ProgramArguments"] == [PYTHON, "-E", str(PROJECT / "yourturn.py"), "up", "--at-login"]
    places = {"YOURTURN_HOME": str(person.state), "CLAUDE_CONFIG_DIR": str(person.config), "PATH": fake.path}
    assert agent["EnvironmentVariables"] == places
    assert (agent["RunAtLoad"], "KeepAlive" in agent, "@" in str(agent)) == (True, False, False)
    assert login.look(environ, "darwin").is_on
    assert login.look(environ, "darwin").job == Job(PYTHON, agent["ProgramArguments"][2], str(person.state), places)
    login.switch_off(login.look(environ, "darwin"))
    assert not Path(found.path).exists()
    assert fake.told() == [f"enable gui/{os.getuid()}/{bar_files.LABEL}"], "to load it would open a second icon"


def test_an_agent_of_somebody_else_stays(person: Person) -> None:
    path = Path(bar_files.login(person.environ, "darwin"))
    path.parent.mkdir(parents=True)
    path.write_bytes(plistlib.dumps({"Label": bar_files.LABEL, "ProgramArguments": ["/bin/sleep", "1"]}))
    before = identity(path)
    found = login.look(person.environ, "darwin")
    with pytest.raises(Refusal, match="was not written by yourturn"):
        login.switch_on(found, OURS, person.environ)
    with pytest.raises(Refusal, match="was not written by yourturn"):
        login.switch_off(found)
    assert identity(path) == before


@pytest.mark.parametrize("template", [autostart.TEMPLATE, login.MENUBAR])
def test_the_template_is_part_of_the_package(template: str) -> None:
    told = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    path = Path(template).relative_to(PROJECT)
    assert (PROJECT / path).exists()
    assert path.parent.name in told["only-include"]


def test_a_path_with_a_line_break_is_refused_with_a_remedy_that_login_has(person: Person) -> None:
    done = person.runs("login", "on", YOURTURN_HOME=f"{person.root}/a\nExec=evil")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{person.root}/a\\nExec=evil" in done.stderr
    assert "Move it to another folder" in done.stderr
    assert "--no-service" not in done.stderr
    assert not entry(person).exists()
