"""What an earlier collector has left of other machines: kept for those that are still wanted, else removed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from contract import hosts, paths, store
from fleet import mirror, sources
from fleet.mirror import Mirror

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fleet.sources import Source


def tidy_up(home: str, hosts_file: str) -> None:
    try:
        wanted = sources.load(hosts_file)
    except sources.Wrong as error:
        _know_nothing(home, str(error))
        return
    _forget_others(home, wanted)
    for name in store.names(paths.brokers_dir(home)):
        store.remove(f"{paths.brokers_dir(home)}/{name}")


def _forget_others(home: str, wanted: Mapping[str, Source]) -> None:
    """Folders of machines that were removed while no collector ran."""
    ways = {source.way for source in wanted.values() if source.broker}
    own = {paths.file_name(name) for name, source in wanted.items() if source.command}
    for name in hosts.names(home):
        folder = f"{paths.hosts_dir(home)}/{name}"
        there = hosts.read(folder)
        if name not in own and not (there and there.source in ways):
            mirror.remove_folder(home, folder)


def _know_nothing(home: str, why: str) -> None:
    """Nobody asks them as long as hosts.toml cannot be read: what was heard before is no longer true."""
    for name in hosts.names(home):
        before = hosts.read(f"{paths.hosts_dir(home)}/{name}")
        if before:
            Mirror(home, before.name, before.source, time.time()).goes_out_of_reach(why, time.time())
