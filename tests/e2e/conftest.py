"""What every test with the real client gets."""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from e2e.harness.api import Api
from e2e.harness.chosen import installed
from e2e.harness.client import Client
from e2e.harness.folders import temporary_folder
from e2e.harness.home import Home

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HERE = Path(__file__).parent
REQUIRED = "YOURTURN_REQUIRE_E2E"
NOT_RUN = "end-to-end tests did not run: "
LIMIT_S = 300  # of one test: many waits, each with a patience of its own


class Clients(Protocol):
    """Makes clients that end with the test."""

    def __call__(
        self,
        *args: str,
        settings: dict[str, Any] | None = None,
        mode: str = "default",
        env: Mapping[str, str] | None = None,
        home: Home | None = None,
    ) -> Client: ...


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.e2e)
            item.add_marker(pytest.mark.timeout(LIMIT_S))


def _cannot_run(reason: str) -> None:
    if os.environ.get(REQUIRED) == "1":
        pytest.fail(NOT_RUN + reason, pytrace=False)
    pytest.skip(f"{NOT_RUN}{reason} ({REQUIRED}=1 makes this a failure)")


@pytest.fixture(scope="session")
def client_program() -> str:
    """The real client; tools/test.sh has installed it before."""
    if shutil.which("tmux") is None:
        _cannot_run("tmux is missing")
    program, trouble = installed()
    if not program:
        _cannot_run(trouble)
    return program


@pytest.fixture
def api() -> Iterator[Api]:
    with Api() as api:
        yield api


@pytest.fixture
def client(api: Api, client_program: str) -> Iterator[Clients]:
    """Starts clients. Give ``home=other.home`` to come back to what an earlier one left behind."""
    with ExitStack() as stack:

        def start(
            *args: str,
            settings: dict[str, Any] | None = None,
            mode: str = "default",
            env: Mapping[str, str] | None = None,
            home: Home | None = None,
        ) -> Client:
            place = home or Home.make(stack.enter_context(temporary_folder()), settings or {})
            return stack.enter_context(Client(client_program, api.url, place, *args, mode=mode, env=env))

        yield start
