"""A run as a file: its figures, and on which machine, when and of which commit they are."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import psutil

from bench import figure
from bench.figure import Figure, Missing
from bench.place import PROJECT

if TYPE_CHECKING:
    from collections.abc import Sequence

VERSION = 1
MACHINE = ("system", "python", "cores", "memory_gb")


class UnreadableError(Exception):
    """It is no file of results, and why."""


class Results(NamedTuple):
    about: dict[str, Any]
    figures: Sequence[Figure]
    missing: Sequence[Missing] = ()

    def machine(self) -> dict[str, Any]:
        return {name: self.about.get(name) for name in MACHINE}


def about(now: float, *, quick: bool) -> dict[str, Any]:
    """Where and of what this run is."""
    return {
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now)),
        "commit": _git("rev-parse", "--short=12", "HEAD") or "unknown",
        "changed": bool(_git("status", "--porcelain", "--untracked-files=no")),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "memory_gb": round(psutil.virtual_memory().total / 2**30),
        "load": round(os.getloadavg()[0], 1),
        "quick": quick,
    }


def title(told: dict[str, Any]) -> str:
    """All of it in a line for people."""
    known = {name: told.get(name, "unknown") for name in ("date", "commit", *MACHINE, "load")}
    changed, dose = " and changes" if told.get("changed") else "", "a short dose, " if told.get("quick") else ""
    whole = "{date}, commit {commit}{changed}, Python {python}, {system}, {cores} cores, {memory_gb} GB, load {load}"
    return dose + whole.format(**known, changed=changed)


def save(path: str, results: Results) -> None:
    whole = {
        "v": VERSION,
        **results.about,
        "figures": [figure.encode(one) for one in results.figures],
        "missing": [one._asdict() for one in results.missing],
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(whole, file, indent=1, ensure_ascii=False)
        file.write("\n")


def load(path: str) -> Results:
    try:
        with open(path, encoding="utf-8") as file:
            whole = json.load(file)
        figures = [figure.decode(one) for one in whole.pop("figures")]
        missing = [Missing(one["what"], one["why"]) for one in whole.pop("missing", ())]
    except OSError as error:
        raise UnreadableError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UnreadableError(f"{path} holds no results: `python -m bench --json FILE` writes them") from None
    return Results(whole, figures, missing)


def _git(*words: str) -> str:
    """Nothing where there is no git, or no repository."""
    try:
        done = subprocess.run(["git", "-C", PROJECT, *words], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
