"""File events, and polling where the system has none to give."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from support.builders import ask, call, event
from support.needs import need
from support.patience import until
from support.watching import WATCH, Scene
from watcher.files.filewatch import Wakeup

BASH = {"command": "npm test"}


def inotify_limited(what: str, number: int) -> list[str]:
    """A command before which the system has so few of these to give."""
    limited = f'echo {number} > /proc/sys/user/max_inotify_{what} && exec "$@"'
    return ["unshare", "--user", "--map-root-user", "sh", "-c", limited, "sh"]


NO_INOTIFY = inotify_limited("instances", 0)


def need_user_namespaces() -> None:
    need("unshare")
    tried = subprocess.run([*NO_INOTIFY, "true"], capture_output=True, check=False)
    if tried.returncode:
        pytest.skip("a user namespace without inotify cannot be made here")


def test_with_file_events_it_does_not_say_that_it_polls(scene: Scene) -> None:
    scene.watcher()
    assert until(scene.beat).polling == ""


def test_with_too_few_watches_of_inotify_it_polls_the_rest_and_says_so(scene: Scene) -> None:
    need_user_namespaces()
    client = scene.client()
    watcher = subprocess.Popen([*inotify_limited("watches", 1), *WATCH], env=scene.env, stderr=subprocess.PIPE)
    try:
        assert "inotify watch limit" in until(scene.beat).polling
        scene.hook(client, event("UserPromptSubmit", prompt="x"))
        scene.hook(client, call("PreToolUse", "t", given=BASH))
        scene.hook(client, ask(BASH))
        scene.becomes("needs_approval")
    finally:
        watcher.kill()
        watcher.communicate()


@pytest.mark.parametrize(
    "refusal", [OSError(28, "inotify watch limit reached"), RuntimeError("can't start new thread")]
)
def test_a_folder_that_cannot_be_watched_is_polled_and_that_is_said(
    refusal: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wakeup = Wakeup()
    assert wakeup._observer

    def refuse(*_: Any, **__: Any) -> None:
        raise refusal

    monkeypatch.setattr(wakeup._observer, "schedule", refuse)
    wakeup.watch({str(tmp_path)})
    assert str(refusal) in wakeup.polling


def test_without_an_instance_of_inotify_it_polls_case_65(scene: Scene) -> None:
    """128 a user is Linux's default; an editor and a few bundlers use them up."""
    need_user_namespaces()
    client = scene.client()
    watcher = subprocess.Popen([*NO_INOTIFY, *WATCH], env=scene.env, stderr=subprocess.PIPE)
    try:
        until(scene.beat)
        scene.hook(client, event("UserPromptSubmit", prompt="x"))
        scene.hook(client, call("PreToolUse", "t", given=BASH))
        scene.hook(client, ask(BASH))
        scene.becomes("needs_approval")
        assert "no file events, polling only" in scene.log()
        assert "inotify instance" in until(scene.beat).polling, "doctor can say so"
        line = [*NO_INOTIFY, *WATCH[:-1], "line", "--for", "plain", "--follow"]
        with subprocess.Popen(line, env=scene.env, stdout=subprocess.PIPE, text=True) as following:
            assert following.stdout
            assert "npm test" in following.stdout.readline()
            assert following.poll() is None, "it goes on"
            following.kill()
    finally:
        watcher.kill()
        watcher.communicate()
