"""The service as a file: the templates filled in and read again, and what the managers say, from captured text."""

from __future__ import annotations

import plistlib
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract import paths
from installer.hooks.program import Program
from installer.refusal import Refusal
from installer.services import autostart, job, launchd, systemd
from installer.services import manager as services
from installer.services.job import Job, Said, Standing
from support import managers
from support.needs import need
from support.project import PROJECT

PLAIN = Job("/p/.venv/bin/python", "/p/yourturn.py", "/h/.local/state/yourturn", {})
HOSTILE = "/p q/%h %%n $HOME ${HOME} @SCRIPT@ é\"';\\x20<&>\x85\u2028\u00a0"
BOTH = pytest.mark.parametrize("manager", [launchd, systemd], ids=["launchd", "systemd"])


def written(manager: Any, wanted: Job) -> bytes:
    service = services.Service(manager, lambda argv: Said(1), "/x")
    return services.wanted(service, wanted)


def agent(wanted: Job) -> dict[str, Any]:
    loaded: dict[str, Any] = plistlib.loads(written(launchd, wanted))
    return loaded


def lines(wanted: Job) -> list[str]:
    return [line for line in written(systemd, wanted).decode().split("\n") if not line.startswith("#")]


def verified(unit: Path) -> tuple[int, str]:
    """What systemd's own reader says of a unit."""
    env = {"PATH": "/usr/bin:/bin", "HOME": str(unit.parent), "XDG_RUNTIME_DIR": str(unit.parent)}
    argv = ["systemd-analyze", "--user", "verify", str(unit)]
    said = subprocess.run(argv, env=env, capture_output=True, text=True, check=False)
    return said.returncode, said.stderr


def test_launchd_starts_it_at_login_and_again_only_after_a_failure() -> None:
    made = agent(PLAIN)
    assert made["ProgramArguments"] == ["/p/.venv/bin/python", "-E", "/p/yourturn.py", "watch", "--replace"]
    assert made["RunAtLoad"] is True
    assert made["KeepAlive"] == {"SuccessfulExit": False}
    assert made["Label"] + ".plist" == Path(launchd.TEMPLATE).name


def test_launchd_does_not_slow_it_down_and_keeps_its_files_private() -> None:
    made = agent(PLAIN)
    assert (made["ProcessType"], made["ThrottleInterval"], made["Umask"]) == ("Interactive", 10, 0o077)
    assert made["StandardErrorPath"] == paths.watcher_errors(PLAIN.home)


def test_systemd_starts_it_at_login_and_again_only_after_a_failure() -> None:
    made = lines(PLAIN)
    assert "ExecStart=:/p/.venv/bin/python -E /p/yourturn.py watch --replace" in made
    assert {"Restart=on-failure", "RestartSec=1", "UMask=0077", "WantedBy=default.target"} <= set(made)


@BOTH
def test_no_placeholder_is_left(manager: Any) -> None:
    for variables in ({}, {"YOURTURN_HOME": "/s"}, {"YOURTURN_HOME": "/s", "CLAUDE_CONFIG_DIR": "/c"}):
        filled = written(manager, PLAIN._replace(variables=variables)).decode()
        assert "yourturn.py" in filled
        assert not re.search("@[A-Z]", filled)


def test_variables_are_set_only_where_the_managers_own_would_lead_elsewhere() -> None:
    assert "EnvironmentVariables" not in agent(PLAIN)
    assert not [line for line in lines(PLAIN) if line.startswith("Environment")]
    moved = PLAIN._replace(variables={"CLAUDE_CONFIG_DIR": "/c d"})
    assert agent(moved)["EnvironmentVariables"] == {"CLAUDE_CONFIG_DIR": "/c d"}
    assert [line for line in lines(moved) if line.startswith("Env")] == ['Environment="CLAUDE_CONFIG_DIR=/c d"']


@pytest.mark.parametrize(
    ("environ", "variables"),
    [
        ({}, {}),
        ({"YOURTURN_HOME": "/s/", "CLAUDE_CONFIG_DIR": "/c"}, {"YOURTURN_HOME": "/s", "CLAUDE_CONFIG_DIR": "/c"}),
        ({"XDG_STATE_HOME": "/x"}, {"YOURTURN_HOME": "/x/yourturn"}),
        ({"CLAUDE_CONFIG_DIR": "/h/.claude"}, {}),
    ],
    ids=["nothing set", "both set", "a state folder by XDG", "the default by name"],
)
def test_the_service_watches_what_the_hooks_write(environ: dict[str, str], variables: dict[str, str]) -> None:
    made = job.of(Program("/v/python", "/p/hook.py"), {"HOME": "/h", **environ})
    assert made == Job("/v/python", "/p/yourturn.py", paths.home({"HOME": "/h", **environ}), variables)
    assert paths.home({"HOME": "/h", **made.variables}) == made.home


PATHS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=20).map(lambda text: f"/{text}/x")


@BOTH
@settings(max_examples=50, deadline=None)
@given(place=PATHS, script=PATHS, interpreter=PATHS.map(lambda text: re.sub(r"[\"'\\]", "", text)))
def test_what_was_written_is_read_again(manager: Any, place: str, script: str, interpreter: str) -> None:
    config = {"CLAUDE_CONFIG_DIR": place}
    variables = config if paths.home({"HOME": "/h"}) == place else {"YOURTURN_HOME": place, **config}
    wanted = Job(interpreter, f"{script}/yourturn.py", place, variables)
    assert manager.read(written(manager, wanted), "/h") == wanted


@BOTH
def test_hostile_paths_stay_one_word(manager: Any) -> None:
    wanted = Job("/usr/bin/python", f"{HOSTILE}/yourturn.py", HOSTILE, {"YOURTURN_HOME": HOSTILE})
    assert manager.read(written(manager, wanted), "/h") == wanted


def test_systemd_itself_reads_the_same_words(tmp_path: Path) -> None:
    """Where systemd is there, its own reader is asked; the words must be right in any case."""
    folder = tmp_path / "a b %h $HOME é"
    folder.mkdir()
    python = folder / "python"
    python.write_text("#!/bin/sh\n")
    python.chmod(0o755)
    wanted = Job(str(python), f"{HOSTILE}/yourturn.py", HOSTILE, {"YOURTURN_HOME": HOSTILE})
    unit = tmp_path / systemd.UNIT
    unit.write_bytes(written(systemd, wanted))
    assert (
        systemd.unquoted(next(line for line in lines(wanted) if line.startswith("ExecStart"))[10:])[2] == wanted.script
    )
    if shutil.which("systemd-analyze"):
        assert verified(unit) == (0, "")


@pytest.mark.parametrize("path", ["/it's/python", '/a"b/python', "/a\\b/python"])
def test_a_program_that_systemd_would_not_start_is_refused(path: str) -> None:
    with pytest.raises(Refusal, match="--no-service"):
        written(systemd, PLAIN._replace(interpreter=path))


@BOTH
@pytest.mark.parametrize("path", ["/a\nExecStart=evil", "/a\x1b", "/a\udcff", "/a\x7f"])
def test_a_path_that_no_service_file_can_hold_is_refused(manager: Any, path: str) -> None:
    with pytest.raises(Refusal, match="--no-service"):
        written(manager, PLAIN._replace(home=path))


WRITERS = pytest.mark.parametrize("writer", [launchd, systemd, autostart], ids=["launchd", "systemd", "autostart"])
ADDED = "/a\nExecStartPre=/bin/touch pwned"


@WRITERS
@pytest.mark.parametrize("where", ["interpreter", "script", "home", "variables"])
@pytest.mark.parametrize("path", [ADDED, "/a\r", "/a\0", "/a\x1b[2J", "/a\x7f", "/a\udcff"])
def test_a_path_with_a_control_character_is_written_into_no_file(writer: Any, where: str, path: str) -> None:
    """Whoever asks for the file: the writer itself refuses, names the path and says what to do."""
    fields: dict[str, Any] = {where: {"YOURTURN_HOME": path} if where == "variables" else path}
    odd = PLAIN._replace(**fields)
    with pytest.raises(Refusal) as refused:
        writer.write(Path(writer.TEMPLATE).read_bytes(), odd)
    assert repr(path) in refused.value.trouble
    assert refused.value.remedy.startswith("Move it to another folder")


def test_systemd_would_have_taken_such_a_path_for_a_directive(tmp_path: Path) -> None:
    """What the refusal is for: the same path, put there by hand, is a line of its own to systemd."""
    need("systemd-analyze")
    unit = tmp_path / systemd.UNIT
    true = shutil.which("true") or "/bin/true"
    filled = written(systemd, Job(true, "/p/yourturn.py", "/s", {"YOURTURN_HOME": "/a"})).decode()
    unit.write_text(filled)
    assert verified(unit) == (0, "")
    unit.write_text(filled.replace("YOURTURN_HOME=/a", f"YOURTURN_HOME={ADDED}".replace("/bin/touch", "/gone/touch")))
    assert "/gone/touch is not executable" in verified(unit)[1]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"[Service]\nExecStart=/bin/sleep 1\n",
        b"[Service]\nExecStart=/x/yourturn.py status\n",
        b"<plist version='1.0'><dict/></plist>",
        b"<plist version='1.0'><array/></plist>",
        b"<plist version='1.0'><dict><key>ProgramArguments</key><integer>1</integer></dict></plist>",
        b"bplist00",
        plistlib.dumps({"Label": "x", "ProgramArguments": ["/v/python", "/p/yourturn.py", "watch"]}),
    ],
)
@BOTH
def test_what_somebody_else_wrote_is_not_taken_for_ours(manager: Any, data: bytes) -> None:
    assert manager.read(data, "/h") is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (managers.RUNNING, Standing(known=True, pid=1971)),
        (managers.STOPPED, Standing(known=True)),
        (managers.GONE, Standing()),
        (managers.STARTED_AGAIN, Standing(known=True, trouble="signal 9")),
        (managers.FAILED, Standing(known=True, trouble="exit-code 1")),
        (managers.RUNNING.replace("enabled", "disabled"), Standing(known=False, pid=1971)),
        ("", Standing()),
        ("MainPID=²\n=\nnonsense", Standing()),
    ],
    ids=["running", "stopped", "gone", "started again", "failed", "not enabled", "nothing", "nonsense"],
)
def test_what_systemd_says_is_understood(text: str, wanted: Standing) -> None:
    assert systemd.standing(Said(0, text)) == wanted


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (Said(0, managers.PRINTED), Standing(known=True, pid=4711)),
        (Said(0, managers.PRINTED_ENDED), Standing(known=True)),
        (Said(0, managers.PRINTED_FAILED), Standing(known=True, trouble="exit 78: EX_CONFIG")),
        (Said(0, managers.PRINTED.replace("(never exited)", "1")), Standing(known=True, pid=4711)),
        (Said(113, "", 'Could not find service "x" in domain for user gui: 501'), Standing()),
        (Said(0, "another format"), Standing(known=True)),
        (Said(0, managers.PRINTED_ENDED.replace("\t\tID = 1348", "\t\tpid = 1348")), Standing(known=True)),
    ],
    ids=["running", "ended", "failed", "running again", "not loaded", "another format", "a part with a pid"],
)
def test_what_launchd_says_is_understood(said: Said, wanted: Standing) -> None:
    """From documentation and from text that others published, not from a Mac of ours."""
    assert launchd.standing(said) == wanted


def test_the_environment_of_systemds_manager_is_understood() -> None:
    said = "HOME=$'/home/it\\'s me'\nLANG=C.UTF-8\nEMPTY=\n"
    assert systemd.variables(said) == {"HOME": "/home/it's me", "LANG": "C.UTF-8", "EMPTY": ""}


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({}, "/h/.config"),
        ({"XDG_CONFIG_HOME": "/x/"}, "/x"),
        ({"XDG_CONFIG_HOME": "relative"}, "/h/.config"),
        ({"XDG_CONFIG_HOME": ""}, "/h/.config"),
    ],
)
def test_the_unit_lies_where_systemd_looks(environ: dict[str, str], folder: str) -> None:
    assert systemd.path({"HOME": "/h", **environ}) == f"{folder}/systemd/user/yourturn-watcher.service"


def test_the_agent_lies_where_launchd_looks() -> None:
    assert launchd.path({"HOME": "/Users/pat"}) == "/Users/pat/Library/LaunchAgents/io.github.yourturn.watcher.plist"


@BOTH
def test_the_template_is_part_of_the_package(manager: Any) -> None:
    told = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    template = Path(manager.TEMPLATE).relative_to(PROJECT)
    assert template.parent.name in told["only-include"]
