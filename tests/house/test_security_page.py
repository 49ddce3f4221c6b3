"""docs/SECURITY.md: each threat names the tests that show what holds against it, or says that nothing does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from contract import paths, wire
from support.builders import HOOK, SESSION, call, hook_env
from support.command import YOURTURN
from support.needs import need
from support.patience import PATIENCE_S
from support.project import PROJECT
from support.showing import environ
from support.spending import Person, answer
from support.watching import WATCH

if TYPE_CHECKING:
    from collections.abc import Mapping

PAGE = (PROJECT / "docs/SECURITY.md").read_text(encoding="utf-8")
SECTIONS = ("## Threats", "## Other machines\n", "## The page\n", "## The phone\n", "## A broker\n")
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ([^|]*)\|$", re.MULTILINE)
LINK = re.compile(r"\[(test_\w+)\]\(\.\./(tests/[\w/]+\.py)\)")
NOTHING = "*does not hold*"


class Threat(NamedTuple):
    what: str
    holds: str
    tests: list[tuple[str, str]]  # name and file


def threats() -> list[Threat]:
    pages = [PAGE.partition(section)[2].partition("\n## ")[0] for section in SECTIONS]
    rows = [row for page in pages for row in ROW.findall(page) if row[0] not in ("threat", "---")]
    return [Threat(what, holds, LINK.findall(tests)) for what, holds, tests in rows]


def test_the_page_has_threats_and_names_what_does_not_hold() -> None:
    assert len(threats()) > 12
    assert any(threat.holds == NOTHING for threat in threats())
    assert len(LINK.findall(PAGE)) == sum(len(threat.tests) for threat in [*threats(), *failures()])


def failures() -> list[Threat]:
    """The ways in which an answer from outside can fail."""
    page = PAGE.partition("## Answers from outside")[2].partition("\n## ")[0]
    rows = [row for row in ROW.findall(page) if row[0] not in ("what goes wrong", "---")]
    return [Threat(what, happens, LINK.findall(tests)) for what, happens, tests in rows]


def test_each_way_in_which_an_answer_can_fail_has_its_test() -> None:
    assert len(failures()) >= 22
    for failure in failures():
        assert failure.tests, failure.what
        for name, path in failure.tests:
            assert f"def {name}(" in (PROJECT / path).read_text(encoding="utf-8"), f"{path} has no {name}"


@pytest.mark.parametrize("threat", threats(), ids=lambda threat: threat.what)
def test_a_threat_names_tests_that_exist_or_says_that_nothing_holds(threat: Threat) -> None:
    assert bool(threat.tests) is (threat.holds != NOTHING)
    for name, path in threat.tests:
        assert f"def {name}(" in (PROJECT / path).read_text(encoding="utf-8"), f"{path} has no {name}"


@pytest.mark.parametrize(
    "name",
    [
        "hook_log",
        "watcher_log",
        "watcher_errors",
        "crash",
        "observations",
        "audit",
        "heartbeat",
        "lack",
        "usage",
        "answers",
        "sharing",
    ],
)
def test_every_file_that_we_write_is_in_the_table(name: str) -> None:
    assert f"`{Path(getattr(paths, name)('/s')).name}`" in PAGE


@pytest.mark.skipif(sys.platform != "linux", reason="seen with strace")
def test_hook_and_watcher_open_no_network_connection(tmp_path: Path) -> None:
    need("strace")
    with subprocess.Popen(["true"]) as client:  # one that is gone, so that the watcher ends by itself
        client.wait()
    env = hook_env(tmp_path, YOURTURN_IDLE_S="0", CLAUDE_PID=str(client.pid))
    traced(HOOK, env, tmp_path, wire.encode(call("PreToolUse", "t")))
    assert list((tmp_path / "state/facts").glob(f"{SESSION}*.json"))
    traced([*WATCH, "--until-idle"], env, tmp_path)
    assert (tmp_path / "state/watcher.json").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="seen with strace")
def test_counting_opens_no_network_connection_and_no_key(tmp_path: Path) -> None:
    need("strace")
    person = Person(tmp_path)
    person.writes("s", answer("a"))
    for name in (".credentials.json", "settings.json", "sessions/1.key", "projects/-home-me-shop/4711.key"):
        (tmp_path / ".claude" / name).parent.mkdir(exist_ok=True)
        (tmp_path / ".claude" / name).write_text("{}")
    traced([*YOURTURN, "usage"], environ(tmp_path / "state", HOME=str(tmp_path)), tmp_path)
    seen = (tmp_path / "trace").read_text()
    assert "s.jsonl" in seen
    assert not [name for name in (".credentials", "settings.json", ".key") if name in seen]


def traced(argv: list[str], env: Mapping[str, str], folder: Path, data: bytes = b"") -> None:
    seen = folder / "trace"
    watched = ["strace", "-f", "-qq", "-o", str(seen), "-e", "trace=execve,openat,socket,connect,sendto,sendmsg", *argv]
    done = subprocess.run(
        watched, env=env, input=data, capture_output=True, timeout=PATIENCE_S, check=False, cwd=PROJECT
    )
    assert done.returncode == 0, done.stderr
    assert "execve(" in seen.read_text()
    assert not [line for line in seen.read_text().splitlines() if "AF_INET" in line or "sendto(" in line]
