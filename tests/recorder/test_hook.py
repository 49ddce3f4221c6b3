"""The hook as the client runs it: a process of its own for each event."""

import json
import os
import resource
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from contract import facts, machine, store
from contract.facts import Fact
from support.builders import HOOK, SESSION, ask, call, event, facts_in, hook_env, run_hook
from support.project import PROJECT

NOT_IMPORTED = (
    "psutil", "filelock", "watchdog", "logging", "subprocess", "typing", "dataclasses", "pathlib", "re", "json", "enum",
    "os", "hashlib", "collections", "functools", "contextlib", "inspect", "signal", "shutil", "tempfile",
    "contract.launch", "contract.pulse", "contract.waiting", "contract.heldfile",
    "recorder.surroundings", "recorder.trouble",
)  # fmt: skip


def log_lines(home: Path) -> list[str]:
    log = home / "state" / "hook.log"
    return log.read_text().splitlines() if log.exists() else []


def is_silent(done: subprocess.CompletedProcess[bytes]) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_one_event_makes_one_private_fact_file_and_says_nothing(tmp_path: Path) -> None:
    assert is_silent(run_hook(tmp_path, event("SessionStart", source="startup")))
    kept = {
        p.relative_to(tmp_path / "state").as_posix(): stat.S_IMODE(p.stat().st_mode)
        for p in (tmp_path / "state").rglob("*")
    }
    assert kept == {"facts": 0o700, f"facts/{SESSION}.main.json": 0o600, f"facts/{SESSION}.main.json.lock": 0o600}
    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700


def test_the_agent_id_picks_the_file(tmp_path: Path) -> None:
    run_hook(tmp_path, event("SubagentStart", agent_id="a5fcb0dc687776b20", agent_type="Explore"))
    run_hook(tmp_path, event("UserPromptSubmit", prompt="x"))
    assert {name: fact.type for name, fact in facts_in(tmp_path).items()} == {
        "main": "",
        "a5fcb0dc687776b20": "Explore",
    }


def test_the_usual_path_imports_nothing_that_costs(tmp_path: Path) -> None:
    run_hook(tmp_path, event("SessionStart", source="startup"))
    code = "import sys, hook; hook.main(); print(*sorted(sys.modules))"
    argv = [sys.executable, "-S", "-E", "-c", code]
    payload = json.dumps(call("PreToolUse", "t")).encode()
    done = subprocess.run(argv, input=payload, capture_output=True, env=hook_env(tmp_path), cwd=PROJECT, check=True)
    loaded = set(done.stdout.decode().split())
    assert "contract.facts" in loaded, "the usual path was not taken"
    assert not loaded & set(NOT_IMPORTED)
    assert list(facts_in(tmp_path)["main"].calls) == ["t"]


def test_64_hooks_at_once_lose_nothing(tmp_path: Path) -> None:
    for round_ in range(4):
        home = tmp_path / str(round_)
        payloads = [json.dumps(call("PreToolUse", f"t{k}")).encode() for k in range(64)]
        running = [subprocess.Popen(HOOK, stdin=subprocess.PIPE, env=hook_env(home)) for _ in payloads]
        for one, payload in zip(running, payloads, strict=True):
            assert one.stdin
            one.stdin.write(payload)
            one.stdin.close()
        assert [one.wait() for one in running] == [0] * 64
        fact = facts_in(home)["main"]
        assert set(fact.calls) == {f"t{k}" for k in range(64)}
        assert fact.seq == 64
        left = sorted(p.name for p in (home / "state" / "facts").iterdir())
        assert left == [f"{SESSION}.main.json", f"{SESSION}.main.json.lock"]
        assert log_lines(home) == []


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


def test_without_home_the_user_database_is_asked(tmp_path: Path) -> None:
    env = {k: v for k, v in hook_env(tmp_path).items() if k != "HOME"}
    done = subprocess.run(HOOK, input=json.dumps(event("Stop")).encode(), capture_output=True, env=env, check=False)
    assert is_silent(done)
    assert facts_in(tmp_path)


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
    done = subprocess.run(
        HOOK, input=payload, capture_output=True, env=hook_env(tmp_path), preexec_fn=no_room, check=False
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


def test_the_client_is_the_process_that_says_so(tmp_path: Path) -> None:
    run_hook(tmp_path, event("SessionStart", source="startup"), CLAUDE_CODE_ENTRYPOINT="cli", CLAUDE_JOB_DIR="/x")
    client = facts_in(tmp_path)["main"].client
    assert client is not None
    assert (client.pid, client.entrypoint, client.background) == (os.getpid(), "cli", True)
    stat_line = Path(f"/proc/{os.getpid()}/stat").read_text()
    assert client.start == stat_line.rsplit(")", 1)[1].split()[19]


def test_without_a_word_from_the_client_it_is_the_first_process_above_the_shells_case_38(tmp_path: Path) -> None:
    env = {k: v for k, v in hook_env(tmp_path).items() if k != "CLAUDE_PID"}
    line = f"sh -c '{' '.join(HOOK)}; true'; true"
    subprocess.run(["bash", "-c", line], input=json.dumps(event("Stop")).encode(), env=env, check=True)
    client = facts_in(tmp_path)["main"].client
    assert client is not None
    assert client.pid == os.getpid()


def test_of_the_environment_only_the_terminal_is_kept(tmp_path: Path) -> None:
    run_hook(
        tmp_path,
        event("SessionStart", source="startup"),
        TMUX_PANE="%3",
        ITERM_SESSION_ID="w0\x1b",
        SOME_VALUE="swordfish",
    )
    terminal = facts_in(tmp_path)["main"].terminal
    assert {k: v for k, v in terminal.items() if k != "tty"} == {"TMUX_PANE": "%3", "ITERM_SESSION_ID": "w0"}
    assert "swordfish" not in "".join(p.read_text() for p in (tmp_path / "state").rglob("*.json"))


def test_a_session_that_goes_on_in_another_process_has_nothing_open(tmp_path: Path) -> None:
    with living() as before:
        run_hook(tmp_path, call("PreToolUse", "t"), CLAUDE_PID=before)
    run_hook(tmp_path, event("Notification", notification_type="idle_prompt"))
    fact = facts_in(tmp_path)["main"]
    assert not fact.calls
    assert fact.client is not None
    assert fact.client.pid == os.getpid()


def test_the_first_call_of_another_process_is_not_lost_with_what_was_before(tmp_path: Path) -> None:
    with living() as before:
        run_hook(tmp_path, call("PreToolUse", "old"), CLAUDE_PID=before)
    run_hook(tmp_path, call("PreToolUse", "new"))
    fact = facts_in(tmp_path)["main"]
    assert list(fact.calls) == ["new"]
    assert fact.turn is not None
    assert fact.turn.is_open


@contextmanager
def living() -> Iterator[str]:
    """The pid of a process that lives as long as this is open."""
    with subprocess.Popen(["sleep", "600"]) as process:
        try:
            yield str(process.pid)
        finally:
            process.kill()


def written(home: Path) -> list[Fact]:
    found = [facts.decode(path.read_bytes()) for path in sorted((home / "state" / "facts").glob("*.json"))]
    assert None not in found
    return sorted((fact for fact in found if fact), key=lambda fact: fact.twin)


def test_a_session_that_two_living_processes_have_open_has_a_fact_for_each(tmp_path: Path) -> None:
    with living() as first:
        run_hook(tmp_path, call("PreToolUse", "t"), CLAUDE_PID=first)
        run_hook(tmp_path, ask({"command": "echo t"}), CLAUDE_PID=first)
        for name in ("SessionStart", "UserPromptSubmit", "Stop"):
            run_hook(tmp_path, event(name, source="resume", prompt_id="p"))
        run_hook(tmp_path, event("Notification", notification_type="idle_prompt"), CLAUDE_PID=first)
        one, two = written(tmp_path)
    assert (one.twin, bool(one.calls["t"].asked), one.client and one.client.pid) == (False, True, int(first))
    assert (two.twin, two.calls, two.client and two.client.pid) == (True, {}, os.getpid())
    assert one.session == two.session


def test_a_late_word_of_a_process_that_has_ended_makes_no_second_fact(tmp_path: Path) -> None:
    with living() as first:
        run_hook(tmp_path, event("UserPromptSubmit", prompt_id="p"), CLAUDE_PID=first)
    with living() as second:
        run_hook(tmp_path, event("SessionStart", source="resume"), CLAUDE_PID=second)
        run_hook(tmp_path, event("PostToolBatch", tool_calls=[]), CLAUDE_PID=first)
        (only,) = written(tmp_path)
    assert (only.client and only.client.pid, only.turn and only.turn.is_open) == (int(second), False)


def test_two_living_processes_have_a_fact_each_though_an_old_client_does_not_say_which_it_is_case_63(
    tmp_path: Path,
) -> None:
    with living() as first:
        run_hook(tmp_path, call("PreToolUse", "t"), CLAUDE_PID=first)
        run_hook(tmp_path, ask({"command": "echo t"}), CLAUDE_PID=first)
        for name in ("SessionStart", "UserPromptSubmit"):
            run_hook(tmp_path, event(name, source="resume", prompt_id="p"), CLAUDE_PID="")
        one, two = written(tmp_path)
    assert (one.twin, bool(one.calls["t"].asked), one.client and one.client.pid) == (False, True, int(first))
    assert (two.twin, two.turn and two.turn.is_open, two.client and two.client.pid) == (True, True, os.getpid())


def test_a_second_process_keeps_its_own_fact_when_the_first_has_ended(tmp_path: Path) -> None:
    with living() as first:
        run_hook(tmp_path, call("PreToolUse", "t"), CLAUDE_PID=first)
        run_hook(tmp_path, event("SessionStart", source="resume"))
    run_hook(tmp_path, call("PreToolUse", "u"))
    one, two = written(tmp_path)
    assert (list(one.calls), list(two.calls)) == (["t"], ["u"])
    next((tmp_path / "state" / "facts").glob(f"{one.session}.main.json")).unlink()
    run_hook(tmp_path, call("PreToolUse", "v"))
    assert [list(fact.calls) for fact in written(tmp_path)] == [["u", "v"]]


def test_a_fact_says_where_its_pid_means_something(tmp_path: Path) -> None:
    run_hook(tmp_path, event("SessionStart", source="startup"))
    client = facts_in(tmp_path)["main"].client
    assert client is not None
    assert (client.host, client.boot, client.pids) == machine.here()
    assert client.host


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
