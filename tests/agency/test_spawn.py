"""`yourturn spawn`, with real processes."""

import json
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from contract import paths
from support.patience import until
from support.spawning import Bureau
from support.watching import Scene


def test_it_says_name_and_id_and_goes_while_the_agent_runs_on(bureau: Bureau) -> None:
    agent = bureau.waiting("builder")
    assert bureau.living() == ["builder"]
    done = bureau.run("spawn", "--name", "other", "--", "sleep", "600")
    assert done.stdout.split()[0] == "other"
    assert psutil.pid_exists(agent.pid)


def test_the_agent_has_its_marks_in_its_environment(bureau: Bureau) -> None:
    agent = bureau.waiting("builder")
    env = psutil.Process(agent.pid).environ()
    assert (env["AGENT_MODE"], env["YOURTURN_AGENT"], env["YOURTURN_PARENT"]) == ("1", agent.session, "")


@pytest.mark.parametrize(
    ("client", "variable"), [("gemini", "GEMINI_CLI_NO_RELAUNCH"), ("qwen", "QWEN_CODE_NO_RELAUNCH")]
)
def test_a_client_that_would_start_itself_again_is_told_not_to_where_we_feed_it(
    client: str, variable: str, bureau: Bureau
) -> None:
    program = bureau.folder / client
    program.write_text(f'#!/bin/sh\necho "relaunch: ${{{variable}-as it likes}}" >&2\n')
    program.chmod(0o755)
    bureau.describe("worker", f'program = "{program}"')
    assert "relaunch: true\n" in bureau.run("spawn", "--wait", "--agent", "worker", "prompt").stderr
    assert "relaunch: as it likes\n" in bureau.run("spawn", "--wait", "--", str(program)).stderr


def test_it_is_registered_before_its_program_runs(bureau: Bureau) -> None:
    """The program itself looks: its fact and its name are there."""
    seen = bureau.folder / "seen"
    look = f'ls "{bureau.home}"/facts/$YOURTURN_AGENT.main.json "{bureau.home}"/spawned/first.json > {seen}'
    assert bureau.run("spawn", "--wait", "--name", "first", "--", "sh", "-c", look).returncode == 0
    assert len(seen.read_text().split()) == 2


def test_its_end_is_noted_and_its_name_is_free_again(bureau: Bureau) -> None:
    agent = bureau.waiting("builder")
    bureau.open("builder")
    bureau.until_gone("builder")
    until(lambda: ("end", "completed", "builder") in bureau.audit(), "the end in the audit")
    fact = bureau.fact(agent.session)
    assert fact
    assert fact.exit
    assert fact.exit.word == "0"
    bureau.waiting("builder")


def test_a_name_that_is_running_is_refused_and_leaves_nothing_behind(bureau: Bureau) -> None:
    bureau.waiting("builder")
    before = sorted(os.listdir(bureau.home / "facts"))
    done = bureau.run("spawn", "--name", "builder", "--", "touch", str(bureau.folder / "ran"))
    assert (done.returncode, done.stdout) == (3, "")
    assert "an agent named builder is running already" in done.stderr
    assert sorted(os.listdir(bureau.home / "facts")) == before
    assert not (bureau.folder / "ran").exists()
    assert bureau.audit()[-1] == ("spawn", "refused", "builder")


def test_of_two_that_race_for_a_name_exactly_one_wins(bureau: Bureau) -> None:
    """`make races` tries it 50 times."""
    for number in range(int(os.environ.get("YOURTURN_RACES", "5"))):
        name, ran = f"racer{number}", bureau.folder / f"ran{number}"
        words = ["spawn", "--name", name, "--", "sh", "-c", f"echo x >> {ran}; read line < {bureau.door(name)}"]
        both = [bureau.start(*words) for _ in range(2)]
        codes = sorted(process.wait() for process in both)
        assert codes == [0, 3], [process.communicate() for process in both]
        for process in both:
            process.communicate()
        until(ran.exists, "the winner's program")
        bureau.open(name)
        bureau.until_gone(name)
        assert ran.read_text() == "x\n"


def test_a_missing_program_is_told_and_leaves_nothing_behind(bureau: Bureau) -> None:
    done = bureau.run("spawn", "--", "no-such-program")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no program 'no-such-program' on PATH" in done.stderr
    assert not (bureau.home / "facts").exists()


def test_a_program_that_cannot_be_run_leaves_nothing_behind(bureau: Bureau) -> None:
    """It is found on PATH, but its interpreter is not there: the kernel says so at the very last moment."""
    broken = bureau.folder / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)
    done = bureau.run("spawn", "--name", "x", "--", str(broken))
    assert done.returncode == 1
    assert f"{broken}: No such file or directory" in done.stderr
    assert bureau.living() == []
    assert [name for name in os.listdir(bureau.home / "facts") if name.endswith(".json")] == []
    assert bureau.audit() == [("spawn", "started", "x"), ("spawn", "failed", "x")]


@pytest.mark.parametrize(
    "words",
    [[], ["--name", "a/b", "--", "true"], ["--name", "@all", "--", "true"], ["--cwd", "/no/such", "--", "true"]],
    ids=["no command", "a slash", "like a group", "no folder"],
)
def test_wrong_usage_is_told_with_exit_code_2(bureau: Bureau, words: list[str]) -> None:
    done = bureau.run("spawn", *words)
    assert done.returncode == 2
    assert done.stderr.startswith("yourturn: ")
    assert bureau.audit() == []


@pytest.mark.parametrize(("script", "code"), [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137)])
def test_with_wait_its_exit_code_and_its_output_are_ours(bureau: Bureau, script: str, code: int) -> None:
    done = bureau.run("spawn", "--wait", "--", "sh", "-c", f"echo out; cat; {script}", stdin="in\n")
    assert (done.returncode, done.stdout) == (code, "out\nin\n")


def test_who_ends_the_keeper_ends_the_agent_and_what_it_has_started(bureau: Bureau) -> None:
    """Also a command with a session of its own, as a client's are."""
    child = bureau.folder / "child"
    agent = bureau.spawn("--name", "x", "--", "sh", "-c", f"setsid sleep 600 & echo $! > {child}; wait")
    sleeper = int(until(lambda: child.exists() and child.read_text().strip(), "its child"))
    os.kill(agent.keeper, signal.SIGTERM)
    bureau.until_gone("x")
    until(lambda: not psutil.pid_exists(sleeper), "the end of its child")
    assert bureau.audit()[-1] == ("end", "failed", "x")


def test_a_keeper_that_is_ended_as_soon_as_its_agent_runs_leaves_it_not_alone(bureau: Bureau) -> None:
    """Here by a hook of the user's, which runs before anybody is told of the start."""
    bureau.hook("after-spawn", "kill -TERM $PPID")
    told = json.loads(bureau.run("spawn", "--json", "--name", "x", "--", "sleep", "600").stdout)
    bureau.until_gone("x")
    until(lambda: not psutil.pid_exists(told["pid"]), "the end of the agent")
    assert bureau.audit()[-1] == ("end", "failed", "x")


def test_a_time_limit_ends_it(bureau: Bureau) -> None:
    done = bureau.run("spawn", "--wait", "--json", "--timeout", "0.2", "--", "sleep", "600")
    assert json.loads(done.stdout)["reason"] == "timeout"
    assert done.returncode == 143


def test_what_it_prints_is_kept_only_if_asked_for(bureau: Bureau) -> None:
    kept = bureau.folder / "kept"
    bureau.run("spawn", "--name", "x", "--output", str(kept), "--", "sh", "-c", "echo said")
    bureau.until_gone("x")
    assert kept.read_text() == "said\n"
    assert kept.stat().st_mode & 0o777 == 0o600


def test_the_command_on_the_board_is_masked(bureau: Bureau) -> None:
    agent = bureau.spawn(
        "--name", "x", "--", "sh", "-c", f"read line < {bureau.door('x')}; curl -u bob:hunter2 http://h"
    )
    assert b"hunter2" not in Path(paths.fact(str(bureau.home), agent.session, "main")).read_bytes()
    assert "hunter2" not in (bureau.home / "audit.jsonl").read_text()


def test_no_prompt_reaches_a_disk_or_an_argument(bureau: Bureau) -> None:
    bureau.describe(
        "echo", f'program = "sh"\narguments = ["-c", "cat > {bureau.folder}/got; read l < {bureau.door("x")}"]'
    )
    agent = bureau.spawn("--agent", "echo", "--name", "x", "my secret wish")
    until(lambda: (bureau.folder / "got").exists() and (bureau.folder / "got").read_text() == "my secret wish")
    (bureau.folder / "got").unlink()
    assert "secret wish" not in " ".join(psutil.Process(agent.pid).cmdline())
    below = [path for path in bureau.home.rglob("*") if path.is_file()]
    assert below
    assert [path for path in below if b"secret wish" in path.read_bytes()] == []


def test_an_act_that_cannot_be_audited_is_not_done(bureau: Bureau) -> None:
    (bureau.home / "audit.jsonl").mkdir(parents=True)
    done = bureau.run("spawn", "--name", "x", "--", "touch", str(bureau.folder / "ran"))
    assert done.returncode == 1
    assert "audit.jsonl" in done.stderr
    assert bureau.living() == []
    assert not (bureau.folder / "ran").exists()


def test_a_state_folder_that_is_removed_meanwhile_stays_so(bureau: Bureau) -> None:
    agent = bureau.waiting("x")
    keeper = psutil.Process(agent.keeper)
    shutil.rmtree(bureau.home)
    bureau.open("x")
    until(lambda: not keeper.is_running() or keeper.status() == psutil.STATUS_ZOMBIE, "the end of the keeper")
    assert not bureau.home.exists()


def test_a_killed_keeper_leaves_an_agent_that_is_still_known_by_name(bureau: Bureau) -> None:
    agent = bureau.waiting("x")
    os.kill(agent.keeper, signal.SIGKILL)
    until(lambda: not psutil.pid_exists(agent.keeper), "the end of the keeper")
    assert bureau.run("spawn", "--name", "x", "--", "true").returncode == 3
    os.kill(agent.pid, signal.SIGKILL)
    until(lambda: bureau.living() == [], "the end of the agent")
    assert bureau.run("spawn", "--wait", "--name", "x", "--", "true").returncode == 0


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[tuple[Scene, Bureau]]:
    with Scene(tmp_path) as scene, Bureau(tmp_path) as bureau:
        bureau.env = {**scene.env, "YOURTURN_NO_WATCHER": "1"}
        scene.watcher()
        until(scene.beat, "a watcher")
        yield scene, bureau


def steps(scene: Scene) -> list[tuple[str, str]]:
    lines = [json.loads(line) for line in Path(paths.observations(scene.state)).read_text().splitlines()]
    return [(line["from"], line["to"]) for line in lines if line["kind"] == "agent_process_changed"]


def test_the_watcher_shows_it_from_its_first_moment_and_tells_how_it_ended(watching: tuple[Scene, Bureau]) -> None:
    scene, bureau = watching
    agent = bureau.waiting("builder")
    scene.becomes("working", session=agent.session)
    shown = scene.statuses()[agent.session]
    assert (shown.name, shown.spawned, shown.rule) == ("builder", True, "turn-open")
    assert shown.agents[0].weighed[0].source == "spawn"
    os.kill(agent.pid, signal.SIGTERM)
    scene.becomes("", session=agent.session)
    assert steps(scene) == [("created", "running"), ("running", "failed")]


def test_the_watcher_waits_for_the_keeper_to_tell_how_it_ended(watching: tuple[Scene, Bureau]) -> None:
    scene, bureau = watching
    agent = bureau.waiting("builder")
    scene.becomes("working", session=agent.session)
    os.kill(agent.keeper, signal.SIGSTOP)
    os.kill(agent.pid, signal.SIGKILL)
    scene.polled()
    assert scene.status(agent.session) == "working"
    os.kill(agent.keeper, signal.SIGCONT)
    scene.becomes("", session=agent.session)
    assert steps(scene)[-1] == ("running", "failed")


def test_an_agent_whose_keeper_was_killed_is_lost_when_it_ends(watching: tuple[Scene, Bureau]) -> None:
    scene, bureau = watching
    agent = bureau.waiting("builder")
    scene.becomes("working", session=agent.session)
    os.kill(agent.keeper, signal.SIGKILL)
    scene.polled()
    assert scene.status(agent.session) == "working"
    os.kill(agent.pid, signal.SIGKILL)
    scene.becomes("", session=agent.session)
    assert steps(scene)[-1] == ("running", "lost")


def test_the_watcher_that_it_starts_is_no_child_of_the_keeper(tmp_path: Path) -> None:
    """Who ends the agent with all that it has started would end the watcher too."""
    with Scene(tmp_path) as scene, Bureau(tmp_path) as bureau:
        bureau.env = scene.env
        agent = bureau.waiting("builder")
        beat = until(scene.beat, "a watcher")
        below = {process.pid for process in psutil.Process(agent.keeper).children(recursive=True)}
        assert below == {agent.pid}
        assert psutil.pid_exists(beat.pid)
