"""The whole way in and out: a line to install, hooks, a real session on the board, and nothing left in the end."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from e2e.harness.client import Client
from e2e.harness.folders import temporary_folder
from e2e.harness.home import Home
from e2e.harness.patience import PATIENCE_S, until
from e2e.harness.script import script, text
from statusbar.text.symbols import COLOURS
from support.needs import need
from support.wheels import Person
from support.xfce import PROGRAMS, Desktop

if TYPE_CHECKING:
    from e2e.harness.api import Api


def shown(person: Person) -> list[tuple[str, str]]:
    answer: dict[str, Any] = json.loads(person.types("yourturn", "status", "--json"))
    return [(session["cwd"], session["status"]) for session in answer["sessions"] if answer["known"]]


def see_its_icon(person: Person, folder: Path) -> None:
    """In a real panel: it has the colour of an agent that waits."""
    with Desktop(folder, person.home / ".local" / "state" / "yourturn") as desktop:
        desktop.start(f"{person.home}/.local/bin/yourturn", "tray")
        desktop.find(COLOURS["blue"])


def test_a_session_is_seen_by_what_uv_has_installed_and_nothing_is_left_of_it(
    api: Api, client_program: str, toolbox: Path, wheel: Path, tmp_path: Path
) -> None:
    need(*PROGRAMS)
    with temporary_folder() as folder:
        home, person = Home.make(folder, {}), Person(Path(folder), toolbox)
        settings = Path(home.config, "settings.json")
        before = settings.read_bytes()
        person.types("uv", "tool", "install", "--python", sys.executable, str(wheel))
        assert "Active from your next prompt." in person.types("yourturn", "install", "--yes", "--no-service")
        with Client(client_program, api.url, home) as agent:
            agent.say(script(text("done")))
            wanted = [(home.project, "waiting")]
            until(lambda: shown(person) == wanted, PATIENCE_S, lambda: f"{shown(person)}, not {wanted}")
            see_its_icon(person, tmp_path)
        remedy = "To remove the program too: "
        (line,) = [one for one in person.types("yourturn", "uninstall", "--yes").splitlines() if one.startswith(remedy)]
        person.types(*line.removeprefix(remedy).split())
        assert (person.has(), settings.read_bytes()) == (set(), before)
