"""What is forged, swapped, killed or too late beside the real client: nothing is decided, and its dialog stays."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from answers import open_requests, word
from answers.request import decode, encode
from answers.word import Word
from e2e.harness.answering import by_hand, outcomes, requests, state
from e2e.harness.patience import until
from e2e.harness.script import bash, script, spawn, text
from e2e.harness.truth import needs_approval, waiting, working

if TYPE_CHECKING:
    from collections.abc import Callable

    from e2e.harness.watched import Subject, Watched

pytestmark = pytest.mark.series
ASKS = needs_approval("Bash: touch made")


@pytest.fixture
def answering(watched: Watched) -> Watched:
    assert watched.run("install", "--yes", "--answers").returncode == 0
    return watched


def asking(watched: Watched) -> tuple[Subject, str]:
    """A client whose dialog is open, and the id of its request."""
    agent = watched.client()
    watched.becomes("start", waiting(""))
    agent.say(script(bash("touch made"), text("done", hold="reply")))
    watched.passes("prompt", working())
    agent.wait_for_dialog()
    watched.becomes("asks", ASKS)
    until(lambda: requests(watched), 60, agent.screen)
    (request,) = requests(watched)
    return agent, str(request["id"])


def is_made(watched: Watched) -> bool:
    return os.path.exists(f"{watched.home.project}/made")


def stays(watched: Watched, agent: Subject) -> None:
    """Nothing was decided: the light, the dialog and the person's own answer there are as ever."""
    watched.holds(0.5)
    assert (is_made(watched), bool(agent.dialog())) == (False, True)
    agent.answer("Enter")
    watched.reached("reply")
    watched.becomes("approved in the terminal", working("thinking"))
    assert is_made(watched)
    watched.release("reply")
    agent.wait_for_status("idle")
    watched.becomes("turn ends", waiting(""))


def at(watched: Watched, id_: str, suffix: str) -> str:
    return f"{state(watched)}/open/{id_}.{suffix}"


def stored(watched: Watched, id_: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(at(watched, id_, "json")).read_text())
    return found


def test_the_hook_is_killed(answering: Watched) -> None:
    agent, id_ = asking(answering)
    os.kill(stored(answering, id_)["pid"], signal.SIGKILL)
    until(lambda: requests(answering) == [], 60, lambda: "it stays open")
    assert by_hand(answering, "allow", id_).returncode == 2
    assert os.listdir(f"{state(answering)}/open") == []
    stays(answering, agent)


def test_the_clients_own_limit_for_the_hook_is_over(answering: Watched) -> None:
    path = Path(answering.home.config) / "settings.json"
    settings = json.loads(path.read_text())
    for group in settings["hooks"]["PermissionRequest"]:
        for hook in group["hooks"]:
            hook["timeout"] = 5 if hook["command"].endswith("# yourturn-answers") else hook.get("timeout", 60)
    path.write_text(json.dumps(settings))
    agent, id_ = asking(answering)
    until(lambda: requests(answering) == [], 60, lambda: "it stays open")
    assert by_hand(answering, "allow", id_).returncode == 2
    stays(answering, agent)


def test_the_persons_own_limit_for_sub_agents_is_over(answering: Watched) -> None:
    assert answering.run("config", "answers.agents", "2").returncode == 0
    agent = answering.client()
    agent.say(script(spawn("job", bash("touch made"), text("sub done")), text("main done")))
    until(lambda: outcomes(answering) == ["timed out"], 60, agent.screen)
    agent.wait_for_dialog("touch")
    assert (requests(answering), is_made(answering)) == ([], False)
    agent.answer("Enter", words="touch")
    until(lambda: is_made(answering), 60, agent.screen)


def test_a_digest_is_forged(answering: Watched) -> None:
    agent, id_ = asking(answering)
    fd = open_requests.writer(state(answering), id_)
    os.write(fd, word.encode(Word(id=id_, tag="0" * 16, digest="0" * 32, deed=word.ALLOW, by="test")))
    os.close(fd)
    refused = ["refused: what was shown is not what is asked"]
    until(lambda: outcomes(answering) == refused, 60, lambda: str(outcomes(answering)))
    assert [one["id"] for one in requests(answering)] == [id_]
    stays(answering, agent)


def harmless(watched: Watched, id_: str) -> None:
    path = at(watched, id_, "json")
    shown = decode(Path(path).read_bytes())
    assert shown
    shown.input = {"command": "echo harmless"}
    Path(f"{path}.x").write_bytes(encode(shown))
    os.chmod(f"{path}.x", 0o600)
    os.replace(f"{path}.x", path)


def test_the_request_file_is_swapped(answering: Watched) -> None:
    agent, id_ = asking(answering)
    harmless(answering, id_)
    assert [one["input"] for one in requests(answering)] == [{"command": "echo harmless"}]
    done = by_hand(answering, "allow", id_)
    assert (done.returncode, "what was shown is not what is asked" in done.stderr) == (1, True)
    stays(answering, agent)


def linked(watched: Watched, id_: str, suffix: str) -> None:
    path, elsewhere = at(watched, id_, suffix), f"{watched.home.path}/elsewhere"
    os.rename(path, elsewhere)
    os.symlink(elsewhere, path)


FOREIGN: dict[str, Callable[[Watched, str], object]] = {
    "a link in place of the file": lambda watched, id_: linked(watched, id_, "json"),
    "a link in place of the pipe": lambda watched, id_: linked(watched, id_, "pipe"),
    "another user's pipe": lambda watched, id_: os.chown(at(watched, id_, "pipe"), 65534, 65534),
    "a pipe that others may write to": lambda watched, id_: os.chmod(at(watched, id_, "pipe"), 0o622),  # noqa: S103 - what it is about
}


@pytest.mark.parametrize("what", FOREIGN)
def test_what_lies_there_is_not_ours(answering: Watched, what: str) -> None:
    if "another user" in what and os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    agent, id_ = asking(answering)
    FOREIGN[what](answering, id_)
    assert requests(answering) == []
    done = by_hand(answering, "allow", id_)
    assert (done.returncode, "no open request" in done.stderr) == (2, True)
    stays(answering, agent)
