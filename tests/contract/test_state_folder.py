"""A state folder that is somebody else's, or open to others; and what may be found in it."""

import json
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contract import paths, store
from support.builders import HOOK, SESSION, call, event, facts_in, hook_env, run_hook
from support.project import PROJECT

NOBODY = 65534
# The hook as another user, who may not be able to reach our Python: it is started and loaded before.
LOADED = "os, zlib, contract.mask, recorder.serve, recorder.receive, recorder.surroundings, recorder.trouble"
STEP_DOWN = f"os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})"
CODE = f"import sys; sys.path.insert(0, {str(PROJECT)!r}); import {LOADED}; {STEP_DOWN}; recorder.serve.serve('')"
AS_NOBODY = [sys.executable, "-S", "-E", "-c", CODE]
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a folder of another user")


def own(folder: Path, uid: int) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, uid, uid, follow_symlinks=False)


def owners(folder: Path) -> dict[str, int]:
    return {path.relative_to(folder).as_posix(): path.lstat().st_uid for path in sorted(folder.rglob("*"))}


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder that others can reach: pytest closes its own to all but us."""
    with tempfile.TemporaryDirectory(prefix="yourturn-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def home_of(uid: int, tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    os.chown(home, uid, uid)
    return home


def environment(home: Path) -> dict[str, str]:
    """As `sudo` leaves it where it keeps HOME."""
    return {name: value for name, value in hook_env(home).items() if name != "YOURTURN_HOME"}


def tell(home: Path, payload: dict[str, Any], argv: list[str] = HOOK) -> None:
    data = json.dumps(payload).encode()
    done = subprocess.run(argv, input=data, capture_output=True, env=environment(home), check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def yourturn(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, str(PROJECT / "yourturn.py"), *words]
    return subprocess.run(argv, capture_output=True, text=True, env=environment(home), check=False)


@needs_root
def test_a_hook_of_root_makes_nothing_in_the_home_that_sudo_kept(tmp_path: Path) -> None:
    home = home_of(NOBODY, tmp_path)
    tell(home, event("SessionStart", source="startup"))
    assert owners(home) == {}
    assert yourturn(home, "watch", "--until-idle").returncode == 1
    assert yourturn(home, "config", "notify.sound", "on").returncode == 1
    assert owners(home) == {}


@needs_root
@pytest.mark.skipif(sys.platform != "linux", reason="the folder has another name")
def test_after_sudo_the_owners_own_hooks_go_on(tmp_path: Path) -> None:
    home = home_of(NOBODY, tmp_path)
    tell(home, call("PreToolUse", "t"), AS_NOBODY)
    tell(home, call("PreToolUse", "u", session_id="of-root"))
    refused = yourturn(home, "watch", "--until-idle")
    assert refused.returncode == 1
    assert "belongs to another user" in refused.stderr
    tell(home, call("PreToolUse", "v"), AS_NOBODY)
    assert set(owners(home).values()) == {NOBODY}
    kept = json.loads((home / ".local/state/yourturn/facts" / f"{SESSION}.main.json").read_text())
    assert list(kept["calls"]) == ["t", "v"]
    assert not list(home.rglob("of-root*"))


@needs_root
def test_what_root_may_only_read_is_still_shown(tmp_path: Path) -> None:
    home = home_of(NOBODY, tmp_path)
    tell(home, call("PreToolUse", "t"), AS_NOBODY)
    assert yourturn(home, "status").returncode == 0
    assert set(owners(home).values()) == {NOBODY}


@needs_root
@pytest.mark.parametrize("which", ["", "facts"], ids=["the state folder", "a folder in it"])
def test_a_hook_leaves_a_folder_of_another_user_alone(which: str, tmp_path: Path) -> None:
    (tmp_path / "state" / "facts").mkdir(parents=True, mode=0o777)
    own(tmp_path / "state" / which, NOBODY)
    before = owners(tmp_path / "state")
    run_hook(tmp_path, call("PreToolUse", "t"))
    run_hook(tmp_path, b"bad")
    assert {name: uid for name, uid in owners(tmp_path / "state").items() if name != "hook.log"} == before


@needs_root
def test_a_link_to_a_folder_of_another_user_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir(mode=0o777)
    own(tmp_path / "theirs", NOBODY)
    (tmp_path / "state").symlink_to(tmp_path / "theirs")
    run_hook(tmp_path, call("PreToolUse", "t"))
    assert owners(tmp_path / "theirs") == {}


def test_a_link_in_place_of_the_facts_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir(mode=0o755)
    (tmp_path / "state").mkdir(mode=0o700)
    (tmp_path / "state" / "facts").symlink_to(tmp_path / "mine")
    run_hook(tmp_path, call("PreToolUse", "t"))
    assert list((tmp_path / "mine").iterdir()) == []
    assert stat.S_IMODE((tmp_path / "mine").stat().st_mode) == 0o755


def test_a_state_folder_may_be_a_link_to_another_folder_of_ours(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir(mode=0o700)
    (tmp_path / "state").symlink_to(tmp_path / "mine")
    run_hook(tmp_path, call("PreToolUse", "t"))
    assert list(facts_in(tmp_path)["main"].calls) == ["t"]


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o755, 0o1777])
def test_a_folder_of_ours_that_is_open_is_closed_with_the_next_event(mode: int, tmp_path: Path) -> None:
    (tmp_path / "state" / "facts").mkdir(parents=True)
    for folder in (tmp_path / "state", tmp_path / "state" / "facts"):
        folder.chmod(mode)
    run_hook(tmp_path, call("PreToolUse", "t"))
    modes = [stat.S_IMODE(p.stat().st_mode) for p in (tmp_path / "state", tmp_path / "state" / "facts")]
    assert modes == [0o700, 0o700]
    assert list(facts_in(tmp_path)["main"].calls) == ["t"]


def test_a_hard_link_in_place_of_a_temporary_file_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "state" / "facts").mkdir(parents=True)
    beside = Path(paths.fact(str(tmp_path / "state"), SESSION, "main") + ".tmp")
    os.link(tmp_path / "precious", beside)
    run_hook(tmp_path, call("PreToolUse", "t"))
    assert (tmp_path / "precious").read_text() == "precious"
    assert list(facts_in(tmp_path)["main"].calls) == ["t"]
    assert not beside.exists()


def test_what_a_killed_writer_left_behind_is_taken_away(tmp_path: Path) -> None:
    (tmp_path / "f.tmp").write_text("half a rec")
    store.replace(str(tmp_path / "f"), b"whole")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"f": b"whole"}
