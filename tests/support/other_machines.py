"""Other machines as the collector lays them down, and a collector that holds its lock."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any

from contract import hosts, paths, status, store
from contract.hosts import Host
from support.showing import holder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from contract.status import SessionStatus


def host(name: str = "box", **more: Any) -> Host:
    """Within reach and well, unless told otherwise."""
    now = time.time()
    return Host(name, **{"source": f"ssh {name}", "reached": True, "known": True, "since": now, "heard": now, **more})


def put_host(home: Path, about: Host, *sessions: SessionStatus) -> None:
    folder = paths.host_dir(str(home), about.name)
    store.private_folder(f"{folder}/status")
    for session in sessions:
        store.replace(f"{folder}/status/{paths.file_name(session.session_id)}.json", status.encode(session))
    store.replace(f"{folder}/{hosts.RECORD}", hosts.encode(about))
    store.replace(f"{paths.hosts_dir(str(home))}/{hosts.NEWS}", b"{}\n")


@contextlib.contextmanager
def collector(home: Path, beat: float | None = None) -> Iterator[int]:
    """A real process that holds the collector's lock; its heartbeat is from that time, or from a time to come."""
    with holder(home, paths.collector_lock(str(home)), paths.collector(str(home)), beat) as pid:
        yield pid
