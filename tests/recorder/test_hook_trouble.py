"""The hook where its input, its files or the disk are bad: it says nothing and loses nothing."""

import json
import os
import resource
import signal
import stat
import subprocess
from pathlib import Path

import pytest

from contract import store
from support.builders import HOOK, SESSION, call, event, facts_in, hook_env, run_hook
from support.hook_runs import is_silent, log_lines

BAD = {
    "empty": b"",
    "not JSON": b"hello",
    "an array": b"[1]",
    "a number": b"7",
    "half a payload": b'{"session_id": "x", ',
    "no session": json.dumps({"hook_event_name": "Stop"}).encode(),
    "a session of the wrong type": json.dumps({"session_id": 7, "hook_event_name": "Stop"}).encode(),
    "no event": json.dumps({"session_id": "s"}).encode(),
    "an event nobody knows": json.dumps({"session_id": "s", "hook_event_name": "WorktreeCreate"}).encode(),
    "an event of the wrong type": json.dumps({"session_id": "s", "hook_event_name": ["Stop"]}).encode(),
    "invalid UTF-8 outside a string": b'\xff\xfe{"session_id"',
    "deeply nested": b"[" * 100_000,
    "70 MB": b'{"session_id":"s","hook_event_name":"Stop","x":"' + b"x" * (70 << 20) + b'"}',
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_one_line_in_the_log_and_loses_nothing(what: str, tmp_path: Path) -> None:
    run_hook(tmp_path, call("PreToolUse", "t"))
    before = facts_in(tmp_path)
    assert is_silent(run_hook(tmp_path, BAD[what]))
    assert facts_in(tmp_path) == before
    assert len(log_lines(tmp_path)) == 1
    assert stat.S_IMODE((tmp_path / "state" / "hook.log").stat().st_mode) == 0o600


def test_an_event_of_20_mb_is_kept_like_any_other(tmp_path: Path) -> None:
    run_hook(tmp_path, call("PreToolUse", "t"))
    assert is_silent(run_hook(tmp_path, call("PostToolUse", "t", tool_response={"stdout": "x" * (20 << 20)})))
    assert not facts_in(tmp_path)["main"].calls
    assert sum(p.stat().st_size for p in (tmp_path / "state").rglob("*")) < 20_000


def test_invalid_utf8_inside_a_string_loses_only_that(tmp_path: Path) -> None:
    payload = (
        json.dumps(event("UserPromptSubmit", prompt="MARK", cwd="/home/MARK")).encode().replace(b"MARK", b"\xff\xfe")
    )
    assert is_silent(run_hook(tmp_path, payload))
    assert facts_in(tmp_path)["main"].turn is not None
    assert log_lines(tmp_path) == []


@pytest.mark.parametrize(
    "name", ["../../../escape", "a\0b", "x" * 300, "\u202eabc\x1b[31m", "/etc/passwd", ".", "\ud800"]
)
def test_hostile_ids_stay_inside_the_folder(name: str, tmp_path: Path) -> None:
    assert is_silent(run_hook(tmp_path, event("SubagentStart", session_id=name, agent_id=name, agent_type="x")))
    assert [p.name for p in tmp_path.iterdir()] == ["state"]
    assert [p.name for p in (tmp_path / "state").iterdir()] == ["facts"]
    files = list((tmp_path / "state" / "facts").iterdir())
    assert len(files) == 2
    assert all(p.name.isascii() and p.name.isprintable() for p in files)


def test_garbage_in_place_of_a_fact_is_set_aside_for_a_person_to_look_at(tmp_path: Path) -> None:
    run_hook(tmp_path, call("PreToolUse", "t"))
    path = tmp_path / "state" / "facts" / f"{SESSION}.main.json"
    path.write_bytes(b"\0garbage")
    assert is_silent(run_hook(tmp_path, call("PreToolUse", "u")))
    assert list(facts_in(tmp_path)["main"].calls) == ["u"]
    assert path.with_suffix(".json.bad").read_bytes() == b"\0garbage"


def test_a_directory_in_place_of_a_fact_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "state" / "facts" / f"{SESSION}.main.json"
    path.mkdir(parents=True)
    assert is_silent(run_hook(tmp_path, call("PreToolUse", "t")))
    assert path.is_dir()
    assert len(log_lines(tmp_path)) == 1


def test_a_link_out_of_the_folder_in_place_of_a_fact_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("precious")
    folder = tmp_path / "state" / "facts"
    folder.mkdir(parents=True)
    for name in ("json", "json.lock", "json.tmp"):
        (folder / f"{SESSION}.main.{name}").unlink(missing_ok=True)
        (folder / f"{SESSION}.main.{name}").symlink_to(target)
        assert is_silent(run_hook(tmp_path, call("PreToolUse", "t")))
        assert target.read_text() == "precious"
        (folder / f"{SESSION}.main.{name}").unlink(missing_ok=True)
    assert log_lines(tmp_path)


def test_a_state_folder_that_cannot_be_made_is_nobodys_problem(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file, not a folder")
    assert is_silent(run_hook(tmp_path, event("Stop")))
    assert is_silent(run_hook(tmp_path, event("Stop"), YOURTURN_HOME="/proc/nowhere"))
    assert (tmp_path / "state").read_text() == "a file, not a folder"


def test_a_read_only_state_folder_loses_nothing(tmp_path: Path) -> None:
    run_hook(tmp_path, call("PreToolUse", "t"))
    before = facts_in(tmp_path)
    payload = json.dumps(call("PreToolUse", "u")).encode()
    done = subprocess.run(
        read_only(tmp_path / "state"), input=payload, capture_output=True, env=hook_env(tmp_path), check=False
    )
    (tmp_path / "state" / "facts").chmod(0o700)
    assert is_silent(done)
    assert facts_in(tmp_path) == before
    assert not list((tmp_path / "state").rglob("*.tmp"))


def read_only(folder: Path) -> list[str]:
    """The hook where the folder cannot be written. Root ignores modes, so root gets a read-only mount of its own."""
    if os.getuid() != 0:
        (folder / "facts").chmod(0o500)
        return HOOK
    mount = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
    return ["unshare", "--mount", "sh", "-c", mount, str(folder), *HOOK]


def test_a_full_disk_loses_nothing_and_leaves_nothing_behind(tmp_path: Path) -> None:
    run_hook(tmp_path, call("PreToolUse", "t"))
    before = facts_in(tmp_path)

    def no_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # the write then fails, as on a full disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))

    payload = json.dumps(call("PreToolUse", "u")).encode()
    argv = [HOOK[0], "-B", *HOOK[1:]]  # bytecode would be cut off, too, and stay so for all tests
    done = subprocess.run(
        argv, input=payload, capture_output=True, env=hook_env(tmp_path), preexec_fn=no_room, check=False
    )
    assert is_silent(done)
    assert facts_in(tmp_path) == before
    assert not list((tmp_path / "state").rglob("*.tmp"))


def test_the_log_never_grows_past_its_bound(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir(mode=0o700)
    (tmp_path / "state" / "hook.log").write_bytes(b"x" * (64 << 10))
    for _ in range(3):
        run_hook(tmp_path, b"bad")
    assert sum(p.stat().st_size for p in (tmp_path / "state").glob("hook.log*")) < (130 << 10)
    assert len(log_lines(tmp_path)) <= 2


def test_a_lock_that_somebody_keeps_for_ever_does_not_hang_the_session(tmp_path: Path) -> None:
    run_hook(tmp_path, call("PreToolUse", "t"))
    with store.Locked(str(tmp_path / "state" / "facts" / f"{SESSION}.main.json")):
        assert is_silent(run_hook(tmp_path, call("PreToolUse", "u")))
    assert "Busy" in log_lines(tmp_path)[0]
    assert list(facts_in(tmp_path)["main"].calls) == ["t"]


WHOLE = b'{"v":1,"session":"s","agent":"main","seq":3,"cwd":"/home/me"}'
CUT = {
    "in a text": WHOLE[:20], "in a key": WHOLE[:10], "after a key": WHOLE[:15], "after a colon": WHOLE[:5],
    "after a comma": WHOLE[:7], "in a number": b'{"v":-', "in a list": b'{"v":1,"asks":[',
    "in an escape": b'{"v":1,"a":"\\u12',
    "in a word": b'{"v":tru', "after a value": b'{"v":1,"a":1', "garbage": b"\x00" * 40, "nothing": b"", "two": b"{}{}",
}  # fmt: skip


@pytest.mark.parametrize("damaged", CUT.values(), ids=CUT)
def test_a_fact_that_was_cut_off_is_set_aside_and_recorded_anew_case_66(damaged: bytes, tmp_path: Path) -> None:
    """In a process of its own: where `json` is not imported, Python's scanner fails in another way."""
    run_hook(tmp_path, event("SessionStart", source="startup"))
    (path,) = (tmp_path / "state" / "facts").glob("*.json")
    path.write_bytes(damaged)
    assert is_silent(run_hook(tmp_path, event("UserPromptSubmit", prompt="x")))
    fact = facts_in(tmp_path)["main"]
    assert fact.turn is not None
    assert fact.turn.is_open
    assert log_lines(tmp_path) == []
    assert path.with_name(path.name + ".bad").read_bytes() == damaged
