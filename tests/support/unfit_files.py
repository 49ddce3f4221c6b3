"""Files that must not be opened as a transcript: makers of one each, which return its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def link_to_a_key(folder: Path) -> str:
    (folder / "4711.key").write_bytes(b"secret\n")
    (folder / "link.jsonl").symlink_to(folder / "4711.key")
    return str(folder / "link.jsonl")


def key_file(folder: Path) -> str:
    (folder / "4711.key").write_bytes(b"secret\n")
    return str(folder / "4711.key")


def by_way_of_proc(folder: Path) -> str:
    (folder / "s.jsonl").write_bytes(b"one\n")
    return f"/proc/self/root{folder}/s.jsonl"


def by_way_of_dots(folder: Path) -> str:
    (folder / "s.jsonl").write_bytes(b"one\n")
    return f"/tmp/..//proc/self/root{folder}/s.jsonl"


UNFIT = [link_to_a_key, key_file, by_way_of_proc, by_way_of_dots]
