"""A command that is forked from a warm Python does as one that is started anew."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from functools import cache
from typing import TYPE_CHECKING

import psutil
import pytest

from support import warm
from support.patience import until

if TYPE_CHECKING:
    from pathlib import Path

# When the command has ended.
WRITES_ON = """import os
command = os.getpid()
if os.fork() == 0:
    while os.getppid() == command: pass
    os.write(1, b'later')
"""
COMMANDS = {
    "a word": "print('ä', end='')",
    "a code": "import sys; sys.exit(7)",
    "a negative code": "import sys; sys.exit(-1)",
    "a reason to end": "import sys; sys.exit('no')",
    "nothing to read": "import sys; print(repr(sys.stdin.read()))",
    "its words": "import sys; print(sys.argv, sys.orig_argv[1:], __name__)",
    "its environment": "import os; print(sorted(os.environ.items()))",
    "its folder": "import os, sys; print(os.getcwd(), sys.path[0])",
    "no terminal": "import sys; print([one.isatty() for one in (sys.stdin, sys.stdout, sys.stderr)])",
    "its streams": "import sys; print([(one.encoding, one.errors) for one in (sys.stdin, sys.stdout, sys.stderr)])",
    "what is done at the end": "import atexit; atexit.register(print, 'bye'); print('hi')",
    "a thread": (
        "import threading; said = threading.Event(); "
        "threading.Thread(target=lambda: said.wait() and print('late')).start(); print('first'); said.set()"
    ),
    "a signal": "import os, signal; print('x', flush=True); os.kill(os.getpid(), signal.SIGTERM)",
    "a child": "import subprocess; print(subprocess.run(['false']).returncode)",
    "much": "print('x' * 300_000); import sys; print('y' * 300_000, file=sys.stderr)",
    "one that writes on": WRITES_ON,
}


def environ(tmp_path: Path) -> dict[str, str]:
    return {"LANG": "C.UTF-8", "HOME": str(tmp_path), "PATH": os.environ["PATH"]}


def forked(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    assert warm.fits([sys.executable, *words], environ(tmp_path))
    return warm.run([sys.executable, *words], environ(tmp_path), str(tmp_path))


def started(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    argv, quiet = [sys.executable, *words], subprocess.DEVNULL
    return subprocess.run(
        argv, env=environ(tmp_path), cwd=tmp_path, stdin=quiet, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("code", COMMANDS.values(), ids=COMMANDS)
def test_it_does_the_same_with(code: str, tmp_path: Path) -> None:
    words = ("-c", code, "one", "two")
    found, wanted = forked(tmp_path, *words), started(tmp_path, *words)
    assert (found.returncode, found.stdout, found.stderr) == (wanted.returncode, wanted.stdout, wanted.stderr)


def test_a_module_is_run_as_ever(tmp_path: Path) -> None:
    (tmp_path / "parrot.py").write_text("import sys\nprint(sys.argv, __name__, sys.path[0])\n")
    found = forked(tmp_path, "-m", "parrot", "one")
    assert (found.returncode, found.stdout) == (0, started(tmp_path, "-m", "parrot", "one").stdout)


def test_an_error_is_told_and_the_next_command_knows_nothing_of_it(tmp_path: Path) -> None:
    found = forked(tmp_path, "-c", "import contract; contract.spoilt = True; 1 / 0")
    assert (found.returncode, found.stderr.splitlines()[-1]) == (1, "ZeroDivisionError: division by zero")
    assert forked(tmp_path, "-c", "import contract; print(hasattr(contract, 'spoilt'))").stdout == "False\n"


def test_one_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "PATIENCE_S", 1.0)
    with pytest.raises(subprocess.TimeoutExpired) as ended:
        forked(tmp_path, "-c", "import time; time.sleep(3600)")
    until(lambda: not psutil.pid_exists(int(ended.value.cmd)), "its end")


def test_two_threads_that_ask_first_share_one_server(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[threading.Thread] = []

    def start() -> None:
        made.append(asks := threading.Thread(target=warm._channel))
        if len(made) == 1:
            asks.start()
            asks.join(0.1)  # it cannot come to its end while this one starts: it waits, or starts another one

    monkeypatch.setattr(warm, "_started", cache(start))
    warm._channel()
    made[0].join()
    assert len(made) == 1


@pytest.mark.parametrize(
    ("words", "env"),
    [
        (["-S", "-c", "pass"], {}),
        (["-c", "pass"], {"PYTHONWARNINGS": "error"}),
        (["-c", "pass"], {"LC_ALL": "C"}),
        (["-c", "pass"], {"LANG": "C"}),
    ],
    ids=["an option", "a variable of Python", "another locale", "another language"],
)
def test_what_depends_on_the_start_is_started(words: list[str], env: dict[str, str]) -> None:
    assert not warm.fits([sys.executable, *words], {"LANG": "C.UTF-8", **env})
    assert not warm.fits(["/usr/bin/python3", "-c", "pass"], {"LANG": "C.UTF-8"})
