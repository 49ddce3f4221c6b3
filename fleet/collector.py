"""The process that brings the statuses of other machines: one for each state folder, as long as there are machines."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time

from contract import hosts, paths, status, store, version
from contract.status import Heartbeat
from fleet import leftovers, share_settings, sources
from fleet.followed import Followed
from fleet.share_switch import ShareSwitch
from processes.identity import start_of

log = logging.getLogger("yourturn")

LOOK_S, BEAT_S = 0.5, 10.0


class Collector:
    def __init__(self, home: str, path: str, lock: int) -> None:
        """`path`: the file that names the machines; beside it is the one that says where this machine is shared."""
        self._home, self._path, self._lock = home, path, lock
        self._share_path = hosts.shared(path)
        self._switch = ShareSwitch(home, path)
        self._followed = Followed(home, self._switch.place_on)
        self._over = threading.Event()
        self._mark: object = ()
        self._beat_at = -BEAT_S
        self._code = store.signature_of(version.__file__)

    def run(self) -> None:
        """Until it is asked to end, the last machine is removed, or its place is taken."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda _number, _frame: self._over.set())
        store.private_folder(paths.hosts_dir(self._home))
        # Else what its predecessor said a moment ago would pass for its own word.
        store.remove(paths.collector(self._home))
        leftovers.tidy_up(self._home, self._path)
        try:
            while not self._over.is_set() and self._is_needed():
                self._beat(time.monotonic())
                self._over.wait(LOOK_S)
        finally:
            self._switch.end(takes_back=False)
            self._followed.end()
            if self._is_in_place():
                store.remove(paths.collector(self._home))

    def _is_needed(self) -> bool:
        if not self._is_in_place() or store.signature_of(version.__file__) != self._code:
            log.info("the state folder was made anew, or another version is installed: this collector ends")
            return False
        mark = store.signature_of(self._path), store.signature_of(self._share_path)
        if mark != self._mark:
            self._mark = mark
            self._take_up()
        return bool(self._followed) or any(mark)

    def _take_up(self) -> None:
        """What hosts.toml and share.toml say now. While one cannot be read, everything stays as it is."""
        try:
            wanted, sharing = sources.load(self._path), share_settings.load(self._share_path)
        except sources.Wrong as error:
            log.warning("%s", error)
            return
        self._switch.turn(sharing)
        if not self._followed.take_up(wanted):
            self._mark = ()  # tried again at the next look

    def _is_in_place(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._lock), os.stat(paths.collector_lock(self._home)))
        except OSError:
            return False

    def _beat(self, now: float) -> None:
        if now - self._beat_at < BEAT_S:
            return
        self._beat_at, pid = now, os.getpid()
        beat = Heartbeat(pid, start_of(pid) or "", version.VERSION, time.time(), mode="service")
        try:
            store.replace(paths.collector(self._home), status.encode(beat))
        except OSError as error:
            log.warning("heartbeat: %s", error)
