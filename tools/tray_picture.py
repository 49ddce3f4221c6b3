"""Draws docs/tray.png anew: the tray in the panel of Xfce, its menu open. `tools/tray_picture.py [PATH]`."""  # noqa: INP001 - a program, no package

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [PROJECT, f"{PROJECT}/tests"]

from contract.status import NEEDS_APPROVAL, WAITING, WORKING, AgentStatus, SessionStatus  # noqa: E402 - found by now
from showing import agent, put, session, watcher  # noqa: E402
from statusbar.icon import COLOURS  # noqa: E402
from xfce import Desktop, missing  # noqa: E402

TRAY = [sys.executable, "-c", "import sys; from statusbar import tray; sys.exit(tray.run(None))"]


def main(argv: list[str]) -> int:
    if missing():
        print(f"The tray was NOT DRAWN. Install what it needs: apt-get install {' '.join(missing())}", file=sys.stderr)
        return 1
    path = os.path.abspath(argv[0] if argv else f"{PROJECT}/docs/tray.png")
    with tempfile.TemporaryDirectory(prefix="yourturn-", ignore_cleanup_errors=True) as folder:
        draw(Path(folder), path)
    print(path)
    return 0


def draw(folder: Path, path: str) -> None:
    home, desk = folder / "state", folder / "desk"
    desk.mkdir()
    put(home, *story(time.time()))
    with watcher(home, time.time()), Desktop(desk, home) as desktop:
        desktop.start("display", "-window", "root", "xc:#3d5a6c").wait()
        desktop.start(*TRAY, PYTHONPATH=PROJECT)
        x, y = desktop.find(COLOURS["red"])
        desktop.do("mousemove", str(x), str(y), "click", "1")
        desktop.until_still()
        desktop.do("key", "Down", "Right")
        desktop.until_still()
        desktop.picture(path)


def story(now: float) -> list[SessionStatus]:
    def sub(key: str, state: str, kind: str, minutes: float, detail: str) -> AgentStatus:
        return agent(key, state, type=kind, parent="main", detail=detail, since=now - minutes * 60)

    def one(project: str, state: str, minutes: float, **more: object) -> SessionStatus:
        given = {"cwd": f"/home/me/{project}", "since": now - minutes * 60, "transcript": "/t.jsonl", **more}
        return session(project, state, **given)

    plan = sub("plan", NEEDS_APPROVAL, "Plan", 4, "Bash: npm run migrate")
    explore = sub("explore", WORKING, "Explore", 2, "reading 14 files")
    main_agent = agent("main", WORKING, since=now - 600)
    return [
        one(
            "api",
            NEEDS_APPROVAL,
            4,
            name="fix_login",
            detail="Plan: Bash: npm run migrate",
            agents=(main_agent, plan, explore),
        ),
        one("web", NEEDS_APPROVAL, 1, name="<b>dark & light</b>", detail="question"),
        one("infra", WORKING, 12, name="terraform", detail="3 sub-agents"),
        one("docs", WORKING, 2, name="handbook"),
        one("cli", WAITING, 25, name="release-2.1"),
        one("old", WAITING, 3000, name="old"),
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
