"""A word that is brought to the hook: what is said of it, and when."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from typing import TYPE_CHECKING

from answers import give, open_requests, record, word
from answers.request import decode, encode
from answers.word import Word
from support.asking import Asking, decision, line, said, send

if TYPE_CHECKING:
    import pytest


def test_a_request_file_that_was_swapped_approves_nothing(asking: Asking) -> None:
    hook = asking.hook()
    request = asking.open()
    shown = decode(encode(request))
    assert shown is not None
    shown.input = {"command": "echo harmless"}
    path = f"{asking.home}/open/{request.id}.json"
    with open(f"{path}.x", "wb") as file:
        file.write(encode(shown))
    os.chmod(f"{path}.x", 0o600)
    os.replace(f"{path}.x", path)
    seen = open_requests.find(asking.home, request.id)
    assert seen.input == {"command": "echo harmless"}
    outcome = give.give(asking.home, seen, Word(deed=word.ALLOW, by="test"))
    assert (outcome.ok, outcome.words) == (False, "refused: what was shown is not what is asked")
    assert hook.poll() is None


def test_an_answer_is_said_to_be_given_only_after_the_client_has_gone_on(
    asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(give, "GOES_ON_S", 0.2)
    hook = asking.hook()
    outcome = give.give(asking.home, asking.open(), Word(deed=word.ALLOW, by="test"))
    assert (outcome.ok, outcome.words) == (False, give.UNSURE)
    assert decision(hook) == {"behavior": "allow"}


def test_an_answer_that_the_client_takes_is_said_to_be_given(asking: Asking) -> None:
    hook = asking.hook()
    request = asking.open()

    def goes_on() -> None:
        hook.wait()
        asking.says("busy")

    thread = threading.Thread(target=goes_on)
    thread.start()
    outcome = give.give(asking.home, request, Word(deed=word.ALLOW, by="test"))
    thread.join()
    assert (outcome.ok, outcome.words) == (True, "allowed")


def test_what_is_sent_and_not_taken_is_not_said_to_be_over(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hook cannot run at the moment: the request is as open as before."""
    monkeypatch.setattr(give, "TAKES_S", 0.2)
    hook = asking.hook()
    request = asking.open()
    hook.send_signal(signal.SIGSTOP)
    outcome = give.give(asking.home, request, Word(deed=word.ALLOW, by="test"))
    assert (outcome.ok, outcome.words) == (False, give.DEAF)
    hook.send_signal(signal.SIGCONT)
    assert decision(hook) == {"behavior": "allow"}


def test_a_pipe_that_is_full_is_said_to_be_so(asking: Asking) -> None:
    hook = asking.hook()
    request = asking.open()
    hook.send_signal(signal.SIGSTOP)
    fd = open_requests.writer(asking.home, request.id)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(fd, b"x" * 4096)
    os.close(fd)
    outcome = give.give(asking.home, request, Word(deed=word.ALLOW, by="test"))
    assert (outcome.ok, outcome.words) == (False, give.FULL)
    hook.send_signal(signal.SIGCONT)
    assert hook.poll() is None


def test_who_comes_second_is_told_so(asking: Asking) -> None:
    hook = asking.hook()
    request = asking.open()
    send(asking, line(request), request.id)
    said(hook)
    outcome = give.give(asking.home, request, Word(deed=word.DENY, by="test"))
    assert (outcome.ok, outcome.words) == (False, give.GONE)
    assert record.outcome(asking.home, request.id, "f" * 16) == record.ELSEWHERE
