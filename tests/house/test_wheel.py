"""Installed from a wheel: everything works, all of it lies below one name, and nothing is left when it is removed."""

from __future__ import annotations

import json
import marshal
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import psutil
import pytest

from contract.version import VERSION
from house.test_arrows import imported, sources
from support.builders import event, hook_env
from support.patience import PATIENCE_S, until
from support.project import PROJECT
from support.wheels import QUIETLY, done

if TYPE_CHECKING:
    from support.watching import Scene

SHIPPED = (
    "contract", "recorder", "processes", "watcher", "conversations", "statusbar", "agency", "fleet", "answers", "usage",
    "installer", "hook", "answer_hook", "yourturn",
)  # fmt: skip
TEMPLATES = ("systemd", "launchd", "autostart", "plugins")
NEVER_SHIPPED = ("simulator", "bench", "torture", "tests", "tools")
NEIGHBOURS = Path(sys.prefix) / "neighbour"
NEIGHBOUR = "installer"
MACOS = ("AppKit", "Foundation", "PyObjCTools")  # rumps brings them
WORKS = """
import sys
from installer import install
from installer.sources import WheelFile
assert callable(install)
with WheelFile.open(sys.argv[1]) as found:
    print(found.distribution)
"""
UNCHANGED = """
import sys
before = [*sys.path]
import yourturn
assert sys.path == before, "whose program it is decides where modules are found"
assert callable(yourturn.main)
"""
NAMES = "import importlib.util, sys; print(*(one for one in sys.argv[1:] if importlib.util.find_spec(one)))"


class Installed:
    """A fresh environment with our wheel and PyPI's `installer`, and a person who uses it."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder, self.wheel = folder, wheel
        self.python = folder / "venv" / "bin" / "python"
        venv.create(folder / "venv", symlinks=True)
        self.packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder / "venv")}))
        # What we depend on is taken from where it is: nothing is downloaded here.
        (self.packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
        self.pip("install", "--no-index", "--find-links", str(NEIGHBOURS), NEIGHBOUR)
        self.before = self.listed()
        self.pip("install", "--no-index", "--no-deps", str(wheel))
        self.yourturn("install", "--yes", "--no-service")

    @property
    def project(self) -> Path:
        return self.packages / "yourturn"

    @property
    def env(self) -> dict[str, str]:
        folders = {"CLAUDE_CONFIG_DIR": str(self.folder / "claude"), "YOURTURN_HOME": str(self.folder / "state")}
        return {**hook_env(self.folder), **folders}

    def listed(self) -> set[str]:
        return {str(path.relative_to(self.packages)) for path in self.packages.rglob("*")}

    def pip(self, *words: str) -> None:
        done(sys.executable, "-m", "pip", "--python", str(self.python), *QUIETLY, *words, env=self.env)

    @property
    def command(self) -> str:
        return str(self.python.with_name("yourturn"))

    def yourturn(self, *words: str, **env: str) -> str:
        return done(self.command, *words, env=self.env | env, cwd=self.folder)

    def code(self, code: str, *words: str) -> str:
        return done(str(self.python), "-c", code, *words, env=self.env, cwd=self.folder).strip()

    def hook(self, payload: dict[str, Any], env: dict[str, str]) -> None:
        """As the client runs it: the line that stands in its settings."""
        settings = json.loads((self.folder / "claude" / "settings.json").read_text())
        (line,) = [hook["command"] for hook in settings["hooks"][payload["hook_event_name"]][0]["hooks"]]
        assert done("sh", "-c", line, input=json.dumps(payload), env=env) == ""


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("installed"), wheel)


def test_all_of_ours_lies_below_one_name(installed: Installed) -> None:
    added = {path.split("/")[0] for path in installed.listed() - installed.before}
    assert {name for name in added if not name.endswith(".dist-info")} == {"yourturn"}
    assert installed.code(NAMES, *SHIPPED, *TEMPLATES, *NEVER_SHIPPED) == f"{NEIGHBOUR} yourturn"
    assert (installed.folder / "venv/share/man/man1/yourturn.1").read_text().startswith(".TH YOURTURN 1 ")
    there = {path.name.removesuffix(".py") for path in installed.project.iterdir()}
    assert there == {*SHIPPED, *TEMPLATES, "__init__", "__main__", "__pycache__"}
    assert (installed.project / "contract" / "py.typed").exists()
    assert (installed.project / "usage" / "prices.toml").exists()
    page = {path.name for path in (installed.project / "statusbar" / "web" / "page").iterdir()}
    assert page == {"index.html", "style.css", "page.js"}


def test_a_library_with_the_name_of_a_room_of_ours_works_beside_us(installed: Installed) -> None:
    assert installed.code(WORKS, str(installed.wheel)) == "yourturn"
    assert Path(installed.code("import installer; print(installer.__file__)")).parent.parent == installed.packages


def test_to_import_it_changes_nothing_in_the_program_of_somebody_else(installed: Installed) -> None:
    assert installed.code(UNCHANGED) == ""


def test_the_commands_work(installed: Installed, tmp_path: Path) -> None:
    told = f"yourturn {VERSION}\n"
    assert installed.yourturn("--version") == told
    assert done(str(installed.python), "-m", "yourturn", "--version", env=installed.env, cwd="/") == told
    assert json.loads(installed.yourturn("status", "--json"))["sessions"] == []
    assert str(installed.project / "hook.py") in installed.yourturn(
        "install", "--dry-run", "--diff", CLAUDE_CONFIG_DIR=str(tmp_path)
    )


def test_the_page_is_served_from_what_the_wheel_brings(installed: Installed) -> None:
    argv = [installed.command, "web", "--json", "--listen", "127.0.0.1:0"]
    pipe = subprocess.PIPE
    with subprocess.Popen(argv, env=installed.env, cwd=installed.folder, stdout=pipe, text=True) as web:
        try:
            assert web.stdout
            url = json.loads(web.stdout.readline())["url"]
            with urlopen(url.partition("?")[0] + "page.js") as found:  # noqa: S310 - on loopback
                assert found.read() == (PROJECT / "statusbar" / "web" / "page" / "page.js").read_bytes()
        finally:
            web.terminate()
    assert web.returncode == 0


def test_the_doctor_finds_nothing_wrong_with_what_was_installed(installed: Installed) -> None:
    argv = [installed.command, "doctor", "--json"]
    found = subprocess.run(argv, env=installed.env, capture_output=True, text=True, check=False)
    verdicts = {one["name"]: one["verdict"] for one in json.loads(found.stdout)["checks"]}
    assert {verdicts[name] for name in ("hooks", "interpreter", "file events", "hook log")} == {"ok"}
    assert found.stderr == ""


def test_the_other_clients_are_installed_from_what_the_wheel_brings(installed: Installed, tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "YOURTURN_HOME": str(tmp_path / "state")}
    installed.yourturn("install", "--client", "opencode,codex", "--yes", "--no-service", **env)
    for file in ("opencode/plugin/yourturn.js", ".codex/hooks.json"):
        assert str(installed.project / "hook.py") in (tmp_path / file).read_text()


def test_the_hook_records_and_the_watcher_that_it_starts_decides(installed: Installed, scene: Scene) -> None:
    installed.hook(event("UserPromptSubmit", prompt="x"), {**scene.env, "CLAUDE_PID": str(scene.client().pid)})
    scene.becomes("working")
    beat = until(scene.beat)
    assert str(installed.project / "yourturn.py") in psutil.Process(beat.pid).cmdline()


def test_a_watcher_started_by_hand_decides_and_ends_when_nobody_is_left(installed: Installed, scene: Scene) -> None:
    client = scene.client()
    env = {**scene.env, "CLAUDE_PID": str(client.pid), "YOURTURN_NO_WATCHER": "1", "YOURTURN_IDLE_S": "0.001"}
    installed.hook(event("UserPromptSubmit", prompt="x"), env)
    with subprocess.Popen([installed.command, "watch", "--until-idle"], env=env) as watcher:
        scene.becomes("working")
        client.kill()
        client.wait()
        assert watcher.wait(PATIENCE_S) == 0


def test_pip_uninstall_leaves_nothing(wheel: Path, tmp_path: Path) -> None:
    place = Installed(tmp_path, wheel)
    place.hook(event("UserPromptSubmit", prompt="x"), place.env)
    (bundle,) = place.project.glob("recorder/__pycache__/packed_claude.*")
    assert marshal.loads(bundle.read_bytes()), "the hook has put its modules there"  # noqa: S302 - our own
    place.pip("uninstall", "--yes", "yourturn")
    assert place.listed() == place.before


def test_all_that_we_import_is_declared() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    declared = [
        *project["dependencies"],
        *(one for extra in project["optional-dependencies"].values() for one in extra),
    ]
    names = {one.partition(">")[0].replace("-", "_").removesuffix("_mqtt") for one in declared}
    used = {name for room in SHIPPED for path in sources(room) for name in imported(path)}
    assert used - set(sys.stdlib_module_names) - {*SHIPPED, *MACOS, "posix"} == names
