"""What the surfaces' tests share: statuses made up, laid down for real, and a watcher that holds its lock."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from contract import paths, status, store
from contract.status import AgentStatus, Heartbeat, SessionStatus
from statusbar.model.snapshot import Statuses
from support import warm
from support.needs import need
from support.patience import FOREVER_S, until
from support.project import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW = 1_800_000_000.0
STATUSBAR = [sys.executable, "-m", "statusbar"]
HOLD = """
import sys
from contract import store
held = store.take(sys.argv[1])
print("held", flush=True)
sys.stdin.read()
"""
HOSTILE = {
    "escape codes": "\x1b[31mred\x1b]0;title\x07\x1b[2J",
    "an override of the writing direction": "abc\u202egnp.exe\u2066",
    "Pango markup": "<span size='99999'>&amp;</span><b>",
    "a command for tmux": "#(touch x)#{pane_id}#[fg=red]%H",
    "a command for a menubar plugin": "x | bash=/bin/sh param1=-c param2='touch x' terminal=false",
    "several lines": "one\ntwo\r\n---\n~~~\n\u2028three",
    "an AppleScript quote": '" & (do shell script "touch x") & "',
    "a command for a shell": "$(touch x)`touch x`\\w%{A1:touch x:}",
    "no end": "x" * 10_000,
    "a tower of marks": "e" + "\u0301" * 500,
    "wide characters": "漢字" * 100,
    "half a character": "\ud800 half \udfff",
    "nothing to see": "\u200b\u2060\ufeff\u3164",
}


def agent(key: str = "main", verdict: str = status.WORKING, /, **more: Any) -> AgentStatus:
    kind = "agent" if key == "main" else "sub_agent"
    given = {"kind": kind, "type": None, "parent": None, "detail": "", "since": NOW - 60, "rule": "some-rule"}
    return AgentStatus(**{"key": key, "status": verdict, "evidence": "hook", "state": "running", **given, **more})


def session(id_: str, verdict: str = status.WORKING, /, **more: Any) -> SessionStatus:
    given = {"name": f"{id_}-name", "cwd": f"/home/me/{id_}", "pid": 7, "detail": "", "since": NOW - 60}
    return SessionStatus(
        **{"session_id": id_, "status": verdict, "rule": "some-rule", "evidence": "hook", **given, **more}
    )


def just_now(id_: str, verdict: str = status.WORKING, /, **more: Any) -> SessionStatus:
    """A session in this state since this moment."""
    return session(id_, verdict, **{"since": time.time(), **more})


def statuses(*sessions: SessionStatus, beat: float | None = NOW, **more: Any) -> Statuses:
    """With a watcher that is well, unless told otherwise."""
    heart = None if beat is None else Heartbeat(pid=1, start="1", version="0", beat=beat)
    return Statuses(sessions, **{"heartbeat": heart, "locked": True, **more})


def hostile(text: str) -> SessionStatus:
    """A session that says this wherever somebody outside has a say."""
    said: dict[str, Any] = {"name": text, "detail": text, "rule": text, "evidence": text}
    sub = agent("sub", status.NEEDS_APPROVAL, type=text, parent="main", **said)
    other = agent(text, status.NEEDS_APPROVAL, kind="teammate", parent=text, **{**said, "name": ""})
    weighed = (status.Weighed(text, text, NOW, text),)
    agents = (agent(), sub, other._replace(weighed=weighed))
    return session(text, status.NEEDS_APPROVAL, **said, cwd=f"/home/me/{text}", team=text, agents=agents)


def put(home: Path, *sessions: SessionStatus) -> None:
    """Lay them down as the watcher does."""
    store.private_folder(paths.status_dir(str(home)))
    for one in sessions:
        store.replace(paths.status(str(home), one.session_id), status.encode(one))


RESTS = Heartbeat(pid=1, start="1", version="0", beat=NOW, mode=status.RESTING)


def rest(home: Path) -> None:
    """As a watcher leaves it that had nobody left to watch."""
    store.private_folder(str(home))
    store.replace(paths.heartbeat(str(home)), status.encode(RESTS._replace(beat=time.time())))


GARBAGE = {
    "nothing": b"",
    "half a record": status.encode(session("bad"))[:40],
    "no object": b"[1]",
    "no version": b'{"session_id": "bad"}',
    "an unknown state": status.encode(session("bad", "asleep")),
    "bytes": bytes(range(256)),
    "deep nesting": b'{"v": 1, "a": ' + b"[" * 100_000,
    "another session's status": status.encode(session("good")),
    "a number too long": b'{"v": 1, "since": ' + b"9" * 10_000 + b"}",
}


def litter(home: Path) -> int:
    """All that should not lie among the statuses, and a session of a later version; how many of them are trouble."""
    folder = home / "status"
    later = {**json.loads(status.encode(session("later"))), "v": 9, "mood": "fine", "agents": [{"kind": "robot"}]}
    put(home, session("later"))
    (folder / "later.json").write_text(json.dumps(later))
    for number, data in enumerate(GARBAGE.values()):
        (folder / f"bad{number}.json").write_bytes(data)
    (folder / "folder.json").mkdir()
    (folder / "link.json").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe.json")
    return len(GARBAGE) + 3


@contextlib.contextmanager
def watcher(home: Path, beat: float | None = None) -> Iterator[int]:
    """A real process that holds the watcher's lock; its heartbeat is from that time.

    Unless told otherwise that is a time to come: a heartbeat from now would be old before a slow test has ended.
    """
    with holder(home, paths.watcher_lock(str(home)), paths.heartbeat(str(home)), beat) as pid:
        yield pid


@contextlib.contextmanager
def holder(home: Path, lock: str, heartbeat: str, beat: float | None) -> Iterator[int]:
    """A real process that holds this lock, with a heartbeat from that time."""
    store.private_folder(str(home))
    argv = [sys.executable, "-c", HOLD, lock]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=PROJECT) as other:
        assert other.stdout
        assert other.stdout.readline() == "held\n"
        at = time.time() + FOREVER_S if beat is None else beat
        store.replace(heartbeat, status.encode(Heartbeat(other.pid, "1", "0", at)))
        yield other.pid
        other.communicate("")


def environ(home: Path, **more: str) -> dict[str, str]:
    """An environment built from nothing."""
    base = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "LANG": "C.UTF-8", "TERM": "xterm-256color"}
    return {**base, "YOURTURN_HOME": str(home), "YOURTURN_NO_WATCHER": "1", **more}


class Terminal:
    """A real terminal: a tmux server of its own, in an environment built from nothing."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.env = environ(home, TMUX_TMPDIR=str(folder))

    def tmux(self, *words: str) -> str:
        argv = ["tmux", "-L", "t", "-f", "/dev/null", *words]
        return subprocess.run(argv, env=self.env, cwd=PROJECT, capture_output=True, text=True, check=True).stdout

    def start(self, *command: str, size: str = "80x24", **env: str) -> None:
        """What is typed after the command has ended goes to a shell, so that the screen can still be read."""
        columns, lines = size.split("x")
        started = shlex.join(["env", *(f"{name}={value}" for name, value in env.items()), *command])
        line = f"stty -a > {self.env['TMUX_TMPDIR']}/before; {started}; echo left with $?; exec sh"
        self.tmux("new-session", "-d", "-x", columns, "-y", lines, line)

    def keys(self, *names: str) -> None:
        self.tmux("send-keys", *names)

    def screen(self) -> str:
        return self.tmux("capture-pane", "-p")

    def until(self, *wanted: str, gone: str = "\0") -> str:
        """The screen once it shows all of this, and no longer that."""

        def seen() -> str:
            found = self.screen()
            return found if all(one in found for one in wanted) and gone not in found else ""

        return str(until(seen, lambda: f"{wanted} without {gone!r} in\n{self.screen()}"))


@contextlib.contextmanager
def terminal(home: Path, folder: Path) -> Iterator[Terminal]:
    need("tmux")
    made = Terminal(home, folder)
    try:
        yield made
    finally:
        for server in ("t", "inner"):
            subprocess.run(["tmux", "-L", server, "kill-server"], env=made.env, capture_output=True, check=False)


def run(home: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return warm.run([*STATUSBAR, *words], environ(home, **env), str(PROJECT))


@contextlib.contextmanager
def piped(home: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A command that goes on until it is told to end; whatever happens, it does not outlive the test."""
    one = subprocess.Popen(
        [*STATUSBAR, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environ(home),
        cwd=PROJECT,
    )
    with one:
        try:
            yield one
        finally:
            one.kill()
