"""Stand-ins for systemctl and launchctl: real programs that write down what they are asked and answer from files."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from installer.console import Console
from installer.hooks.program import Program
from installer.services import job, offer
from support.installing import PYTHON
from support.project import PROJECT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from installer.place import Wish
    from installer.services.manager import Service

# The properties as systemd 252 printed them, with a unit of ours in a user manager.
RUNNING = """MainPID=1971
Result=success
ExecMainStatus=0
LoadState=loaded
ActiveState=active
SubState=running
UnitFileState=enabled
"""
STOPPED = RUNNING.replace("1971", "0").replace("=active", "=inactive").replace("=running", "=dead")
GONE = STOPPED.replace("=loaded", "=not-found").replace("=enabled", "=")
STARTED_AGAIN = """MainPID=0
Result=signal
ExecMainStatus=9
LoadState=loaded
ActiveState=activating
SubState=auto-restart
UnitFileState=enabled
"""
FAILED = """MainPID=0
Result=exit-code
ExecMainStatus=1
LoadState=loaded
ActiveState=failed
SubState=failed
UnitFileState=enabled
"""

# Put together from the manual and from what others published of their Macs: no Mac was at hand.
PRINTED = """gui/501/io.github.yourturn.watcher = {
	active count = 1
	path = /Users/pat/Library/LaunchAgents/io.github.yourturn.watcher.plist
	type = LaunchAgent
	state = running

	program = /p/.venv/bin/python
	arguments = {
		/p/.venv/bin/python
		-E
		/p/yourturn.py
		watch
		--replace
	}

	stderr path = /Users/pat/Library/Application Support/yourturn/watcher.err
	default environment = {
		PATH => /usr/bin:/bin:/usr/sbin:/sbin
	}

	domain = gui/501 [100012]
	asid = 100012
	minimum runtime = 10
	exit timeout = 5
	runs = 1
	pid = 4711
	immediate reason = speculative
	forks = 0
	execs = 1
	last exit code = (never exited)

	resource coalition = {
		ID = 1348
		type = resource
		state = active
		active count = 1
		name = io.github.yourturn.watcher
	}

	spawn type = interactive (4)
	properties = keepalive | runatload | inferred program
}
"""
PRINTED_FAILED = (
    PRINTED.replace("state = running", "state = spawn scheduled", 1)
    .replace("\tpid = 4711\n", "")
    .replace("(never exited)", "78: EX_CONFIG")
)
PRINTED_ENDED = PRINTED_FAILED.replace("spawn scheduled", "not running").replace("78: EX_CONFIG", "0")

SYSTEMCTL = r"""#!/bin/sh
cd "$(dirname "$0")" || exit 9
printf '%s\n' "$*" >> calls
[ ! -f "fails-$2" ] || { cat "fails-$2" >&2; exit 1; }
case "$2" in
show-environment) cat environment ;;
show) cat now ;;
restart) cp running now ;;
disable) cp gone now ;;
esac
"""
LAUNCHCTL = r"""#!/bin/sh
cd "$(dirname "$0")" || exit 9
printf '%s\n' "$*" >> calls
[ ! -f "fails-$1" ] || { cat "fails-$1" >&2; exit 1; }
case "$1 $2" in
"print "*/*/*) [ ! -f now ] || exec cat now; echo "Could not find service" >&2; exit 113 ;;
"bootout "*) [ -f now ] || { echo "Boot-out failed: 3: No such process" >&2; exit 3; }; rm now ;;
"bootstrap "*)
    if [ -s settling ]; then
        tail -n +2 settling > rest; mv rest settling
        echo "Bootstrap failed: 5: Input/output error" >&2; exit 5
    fi
    cp running now ;;
esac
"""


@dataclass(frozen=True)
class FakeManager:
    """A folder for the front of PATH with one of the two programs in it."""

    folder: Path

    @classmethod
    def systemd(cls, folder: Path, home: Path) -> FakeManager:
        made = cls(folder)._with("systemctl", SYSTEMCTL)
        return made.answers(environment=f"HOME={home}\nSHELL=/bin/sh\n", now=GONE, running=RUNNING, gone=GONE)

    @classmethod
    def launchd(cls, folder: Path) -> FakeManager:
        return cls(folder)._with("launchctl", LAUNCHCTL).answers(running=PRINTED)

    @property
    def path(self) -> str:
        return f"{self.folder}:/usr/bin:/bin"

    def _with(self, name: str, script: str) -> FakeManager:
        self.folder.mkdir()
        (self.folder / name).write_text(script)
        (self.folder / name).chmod(0o755)
        return self

    def answers(self, **texts: str) -> FakeManager:
        for name, text in texts.items():
            (self.folder / name.replace("_", "-")).write_text(text)
        return self

    def told(self) -> list[str]:
        """The commands since last asked, without the questions."""
        calls = self.folder / "calls"
        lines = calls.read_text().splitlines() if calls.exists() else []
        calls.unlink(missing_ok=True)
        words = [line.removeprefix("--user ") for line in lines]
        return [line for line in words if not line.startswith(("show", "print"))]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def talk(
    service: Service, environ: Mapping[str, str], wish: Wish, answer: str = "", screen: type[io.StringIO] = Terminal
) -> tuple[int, str]:
    """What the installer makes of a wish: the exit code and all that was said."""
    out = screen()
    ours = job.of(Program(PYTHON, str(PROJECT / "hook.py")), environ)
    return offer.make(service, ours, Console(screen(answer), out, out, colourful=False), wish), out.getvalue()
