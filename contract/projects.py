"""The short name of the project that an agent works in."""

from __future__ import annotations

from collections import Counter

from contract.clean import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Tidy = Callable[[str, int], str]

LONGEST = 40
WORKTREES = ("/.claude/worktrees/", "/.worktrees/")


def projects(folders: Iterable[str], tidy: Tidy = clean) -> dict[str, str]:
    """The last folder of each path; where two paths share it, the folder above as well."""
    words = {folder: project(folder, tidy) for folder in folders}
    times = Counter(words.values())
    return {folder: _with_parent(folder, word, tidy) if times[word] > 1 else word for folder, word in words.items()}


def project(folder: str, tidy: Tidy = clean) -> str:
    """The last folder; for a worktree, the project it belongs to and its own name."""
    for mark in WORKTREES:
        before, middle, after = folder.partition(mark)
        if middle and after:
            return tidy(f"{_last(before)}@{after.partition('/')[0]}", LONGEST)
    return tidy(_last(folder), LONGEST)


def _last(folder: str) -> str:
    return folder.rstrip("/").rpartition("/")[2] or folder[:1]


def _with_parent(folder: str, word: str, tidy: Tidy) -> str:
    above = folder.rstrip("/").rpartition("/")[0]
    return tidy(f"{_last(above)}/{word}", LONGEST) if above.strip("/") else word
