"""The hooks of each client, and a hook that waits for an answer, are measured as they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench import __main__ as command
from bench import answers, clients, place
from contract.clients import CLIENTS
from recorder.clients import named

if TYPE_CHECKING:
    from pathlib import Path


def test_every_client_has_an_event_that_it_really_tells() -> None:
    for name in CLIENTS:
        assert named(name).translate(clients.payload(name, 0))
        assert named(name).translate(clients.payload(name, 7)) != ()


def test_one_hook_of_each_client_is_run_and_leaves_its_trace(tmp_path: Path) -> None:
    taken = clients.measure(place.Place(str(tmp_path)), tuple(CLIENTS), 1)
    assert {name: len(many) for name, many in taken.items()} == dict.fromkeys(CLIENTS, 1)


def test_a_client_that_nobody_knows_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        command.main(["hook", "--client", "parrot"])
    assert left.value.code == 2
    assert "there are claude, codex" in capsys.readouterr().err


def test_a_hook_that_waits_is_found_waiting(tmp_path: Path) -> None:
    cpu, memory = answers.waits(place.Place(str(tmp_path)), 0.2)
    assert (cpu.key, memory.key, memory.unit) == ("answers.cpu", "answers.memory", "MB")
    assert memory.middle > 1
