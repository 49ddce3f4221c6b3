"""The hook as the client runs it: a process of its own for each event."""

import json
import stat
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from support.builders import HOOK, SESSION, call, event, facts_in, hook_env, run_hook
from support.hook_runs import is_silent, log_lines
from support.project import PROJECT

NOT_IMPORTED = (
    "psutil", "filelock", "watchdog", "logging", "subprocess", "typing", "dataclasses", "pathlib", "re", "json", "enum",
    "os", "hashlib", "collections", "functools", "contextlib", "inspect", "signal", "shutil", "tempfile",
    "contract.launch", "contract.pulse", "contract.lock_waiting", "contract.heldfile",
    "recorder.surroundings", "recorder.trouble",
)  # fmt: skip


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
    code = "import sys; from recorder.serve import serve; serve(''); print(*sorted(sys.modules))"
    argv = [sys.executable, "-S", "-E", "-c", code]
    payload = json.dumps(call("PreToolUse", "t")).encode()
    done = subprocess.run(argv, input=payload, capture_output=True, env=hook_env(tmp_path), cwd=PROJECT, check=True)
    loaded = set(done.stdout.decode().split())
    assert "contract.facts" in loaded, "the usual path was not taken"
    assert not loaded & set(NOT_IMPORTED)
    assert all(map(find_spec, NOT_IMPORTED)), "a name that no module has is never imported"
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


def test_without_home_the_user_database_is_asked(tmp_path: Path) -> None:
    env = {k: v for k, v in hook_env(tmp_path).items() if k != "HOME"}
    done = subprocess.run(HOOK, input=json.dumps(event("Stop")).encode(), capture_output=True, env=env, check=False)
    assert is_silent(done)
    assert facts_in(tmp_path)
