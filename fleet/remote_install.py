"""Brings yourturn to another machine over the connection that reaches it, and takes it away again."""

from __future__ import annotations

import base64
import io
import json
import sys
import tarfile
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from contract import launch, version
from contract.clean import clean
from fleet import reached_by
from fleet.host_connection import HostConnection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fleet.sources import Source

# What runs there: all but what only a desktop, a developer or this machine needs.
ROOMS = (
    "contract", "recorder", "processes", "watcher", "conversations", "statusbar", "agency", "fleet", "answers", "usage",
    "installer", "autostart", "launchd", "systemd", "plugins", "hook.py", "answer_hook.py", "yourturn.py",
)  # fmt: skip
PACKAGES = ("filelock", "watchdog", "cronsim", "tomlkit", "wcwidth")  # pure Python on Linux
LEFT_OUT = (".pyc", ".so", ".dylib", ".pyd")
PATIENCE_S = 180.0
LONG = 400


class Outcome(NamedTuple):
    is_done: bool
    words: str
    program: str = ""  # how yourturn is called there


def install(source: Source) -> Outcome:
    packed = archive()
    print(f"Bringing yourturn {version.VERSION} to {source.name} ({len(packed) / 1e6:.1f} MB) …", file=sys.stderr)
    return _do(source, "install", packed)


def uninstall(source: Source) -> Outcome:
    return _do(source, "uninstall", b"")


def archive() -> bytes:
    """Everything that runs there, without what Python has compiled for this machine."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as packed:
        for path, name in _files():
            packed.add(path, name, recursive=False, filter=_nobodys)
    return made.getvalue()


def _files() -> Iterator[tuple[str, str]]:
    for room in ROOMS:
        yield from _below(Path(launch.PROJECT) / room, room)
    for package in PACKAGES:
        found = find_spec(package)
        if found is None or found.origin is None:
            raise OSError(f"the package {package} is missing here, so yourturn cannot be brought to another machine")
        yield from _below(Path(found.origin).parent, package)


def _below(path: Path, name: str) -> Iterator[tuple[str, str]]:
    if path.is_file():
        yield str(path), name
    for file in sorted(path.rglob("*")) if path.is_dir() else ():
        if file.is_file() and not file.name.endswith(LEFT_OUT) and "__pycache__" not in file.parts:
            yield str(file), f"{name}/{file.relative_to(path)}"


def _nobodys(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Who it belongs to here is nobody's business there."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mode = 0o755 if member.mode & 0o100 else 0o644
    return member


def _do(source: Source, deed: str, packed: bytes) -> Outcome:
    """What happened there is printed."""
    text = Path(__file__).with_name("remote_script.py").read_text(encoding="utf-8")
    call = f"\nmain({deed!r}, {base64.b64encode(packed).decode()!r})\n"
    brought: list[Outcome] = []

    def hear(line: bytes) -> bool:
        brought.extend(filter(None, [outcome(line)]))
        return bool(brought)

    with tempfile.TemporaryFile() as given:
        given.write((text + call).encode())
        given.seek(0)
        argv = [*reached_by.reaching(source.words), "python3", "-"]
        end = HostConnection(argv, PATIENCE_S, given).follow(hear, lambda: not brought)
    return _said(source, deed, brought[-1] if brought else Outcome(is_done=False, words=end.why))


def outcome(line: bytes) -> Outcome | None:
    """None for a line of somebody else. A program that is no plain word cannot be called over every connection."""
    try:
        raw = json.loads(line)
        program = raw["program"] if reached_by.is_word(raw["program"]) else ""
        return Outcome(raw["done"] is True, str(raw["words"]), program)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def _said(source: Source, deed: str, what: Outcome) -> Outcome:
    if what.is_done:
        for line in what.words.splitlines():
            print(f"  {source.name}: {clean(line, LONG)}", file=sys.stderr)
    else:
        print(f"yourturn: could not {deed} on {source.name}: {clean(what.words, LONG)}", file=sys.stderr)
    return what
