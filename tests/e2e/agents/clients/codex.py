"""Codex on loopback.

Hooks run only when the person has trusted them: the first start shows a dialog for that, see `trusting`.
"""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

import psutil

from e2e.agents.installation import install
from e2e.harness.patience import PATIENCE_S, ended, until
from e2e.harness.script import tool
from watcher.clients.codex.visit import visit

if TYPE_CHECKING:
    from e2e.agents.agent import Agent
    from e2e.agents.watched import WatchedAgents
    from e2e.harness.place import Place
    from e2e.harness.script import Step

ARGUMENTS = ()
PROGRAMS = ()
PROCESS = "codex"
READY = r"\u203a Ask Codex to do anything"
TYPED = r"^\u203a {}\s*\n\s*\n\s+scripted default"  # above the name of the model
ASKS = r"Press enter to confirm or esc to cancel"
REVIEW = r"Hooks need review"
CONFIG = ".codex/config.toml"
DAEMON = ".codex/app-server-daemon"
TIMEOUT_S, SHORT_S = 10, 3  # it allows no more for the second kind
SHORT = ("SessionEnd", "Interrupt")
SETTINGS = """
model = "scripted"
model_provider = "loop"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false
[model_providers.loop]
name = "loop"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "LOOP_KEY"
request_max_retries = 1
stream_max_retries = 1
[features]
default_mode_request_user_input = true
[analytics]
enabled = false
[feedback]
enabled = false
[projects.{project}]
trust_level = "trusted"
"""


def furnish(place: Place, api_url: str, _program: str) -> None:
    place.write(CONFIG, SETTINGS.format(url=api_url, project=json.dumps(place.project)))


def listen(place: Place) -> None:
    install(place, "codex")


def trust(agent: Agent) -> None:
    """As a person does it, in the dialog that the first start shows."""
    agent.press_until_shown(r"\u203a 2\. Trust all", "2")
    agent.press_until_shown(READY, "Enter")


def trusting(watched: WatchedAgents, *args: str) -> Agent:
    """Once the client ended by itself, with 1, in its first dialog, where no hook of ours runs yet: then once more."""
    started = watched.agent(*args, shown=REVIEW)
    try:
        trust(started)
    except TimeoutError:
        if not started.has_ended:
            raise
        started = watched.agent(*args, shown=REVIEW)
        trust(started)
    return started


def environment(_place: Place, _api_url: str) -> dict[str, str]:
    return {"LOOP_KEY": "dummy-key-for-loopback"}


def leave(place: Place) -> None:
    """The daemon outlives its terminals; what runs from this home is ours to end."""
    left = [process for process in psutil.process_iter() if _runs_from(process, f"{place.path}/.codex/")]
    for process in left:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    until(lambda: all(ended(process) for process in left), PATIENCE_S, lambda: f"{left} outlived SIGKILL")


def daemon(place: Place) -> psutil.Process:
    """By the pid and the start that it has written down."""
    told = place.read(f"{DAEMON}/daemon.pid")
    process = psutil.Process(told["pid"])
    with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
        ticks = int(file.read().rpartition(")")[2].split()[19])
    assert ticks == told["processIdentity"]["startTicks"], "another process has the daemon's pid"
    return process


def originators(place: Place) -> set[str]:
    """By whom its threads were begun, as the daemon tells the API."""
    told = visit(f"{place.path}/.codex/app-server-control/app-server-control.sock")
    return {one["originator"] for one in told.threads}


def is_aside(_body: dict[str, Any]) -> bool:
    """The maker of titles has no tools."""
    return False


def shell(command: str) -> Step:
    """One that it asks for; without the wish to leave the sandbox it would run at once."""
    why = {"sandbox_permissions": "require_escalated", "justification": "Do you want to run it?"}
    return tool("exec_command", cmd=command, yield_time_ms=30_000, **why)


def stay(door: str) -> Step:
    """A command that it asks for, and that runs until the test lets it end."""
    return shell(f"wc {door}")


def question(words: str, *options: str) -> Step:
    choices = [{"label": option, "description": option} for option in options]
    return tool("request_user_input", questions=[{"id": "it", "header": "Pick", "question": words, "options": choices}])


def spawn(_description: str, prompt: str) -> Step:
    return tool("multi_agent_v1/spawn_agent", message=prompt, agent_type="worker")


def _runs_from(process: psutil.Process, folder: str) -> bool:
    with contextlib.suppress(psutil.Error):
        return str(process.exe()).startswith(folder)
    return False


def before_a_worker(watched: WatchedAgents) -> None:
    """The person has reviewed the hooks. The terminal in which that was done has left a daemon behind."""
    trusting(watched)
    leave(watched.place)


# Its commands cannot be told apart: what it would have to ask for is what it may not do.
LIMITS = ["Bash", "Write"], tool("exec_command", cmd="touch made"), shell("mkdir other")


def busy(door: str) -> tuple[list[str], Step]:
    return ["Bash"], tool("exec_command", cmd=f"wc {door}", yield_time_ms=30_000)
