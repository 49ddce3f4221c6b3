"""Random changes of real inputs for every decoder; guided by coverage where atheris is there."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import traceback
from typing import TYPE_CHECKING

from torture import corpus
from torture.apart import FellError, apart
from torture.decoders import DECODERS, ON_DISK
from torture.result import Count, Result
from torture.room import PROJECT

if TYPE_CHECKING:
    from torture.dose import Dose

NAME = "fuzz"
WHAT = "random changes of real inputs for every decoder: none raises what it does not say, none breaks a promise"
DONE = re.compile(r"^Done (\d+) runs", re.MULTILINE)
COVERED = re.compile(r"cov: (\d+)")
LONGEST_S = 20  # for one input
NO_ATHERIS = "atheris IS NOT THERE: fuzzed by chance alone; `make torture` installs it where it can (Linux, x86-64)"


def run(dose: Dose) -> Result:
    by_chance = Count("inputs by chance")
    for name in DECODERS:
        dose.say(name)
        _by_chance(dose, name, by_chance)
    if importlib.util.find_spec("atheris") is None:
        print(f"torture: {NO_ATHERIS}", file=sys.stderr)
        return Result(NAME, (by_chance.tally(),), remarks=(NO_ATHERIS,))
    guided = [_guided(dose, name) for name in DECODERS] if dose.is_long else []
    return Result(NAME, tuple(one.tally() for one in (by_chance, *guided)))


def _by_chance(dose: Dose, name: str, count: Count) -> None:
    inputs = list(corpus.mutated(name, dose.seed, dose.pick(150, 3000)))

    def work() -> list[str]:
        tempfile.tempdir = dose.folder
        return [_fault(name, data) for data in inputs]

    try:
        faults = apart(work)
    except FellError as error:
        faults = [str(error)]
    for words in faults:
        count.blow(hit=True)
        count.check(not words, f"{name}: {words}")


def _fault(name: str, data: bytes) -> str:
    try:
        DECODERS[name](data)
    except Exception:
        return f"{data[:300]!r}: {traceback.format_exc(limit=-1).strip()}"
    return ""


def _guided(dose: Dose, name: str) -> Count:
    """With libFuzzer, in a process of its own, which it ends when it finds something."""
    count = Count(f"guided by coverage: {name}")
    folder = f"{dose.folder}/fuzz-{name}"
    os.makedirs(f"{folder}/seeds")
    for number, data in enumerate(corpus.inputs(name)):
        with open(f"{folder}/seeds/{number}", "wb") as file:
            file.write(data)
    dose.say(f"{name}, guided by coverage")
    said, code = _fuzzed(name, folder, dose.seed)
    ran, covered = DONE.search(said), COVERED.findall(said)
    is_hit = bool(ran) and int(covered[-1] if covered else 0) > 0
    for _ in range(int(ran[1]) if ran and is_hit else 1):
        count.blow(hit=is_hit, where=f"{name}: it did not run to its end")
    count.check(code == 0, f"{name}: {_told(said)}")
    return count


def _fuzzed(name: str, folder: str, seed: int) -> tuple[str, int]:
    runs = 5_000 if name in ON_DISK else 20_000
    options = [f"-runs={runs}", f"-seed={seed}", f"-timeout={LONGEST_S}", "-max_len=8192"]
    done = subprocess.run(
        [sys.executable, "-m", "torture.guided", name, *options, f"-artifact_prefix={folder}/", f"{folder}/seeds"],
        cwd=PROJECT,
        capture_output=True,
        env={**os.environ, "TMPDIR": folder},
        check=False,
    )
    return (done.stderr + done.stdout).decode("utf-8", "replace"), done.returncode


def _told(said: str) -> str:
    at = max(said.find("Uncaught Python exception"), 0)
    return said[at : at + 1500]
