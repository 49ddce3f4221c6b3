"""Whether a watcher keeps the statuses up to date."""

import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from contract import hosts, paths, pulse, status, store
from contract.pulse import Pulse, Watcher
from contract.status import Heartbeat


class Kind(NamedTuple):
    look: Callable[[str], Pulse]
    beat: Callable[[str], str]
    lock: Callable[[str], str]
    starting: Callable[[str], str]


KINDS = {
    "watcher": Kind(
        lambda home: pulse.take(home, {"HOME": home}), paths.heartbeat, paths.watcher_lock, paths.starting_lock
    ),
    "collector": Kind(hosts.collector, paths.collector, paths.collector_lock, paths.collector_starting_lock),
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_one_that_holds_its_lock_and_is_still_starting_does_not_pass_for_its_predecessor(
    kind: Kind, tmp_path: Path
) -> None:
    """That one was killed a moment ago, and its heartbeat is still there."""
    home, now = str(tmp_path / "state"), time.time()
    store.private_folder(home)
    store.replace(kind.beat(home), status.encode(Heartbeat(7, "1", "0.1.0", now)))
    with ExitStack() as holds:
        with ExitStack() as starts:
            starts.callback(os.close, store.take(kind.starting(home)) or -1)
            assert kind.look(home).watcher(now) is Watcher.STARTING
            holds.callback(os.close, store.take(kind.lock(home)) or -1)
            assert kind.look(home).watcher(now) is Watcher.STARTING
        assert kind.look(home).watcher(now) is Watcher.ALIVE
    assert kind.look(home).watcher(now) is Watcher.GONE
