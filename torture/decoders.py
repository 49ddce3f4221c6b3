"""Every decoder of what comes from outside, each with what must hold for any bytes at all.

Anything but the documented exception is a fault, and so is a broken promise: an AssertionError.
"""

from __future__ import annotations

import json
import os
import tempfile
import tomllib
from contextlib import suppress
from datetime import UTC, datetime
from functools import reduce
from typing import TYPE_CHECKING

from contract import facts, mask, odd_json, paths, status, wire
from contract.clean import clean
from contract.facts import Stamp
from installer.hooks import entries
from installer.hooks import settings as client_settings
from processes import procfs, psutil_table
from recorder import surroundings
from recorder.receive import receive
from statusbar.settings import settings as bar_settings
from statusbar.settings import toml
from watcher.clients.claude import registry, subagents, teamfiles, transcript
from watcher.files.tail import Tail
from watcher.rules import schedule
from watcher.rules.turn import Turn, fold

if TYPE_CHECKING:
    from collections.abc import Callable

WANTED = {"Stop": entries.entry(entries.command("python3", "hook.py", "command -v python3"), in_background=False)}
NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
STAMP = Stamp((NOON.timestamp(), 100_000.0))
SHORT = 60


def _wire(data: bytes) -> None:
    with suppress(ValueError):
        value = wire.decode(data)
        written = wire.encode(value)
        assert wire.encode(wire.decode(written)) == written
        wire.canonical(value)


def _odd_json(data: bytes) -> None:
    with suppress(ValueError):
        odd_json.decode(data.decode("utf-8", "replace"))


def _facts(data: bytes) -> None:
    fact = facts.decode(data)
    if fact:
        written = facts.encode(fact)
        again = facts.decode(written)
        assert again
        assert _same(facts.encode(again), written)


def _same(one: bytes, other: bytes) -> bool:
    """Whatever the order of the keys."""
    return wire.canonical(wire.decode(one)) == wire.canonical(wire.decode(other))


def _status(data: bytes) -> None:
    found = status.decode(data)
    if found:
        written = status.encode(found)
        again = status.decode(written)
        assert again
        assert status.encode(again) == written


def _heartbeat(data: bytes) -> None:
    found = status.decode_heartbeat(data)
    if found:
        status.encode(found)


def _registry(data: bytes) -> None:
    found = registry.decode(data)
    if found:
        assert found.pid > 0
        assert found.session_id
        found.cwd.encode()


def _transcript(data: bytes) -> None:
    for sidechain in (False, True):
        events = transcript.parse(data, sidechain=sidechain)
        transcript.opens_turn(data, sidechain=sidechain)
        assert isinstance(reduce(fold, events, Turn()), Turn)
    assert b"\n" not in transcript.gist(data, b"")


def _tail(data: bytes) -> None:
    """Lines that come in any pieces are all seen, once and in order."""
    cut = data[0] + 1 if data else 1
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        tail = Tail(file.name, lambda _line: False)
        tail.read_new()
        seen: list[bytes] = []
        for at in range(0, len(data), cut):
            file.write(data[at : at + cut])
            file.flush()
            news = tail.read_new()
            seen = news.lines if news.fresh else seen + news.lines
        assert seen == [line for line in data.split(b"\n")[:-1] if line]


def _settings(data: bytes) -> None:
    """Our entries put in and taken out again leave what a person wrote; put in twice is as once."""
    text = data.decode("utf-8", "replace")
    try:
        merged = client_settings.merge(text, WANTED)
    except client_settings.UnfitError:
        return
    assert client_settings.merge(merged, WANTED) == merged
    left = client_settings.unmerge(merged, client_settings.containers(text))
    assert not client_settings.ours(left)
    assert client_settings.ours(text) or repr(client_settings.parse(left)) == repr(client_settings.parse(text))


def _toml(data: bytes) -> None:
    """What cannot be read is refused by all who read it, before anything is changed: it may be nested too deeply."""
    text = data.decode("utf-8", "replace")
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError):
        return
    bar_settings.settings(raw)
    bar_settings.remarks(raw)
    for name, value in (("notify.sound", True), ("front", "tray"), ("notify.mute", None)):
        with suppress(toml.Stubborn):
            found = tomllib.loads(toml.changed(text, name, value))
            assert bar_settings.look_up(found, name, None) == value


def _teams(data: bytes) -> None:
    with suppress(ValueError):
        for member in teamfiles.decode(data):
            json.dumps(member)


def _notes(data: bytes) -> None:
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        subagents.read_meta(file.name)


def _payload(data: bytes) -> None:
    """Whatever an event says: the fact that is kept of it can be read again, and lies in its folder."""
    home = f"{tempfile.gettempdir()}/payload-{os.getpid()}"
    env = {"YOURTURN_NO_WATCHER": "1", "CLAUDE_PID": str(os.getpid())}
    with suppress(ValueError):
        receive(home, env, data, STAMP)
    folder = paths.fact_dir(home)
    for name in os.listdir(folder):
        if name.endswith(".json"):
            with open(f"{folder}/{name}", "rb") as file:
                assert facts.decode(file.read())
        os.unlink(f"{folder}/{name}")


def _words(data: bytes) -> None:
    """What is kept of a command is short, and one line wherever it is shown."""
    shown = clean(mask.mask(data.decode("utf-8", "replace")), SHORT)
    assert len(shown) <= SHORT
    assert shown.isprintable()


def _processes(data: bytes) -> None:
    """A process may call itself anything; the rest of its line is the kernel's."""
    line = b"4711 (" + data.replace(b"\0", b"")[:15] + b") S 7 4711 4711 34816 " + b"0 " * 14 + b"12345 1 1\n"
    seen = procfs.parse_stat(line)
    assert seen
    assert (seen.pid, seen.ppid, seen.start) == (4711, 7, "12345")
    assert surroundings.parse_stat(line)["parent"] == "7"
    surroundings.parse_ps(data)
    procfs.parse_argv(data)
    procfs.flagged(data)
    psutil_table.parse_tty(data)


def _cron(data: bytes) -> None:
    schedule.next_time(data.decode("utf-8", "replace"), NOON)


DECODERS: dict[str, Callable[[bytes], None]] = {
    "wire": _wire,
    "odd_json": _odd_json,
    "facts": _facts,
    "status": _status,
    "heartbeat": _heartbeat,
    "registry": _registry,
    "transcript": _transcript,
    "tail": _tail,
    "settings": _settings,
    "toml": _toml,
    "teams": _teams,
    "notes": _notes,
    "payload": _payload,
    "words": _words,
    "processes": _processes,
    "cron": _cron,
}
ON_DISK = ("tail", "notes", "payload")  # slower than the others
