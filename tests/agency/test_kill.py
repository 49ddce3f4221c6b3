"""`yourturn kill` ends the client that was meant, and nobody else."""

from __future__ import annotations

import json
import os
import signal
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from agency import audit
from contract import facts, paths, store
from support.builders import SESSION
from support.patience import until
from support.staged_clients import is_there

if TYPE_CHECKING:
    from pathlib import Path

    from contract.facts import Client
    from support.staged_clients import Stage

QUICKLY = ("--grace", "0.2")  # for those that would not end anyway
SLEEP = "sleep 600; true"  # a shell with a child
# Notes its name when it is told to end.
TELLS = """
trap 'echo {name} >> {path}; exit' TERM
{inner}
echo up >> {path}
while :; do sleep 600 & wait; done
"""


def audited(stage: Stage) -> list[dict[str, Any]]:
    return list(audit.entries(str(stage.state)))


def lines(path: Path) -> list[str]:
    return path.read_text().split() if path.exists() else []


def test_a_client_is_asked_to_end_and_ends(stage: Stage) -> None:
    client = stage.client()
    done = stage.kill(SESSION, "--yes")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{SESSION[:8]}: ended (SIGTERM)\n", "")
    assert client.wait() == -signal.SIGTERM


def test_a_client_that_does_not_listen_is_killed_after_the_grace(stage: Stage) -> None:
    client = stage.client(how="deaf")
    done = stage.kill(SESSION, "--yes", *QUICKLY)
    assert (done.returncode, "ended (SIGKILL)" in done.stdout) == (0, True)
    assert client.wait() == -signal.SIGKILL


def test_a_client_that_was_stopped_with_ctrl_z_ends_by_the_first_signal(stage: Stage) -> None:
    client = stage.client()
    client.send_signal(signal.SIGSTOP)
    done = stage.kill(SESSION, "--yes")
    assert "ended (SIGTERM)" in done.stdout
    assert client.wait() == -signal.SIGTERM


def test_commands_outlive_their_client_and_are_listed(stage: Stage) -> None:
    client = stage.client("sleep 601", SLEEP, below=3)
    family = stage.family(client.pid)
    done = stage.kill(SESSION, "--yes")
    assert done.returncode == 0
    assert {one for one in family if is_there(one)} == family
    assert "still running:" in done.stdout
    assert all(f"  {pid}  " in done.stdout for pid, _ in family)
    assert "sleep 601" in done.stdout
    assert f"yourturn kill {SESSION} --tree" in done.stdout


def test_with_tree_nothing_of_the_family_is_left(stage: Stage) -> None:
    deaf = "trap '' TERM; sleep 600; sleep 600"
    client = stage.client("sleep 600", SLEEP, f"setsid sh -c '{SLEEP}' & wait", deaf, below=8)
    family = stage.family(client.pid)
    done = stage.kill(SESSION, "--yes", "--tree", "--grace", "1")
    assert (done.returncode, done.stdout) == (0, f"{SESSION[:8]}: ended (SIGTERM)\n"), done.stderr
    assert [one for one in family if is_there(one)] == []
    assert stage.family(client.pid) == set()


def test_leaves_end_first(stage: Stage, tmp_path: Path) -> None:
    told = tmp_path / "told"
    for name, inner in (("leaf", ""), ("middle", f"sh {tmp_path}/leaf &")):
        (tmp_path / name).write_text(TELLS.format(name=name, path=told, inner=inner))
    stage.client(f"exec sh {tmp_path}/middle", below=2)
    until(lambda: lines(told).count("up") == 2)
    done = stage.kill(SESSION, "--yes", "--tree")
    assert done.returncode == 0, done.stderr
    assert lines(told)[2:] == ["leaf", "middle"]


def test_a_shell_whose_command_is_ended_does_not_begin_the_next_one(stage: Stage, tmp_path: Path) -> None:
    paths_ = [tmp_path / f"next{number}" for number in range(8)]
    stage.client(*(f"sleep 600; touch {path}" for path in paths_), below=16)
    assert stage.kill(SESSION, "--yes", "--tree").returncode == 0
    assert [path for path in paths_ if path.exists()] == []


def test_what_a_command_starts_meanwhile_is_ended_too(stage: Stage) -> None:
    """It has a new child when it is told to end, and all the time."""
    child = ["sleep", str(600_000 + os.getpid())]
    grows = f"trap 'setsid {' '.join(child)} &' TERM; while :; do {' '.join(child)} & sleep 0.01; done"
    stage.client(grows, below=3)
    done = stage.kill(SESSION, "--yes", "--tree", *QUICKLY)
    assert done.returncode == 0, done.stderr
    assert [one.pid for one in psutil.process_iter(["cmdline"]) if one.info["cmdline"] == child] == []


def test_what_was_left_can_be_ended_later(stage: Stage) -> None:
    client = stage.client(SLEEP, below=2)
    family = stage.family(client.pid)
    stage.kill(SESSION, "--yes")
    client.wait()
    assert all(is_there(one) for one in family)
    done = stage.kill(SESSION, "--yes", "--tree")
    assert (done.returncode, done.stdout) == (0, f"{SESSION[:8]}: ended\n"), done.stderr
    assert not any(is_there(one) for one in family)
    assert "already gone" in stage.kill(SESSION, "--yes", "--tree").stdout


def test_one_signal_alone_is_sent(stage: Stage) -> None:
    client = stage.client()
    done = stage.kill(SESSION, "--yes", "--signal", "hup", "--grace", "600")
    assert (done.returncode, "ended (SIGHUP)" in done.stdout) == (0, True)
    assert client.wait() == -signal.SIGHUP


@pytest.mark.parametrize("word", ["TERM", "sigterm", "15"])
def test_who_still_lives_after_that_one_signal_is_told_of(stage: Stage, word: str) -> None:
    client = stage.client("sleep 600", how="deaf")
    done = stage.kill(SESSION, "--yes", "--tree", "--signal", word, *QUICKLY)
    assert (done.returncode, "it still runs 0.2 s after SIGTERM" in done.stderr) == (1, True)
    assert client.poll() is None
    assert len(stage.family(client.pid)) == 1, "the family of one that lives is left alone"
    fact = stage.fact()
    assert fact
    assert fact.killed is None, "nobody has killed it"


@pytest.mark.parametrize("word", ["nonsense", "0", "-9", "4711", "", "TERM KILL"])
def test_what_is_no_signal_is_wrong_usage(stage: Stage, word: str) -> None:
    client = stage.client()
    done = stage.kill(SESSION, "--yes", f"--signal={word}")
    assert (done.returncode, "is no signal" in done.stderr) == (2, True)
    assert client.poll() is None


@pytest.mark.parametrize("word", ["x", "-1", "nan", "inf", "1e9"])
def test_a_grace_is_a_number_of_seconds(stage: Stage, word: str) -> None:
    done = stage.kill(SESSION, "--yes", f"--grace={word}")
    assert (done.returncode, "is not a number of seconds" in done.stderr) == (2, True)


def test_without_a_terminal_it_must_be_said_that_nobody_is_asked(stage: Stage) -> None:
    client = stage.client()
    done = stage.kill(SESSION)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "yourturn: refused: nobody can be asked without a terminal: say --yes\n"
    assert client.poll() is None
    assert [(one["verb"], one["outcome"]) for one in audited(stage)] == [("kill", "refused")]


def test_a_second_kill_says_already_gone(stage: Stage) -> None:
    client = stage.client()
    stage.kill(SESSION, "--yes")
    client.wait()
    done = stage.kill(SESSION, "--yes")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{SESSION[:8]}: already gone\n", "")


def test_already_gone_is_known_from_the_audit_when_the_fact_is_gone_too(stage: Stage) -> None:
    client = stage.client()
    stage.kill(SESSION, "--yes")
    client.wait()
    store.remove(paths.fact(str(stage.state), SESSION, "main"))
    for word in (SESSION, SESSION[:8]):
        done = stage.kill(word, "--yes")
        assert (done.returncode, done.stdout) == (0, f"{SESSION[:8]}: already gone\n"), done.stderr


def test_already_gone_is_known_from_what_the_watcher_has_observed(stage: Stage) -> None:
    seen = {"v": 1, "at": 1.0, "kind": "agent_process_changed", "session": SESSION, "agent": "main", "to": "gone"}
    stage.state.mkdir(mode=0o700)
    (stage.state / "observations.jsonl").write_text("garbage\n[1]\n" + json.dumps(seen) + "\n")
    done = stage.kill(SESSION)
    assert (done.returncode, done.stdout) == (0, f"{SESSION[:8]}: already gone\n")
    assert stage.kill(SESSION[:4]).returncode == 2, "too short to mean one of the past"


@pytest.mark.parametrize("word", ["nobody", "", "no/body", SESSION + "/nobody"])
def test_a_target_that_nobody_has_heard_of_is_an_error(stage: Stage, word: str) -> None:
    client = stage.client()
    done = stage.kill(word, "--yes")
    assert (done.returncode, done.stdout, "no such target" in done.stderr) == (2, "", True)
    assert client.poll() is None
    assert audited(stage) == []


def test_json_says_the_same(stage: Stage) -> None:
    client = stage.client("sleep 601")
    ((pid, start),) = stage.family(client.pid)
    identity = stage.identity(client.pid)
    done = stage.kill(SESSION, "--yes", "--json")
    told = json.loads(done.stdout)
    assert told.pop("left") == [{"pid": pid, "start": start, "command": "sleep 601"}]
    assert told == {
        "v": 1, "ok": True, "outcome": "ended", "reason": "", "signal": "SIGTERM", "session_id": SESSION,
        "name": SESSION[:8], "pid": identity[0], "start": identity[1], "notes": [],
    }  # fmt: skip
    told = json.loads(stage.kill("nobody", "--json").stdout)
    assert (told["ok"], told["outcome"], told["session_id"]) == (False, "no such target", None)


def changed(stage: Stage, **what: str) -> None:
    """The fact with something else in it about the client's process."""
    fact = stage.fact()
    assert fact
    assert fact.client
    client: Client = fact.client
    for name, value in what.items():
        setattr(client, name, value)
    store.replace(paths.fact(str(stage.state), SESSION, "main"), facts.encode(fact))


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ({"start": ""}, "which process is 9df7420c is unknown"),
        ({"start": "Tue Nov 17 08:26:03 2026"}, "it may be another one by now"),
        ({"host": "elsewhere", "boot": "b"}, "runs on elsewhere, or in a container"),
        ({"pids": "pid:[1]"}, "runs in a container"),
    ],
    ids=["no start", "a start that cannot be compared", "another host", "another pid namespace"],
)
def test_who_is_not_known_for_certain_is_not_ended(stage: Stage, what: dict[str, str], why: str) -> None:
    client = stage.client()
    changed(stage, **what)
    done = stage.kill(SESSION, "--yes")
    assert (done.returncode, done.stdout) == (3, "")
    assert why in done.stderr
    assert client.poll() is None
    assert [(one["verb"], one["outcome"]) for one in audited(stage)] == [("kill", "refused")]


def test_who_ran_before_the_machine_was_started_anew_is_gone(stage: Stage) -> None:
    stranger = stage.client()
    fact = stage.fact()
    assert fact
    fact.last = facts.Mark(at=facts.Stamp((1000.0, 1000.0)), word="Stop")
    store.replace(paths.fact(str(stage.state), SESSION, "main"), facts.encode(fact))
    changed(stage, boot="another-boot")
    done = stage.kill(SESSION, "--yes")
    assert (done.returncode, "already gone" in done.stdout) == (0, True)
    assert stranger.poll() is None


def test_a_later_process_with_the_same_pid_lives_on(stage: Stage) -> None:
    stranger = stage.client()
    changed(stage, start="1")
    done = stage.kill(SESSION, "--yes", "--tree")
    assert (done.returncode, "already gone" in done.stdout) == (0, True)
    assert stranger.poll() is None


def test_the_fact_says_that_it_is_killed_before_the_first_signal(stage: Stage, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    path = paths.fact(str(stage.state), SESSION, "main")
    script = f"trap 'cp {path} {seen}; exit' TERM; sleep 600 & wait"
    client = stage.start(["/bin/sh", "-c", script], below=1)
    stage.hook(client.pid, {"session_id": SESSION, "hook_event_name": "UserPromptSubmit", "cwd": "/x", "prompt": "x"})
    assert stage.kill(SESSION, "--yes").returncode == 0
    fact = facts.decode(seen.read_bytes())
    assert fact
    assert fact.killed
    assert fact.killed.at
    assert fact.killed.word.partition(" ")[0] in ("agent", "terminal", "script")


def test_a_session_that_another_process_resumes_is_not_killed_any_more(stage: Stage) -> None:
    first = stage.client()
    assert stage.kill(SESSION, "--yes").returncode == 0
    first.wait()
    fact = stage.fact()
    assert fact
    assert fact.killed
    stage.client()
    fact = stage.fact()
    assert fact
    assert fact.killed is None


def test_what_is_asked_and_what_comes_of_it_is_in_the_audit(stage: Stage) -> None:
    client = stage.client()
    pid, start = stage.identity(client.pid)
    stage.kill(SESSION, "--yes")
    begun, ended = audited(stage)
    assert [(one["verb"], one["outcome"]) for one in (begun, ended)] == [("kill", "begun"), ("end", "ended")]
    assert begun["target"] == ended["target"] == {"session": SESSION, "name": SESSION[:8], "pid": pid, "start": start}
    assert ended["signal"] == "SIGTERM"
    assert begun["by"]["kind"] in ("agent", "terminal", "script")
    assert begun["by"]["program"]


def test_no_argument_that_may_be_a_secret_is_shown_or_kept(stage: Stage) -> None:
    secret = "hunter2hunter2"  # noqa: S105 - what is looked for
    stage.client(f"sleep 600; curl --password {secret} https://me:{secret}@localhost/", below=2)
    done = stage.kill(SESSION, "--yes")
    shown = [done.stdout, stage.kill(SESSION, "--json").stdout, (stage.state / "audit.jsonl").read_text()]
    assert "curl --password ***" in done.stdout
    assert [text for text in shown if secret in text] == []


def test_what_cannot_be_written_down_is_not_done(stage: Stage) -> None:
    client = stage.client()
    path = paths.audit(str(stage.state))
    (stage.state / "audit.jsonl").mkdir()
    done = stage.kill(SESSION, "--yes")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{path} cannot be written (Is a directory), so nothing was ended" in done.stderr
    assert client.poll() is None
    fact = stage.fact()
    assert fact
    assert fact.killed is None
