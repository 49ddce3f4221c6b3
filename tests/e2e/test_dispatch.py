"""A batch of tasks for the real client: what each brings back, in which order, and who is left."""

from __future__ import annotations

import json
import signal
import subprocess
from typing import TYPE_CHECKING

import psutil
import pytest

from agency import audit
from contract.facts import UNNAMED
from e2e.harness.folders import temporary_folder
from e2e.harness.home import Home
from e2e.harness.patience import until
from e2e.harness.place import entered
from e2e.harness.script import script, stay, text
from processes.ending import Hold
from processes.identity import Identity, compare, start_of
from support.batches import Done
from support.command import YOURTURN
from support.project import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from e2e.harness.api import Api
    from e2e.harness.script import Step

AGENT = 'program = "{program}"\nallow = ["Bash"]\n'


class Batch:
    def __init__(self, home: Home, api: Api, program: str) -> None:
        self.home, self.state = home, f"{home.path}/state"
        self.env = home.environment(api.url, {"YOURTURN_HOME": self.state, "YOURTURN_NO_WATCHER": "1"})
        folder = f"{self.state}/agents"
        subprocess.run(["mkdir", "-p", "-m", "700", self.state, folder], check=True)
        with open(f"{folder}/writer.toml", "w", encoding="utf-8") as file:
            file.write(AGENT.format(program=program))

    def start(self, tasks: dict[str, tuple[Step, list[str]]]) -> subprocess.Popen[str]:
        path = f"{self.home.path}/tasks"
        with open(path, "w", encoding="utf-8") as file:
            for id_, (step, after) in tasks.items():
                steps = [step] if "text" in step else [step, text(f"{id_} is done")]
                file.write(json.dumps({"id": id_, "prompt": script(*steps), "after": after}) + "\n")
        options = ("--agent", "writer", "--workers", "3", "--keep-going", "--name", "n", "--cwd", self.home.project)
        return subprocess.Popen(
            [*YOURTURN, "dispatch", path, *options],
            env=self.env, cwd=PROJECT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def workers(self) -> dict[str, tuple[int, str]]:
        started = (entry["target"] for entry in audit.entries(self.state) if entry["verb"] == "spawn")
        return {target["name"]: (target["pid"], target["start"]) for target in started}


@pytest.fixture
def batch(api: Api, client_program: str) -> Iterator[Batch]:
    with temporary_folder() as folder:
        made = Batch(Home.make(folder, {}), api, client_program)
        yield made
        for pid, start in made.workers().values():
            with Hold(pid, start) as hold:
                hold.send(signal.SIGKILL)


def ended(process: subprocess.Popen[str]) -> Done:
    printed, complained = process.communicate()
    return Done(process.returncode, [json.loads(line) for line in printed.splitlines()], complained)


def test_ten_tasks_for_three_workers_bring_back_ten_messages_in_a_right_order(api: Api, batch: Batch) -> None:
    tasks: dict[str, tuple[Step, list[str]]] = {f"t{n}": (text(f"message {n}"), []) for n in range(10)}
    tasks["t0"] = text("message 0", hold="first"), []
    tasks["t1"] = text("message 1"), ["t0"]
    tasks["t9"] = text("message 9"), ["t1"]
    process = batch.start(tasks)
    api.reached("first")
    # The other two workers go through the rest while the first one waits.
    until(lambda: len(batch.workers()) == 8 or process.poll() is not None, otherwise=lambda: str(batch.workers()))
    assert not {"n-t1", "n-t9"} & batch.workers().keys()
    api.release("first")
    done = ended(process)
    assert (done.code, len(done.results)) == (0, 10), done.stderr
    assert {result["id"]: result["message"] for result in done.results} == {f"t{n}": f"message {n}" for n in range(10)}
    order = [result["id"] for result in done.results]
    assert order.index("t0") < order.index("t1") < order.index("t9")
    assert all(result["reason"] == "completed" for result in done.results)
    assert [one for one in batch.workers().values() if compare(*one) is not Identity.GONE] == []


def test_one_that_is_killed_is_told_as_killed_and_its_dependants_as_not_run(batch: Batch) -> None:
    door = batch.home.door("door")
    tasks: dict[str, tuple[Step, list[str]]] = {f"t{n}": (text(f"message {n}"), []) for n in range(4)}
    tasks |= {"k": (stay(door), []), "below": (text("never"), ["k"]), "deeper": (text("never"), ["below"])}
    process = batch.start(tasks)
    with entered(door):
        pid, start = batch.workers()["n-k"]
        family = [(one.pid, start_of(one.pid) or "") for one in psutil.Process(pid).children(recursive=True)]
        assert family, "its command runs"
        with Hold(pid, start) as hold:
            hold.send(signal.SIGTERM)
        done = ended(process)
    assert done.code == 1
    told = {"k": "killed", "below": "not run", "deeper": "not run"}
    assert done.outcomes() == {**{f"t{n}": "completed" for n in range(4)}, **told}, (done.results, done.stderr)
    assert {done.by_id[id_]["reason"] for id_ in ("below", "deeper")} == {"it waits for k, which failed"}
    until(
        lambda: not [one for one in (*batch.workers().values(), *family) if compare(*one) is not Identity.GONE],
        otherwise=lambda: f"nothing is left of {family}",
    )


def test_the_client_is_known_by_the_name_of_its_program(client_program: str) -> None:
    """Without that it would be a command like any other, and its exit code all that counts."""
    assert client_program.rpartition("/")[2] == UNNAMED
