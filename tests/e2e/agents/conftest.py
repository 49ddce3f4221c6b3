"""What every test with a client other than Claude Code gets."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

from e2e.agents.clients import CLIENTS
from e2e.agents.installed import installed
from e2e.agents.watched import WatchedAgents
from e2e.harness.folders import temporary_folder
from e2e.harness.place import Place
from support.needs import need

if TYPE_CHECKING:
    from collections.abc import Iterator

    from e2e.harness.api import Api


HERE = Path(__file__).parent


class Watch(Protocol):
    """Makes a watched home for one client; it ends with the test."""

    def __call__(self, client: str) -> WatchedAgents: ...


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents and not item.get_closest_marker("dose"):
            item.add_marker(pytest.mark.series)


@pytest.fixture
def watch(api: Api) -> Iterator[Watch]:
    with ExitStack() as stack:

        def start(client: str) -> WatchedAgents:
            need("tmux", "node", *CLIENTS[client].PROGRAMS)
            place = Place(stack.enter_context(temporary_folder()))
            return stack.enter_context(WatchedAgents(client, installed(client), api, place))

        yield start
