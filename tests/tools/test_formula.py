"""The Homebrew formula has what requirements.lock has, for all that runs and nothing else."""

from __future__ import annotations

import re
import subprocess
import tomllib

import pytest

from contract.version import VERSION
from support.needs import need
from support.project import PROJECT
from tools import formula

LOCK, TEXT = formula.LOCK.read_text(), formula.FORMULA.read_text()


def test_it_is_up_to_date() -> None:
    assert formula.formula(LOCK) == TEXT, "write it anew: python -m tools.formula"
    assert f'yourturn-{VERSION}.tar.gz"' in TEXT


def test_it_has_every_package_that_runs_with_all_its_hashes_and_none_that_only_tests() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    # With the extras: where Homebrew has installed us, nobody can add one.
    declared = [
        *project["dependencies"],
        *(one for extra in project["optional-dependencies"].values() for one in extra),
    ]
    direct = {one.partition(">")[0] for one in declared}
    listed = dict(re.findall(r"^    ([a-z0-9-]+)==([^ ]+)", TEXT, re.MULTILINE))
    further = {"rumps": {"pyobjc-core", "pyobjc-framework-cocoa"}, "uvicorn": {"click", "h11"}}
    assert set(listed) == direct | set().union(*further.values()), "what these need besides"
    locked = formula.packages(LOCK)
    for name, version in listed.items():
        assert locked[name].version == version
        (part,) = re.findall(rf"^    {name}==.*\n((?:      --hash=.*\n)+)", TEXT, re.MULTILINE)
        assert re.findall(r"sha256:[0-9a-f]{64}", part) == list(locked[name].hashes)
        assert locked[name].hashes


def test_every_line_of_the_lock_is_understood() -> None:
    assert len(formula.packages(LOCK)) == len(re.findall(r"^[a-z].*==", LOCK, re.MULTILINE)) > 20
    with pytest.raises(ValueError, match="not understood: psutil>=7"):
        formula.packages("psutil>=7 \\\n")


def test_a_marker_stays_with_its_package() -> None:
    assert "    rumps==0.4.0 ; sys_platform == 'darwin' \\\n" in TEXT


def test_a_release_names_its_archive() -> None:
    made = formula.formula(LOCK, "https://example.org/a.tar.gz", "ab" * 32)
    assert '  url "https://example.org/a.tar.gz"\n  sha256 "' + "ab" * 32 + '"\n' in made


def test_ruby_can_read_it() -> None:
    need("ruby")
    found = subprocess.run(["ruby", "-wc", str(formula.FORMULA)], capture_output=True, text=True, check=False)
    assert (found.stdout, found.stderr) == ("Syntax OK\n", "")
