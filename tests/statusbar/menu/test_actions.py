"""What can be done from a menu: real programs get arguments, never a shell line."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from statusbar.menu import actions, explain_window
from statusbar.menu.actions import do
from statusbar.model.rows import Action
from support.needs import need
from support.patience import PATIENCE_S, until
from support.project import PROJECT
from support.showing import HOSTILE, agent, environ, hostile, put, session, terminal

RECORD = '#!/bin/sh\nprintf "%s\\n" "{0}" "$@" > {1}/new\ncat >> {1}/new\nmv {1}/new {1}/done\n'


class Tools:
    """Programs that write down how they were called, and nothing else on the PATH but the shell's own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def make(self, *names: str) -> None:
        for name in names:
            (self.folder / name).write_text(RECORD.format(name, self.folder))
            (self.folder / name).chmod(0o755)

    def called(self) -> list[str]:
        until((self.folder / "done").exists, "a call of one of the tools")
        return (self.folder / "done").read_text().splitlines()


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tools]:
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in ("sh", "cat", "mv"):
        (folder / name).symlink_to(f"/bin/{name}")
    monkeypatch.setenv("PATH", str(folder))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "TERMINAL"):
        monkeypatch.delenv(name, raising=False)
    yield Tools(folder)
    for one in actions._started:
        one.wait(PATIENCE_S)


@pytest.fixture
def mac(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "IS_MAC", True)


def test_the_id_goes_to_the_clipboard_of_the_desktop(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    tools.make("xclip", "wl-copy")
    assert "install wl-clipboard" in do(Action.COPY_ID, session("a"))
    monkeypatch.setenv("DISPLAY", ":0")
    assert do(Action.COPY_ID, session("a")) == ""
    assert tools.called() == ["xclip", "-selection", "clipboard", "a"]
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert do(Action.COPY_ID, session("b")) == ""
    assert tools.called() == ["wl-copy", "b"]


def test_an_id_that_is_pasted_cannot_be_more_than_one_line(tools: Tools, mac: None) -> None:
    tools.make("pbcopy")
    assert do(Action.COPY_ID, session("a\n rm -rf x\r\x1b[200~")) == ""
    assert tools.called() == ["pbcopy", "a rm -rf x [200~"]


def test_a_clipboard_that_fails_is_told(tools: Tools, mac: None) -> None:
    assert do(Action.COPY_ID, session("a")).startswith("Could not copy the session id: ")


def test_only_a_folder_is_opened(tools: Tools, tmp_path: Path) -> None:
    tools.make("xdg-open")
    file = tmp_path / "evil.desktop"
    file.touch()
    for cwd in (str(file), "https://example.org", "-x", "", "/nowhere/at/all"):
        assert do(Action.OPEN_PROJECT, session("a", cwd=cwd)).endswith(" no longer exists.")
    assert do(Action.OPEN_PROJECT, session("a", cwd=str(tmp_path))) == ""
    assert tools.called() == ["xdg-open", str(tmp_path)]


def test_the_folder_of_the_transcript_is_shown(tools: Tools, tmp_path: Path) -> None:
    tools.make("xdg-open")
    assert do(Action.SHOW_TRANSCRIPT, session("a", transcript="t.jsonl")).endswith(" no longer exists.")
    assert do(Action.SHOW_TRANSCRIPT, session("a", transcript=f"{tmp_path}/t.jsonl")) == ""
    assert tools.called() == ["xdg-open", str(tmp_path)]


def test_on_macos_the_transcript_itself_is_shown_in_its_folder(tools: Tools, mac: None, tmp_path: Path) -> None:
    tools.make("open")
    (tmp_path / "t.jsonl").touch()
    assert do(Action.SHOW_TRANSCRIPT, session("a", transcript=f"{tmp_path}/t.jsonl")) == ""
    assert tools.called() == ["open", "-R", f"{tmp_path}/t.jsonl"]


def test_on_macos_a_folder_that_may_be_a_program_is_shown_and_not_run(tools: Tools, mac: None, tmp_path: Path) -> None:
    tools.make("open")
    (tmp_path / "Evil.app").mkdir()
    assert do(Action.OPEN_PROJECT, session("a", cwd=f"{tmp_path}/Evil.app/")) == ""
    assert tools.called() == ["open", "-R", f"{tmp_path}/Evil.app/"]


def test_a_missing_program_is_named(tools: Tools, tmp_path: Path) -> None:
    assert do(Action.OPEN_PROJECT, session("a", cwd=str(tmp_path))) == "xdg-open not found; install xdg-utils"


def test_reasons_come_in_the_terminal_a_person_likes(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    tools.make("xterm", "kitty", "foot")
    monkeypatch.setenv("TERMINAL", "foot --app-id=x")
    assert do(Action.EXPLAIN, session("a")) == ""
    assert tools.called()[:2] == ["foot", "--app-id=x"]
    assert tools.called()[-4:] == [str(PROJECT / "yourturn.py"), "explain", "--", "a"]
    for unusable in ("not-there", "foot 'half a quote"):
        monkeypatch.setenv("TERMINAL", unusable)
        assert explain_window.terminal(os.environ) == ["kitty"]
    for name in ("kitty", "foot"):
        (tools.folder / name).unlink()
    assert explain_window.terminal(os.environ) == ["xterm", "-e"]


def test_without_a_terminal_the_reasons_come_as_a_text(tools: Tools) -> None:
    tools.make("xdg-open")
    assert do(Action.EXPLAIN, session("a", name="some-name", rule="the-rule")) == ""
    path = Path(tools.called()[1])
    assert "some-name" in path.read_text()
    assert "the-rule" in path.read_text()
    assert path.parent.stat().st_mode & 0o77 == 0


@pytest.mark.parametrize("id_", ["a", "--help", "-x"])
def test_the_window_tells_the_reasons_and_stays_until_enter(id_: str, tmp_path: Path) -> None:
    put(tmp_path, session(id_, rule="the-rule"))
    argv = explain_window.explaining(id_)
    pipe = subprocess.PIPE
    with subprocess.Popen(argv, env=environ(tmp_path), cwd="/", stdin=pipe, stdout=pipe, text=True) as shown:
        assert shown.stdout
        assert shown.stdin
        told = ""
        while "Press Enter to close" not in told:
            told += shown.stdout.readline()
        assert "the-rule" in told
        with pytest.raises(subprocess.TimeoutExpired):
            shown.wait(0.5)
        shown.stdin.write("\n")
        shown.stdin.close()
        assert shown.wait(PATIENCE_S) == 0


def long_story(home: Path) -> None:
    many = tuple(agent(f"k{k}", type=f"Plan{k}", parent="main") for k in range(30))
    put(home, session("a", name="at-the-top", agents=(agent(), *many)))


def test_what_does_not_fit_the_window_is_shown_from_its_beginning(tmp_path: Path) -> None:
    need("less")
    long_story(tmp_path)
    with terminal(tmp_path, tmp_path) as one:
        one.start(*explain_window.explaining("a"), size="80x12", LESS="-F -X")
        one.until("at-the-top", "q closes this window", gone="Plan29")
        one.keys("G")
        one.until("Plan29", gone="at-the-top")
        one.keys("q")
        one.until("left with 0")


def test_without_a_pager_it_is_shown_page_by_page(tmp_path: Path) -> None:
    long_story(tmp_path)
    with terminal(tmp_path, tmp_path) as one:
        one.start(*explain_window.explaining("a"), size="80x60", PATH="/nowhere")
        one.until("at-the-top", "Press Enter to read on.", gone="Plan29")
        one.keys("Enter")
        one.until("Press Enter to read on.", gone="at-the-top")
        while "Press Enter to close" not in one.screen():
            one.keys("Enter")
        one.keys("Enter")
        one.until("left with 0")


def test_what_fits_is_shown_in_colours_until_enter(tmp_path: Path) -> None:
    put(tmp_path, session("a", name="short"))
    with terminal(tmp_path, tmp_path) as one:
        one.start(*explain_window.explaining("a"), size="80x24")
        one.until("short", "Press Enter to close this window.")
        assert "\x1b[1mshort" in one.tmux("capture-pane", "-p", "-e")
        one.keys("Enter")
        one.until("left with 0")


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_names_are_never_run(what: str, tools: Tools, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tools.make("xclip", "xdg-open")
    (tools.folder / "touch").symlink_to("/bin/touch")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.chdir(tmp_path)
    for action in (Action.COPY_ID, Action.EXPLAIN, Action.OPEN_PROJECT, Action.SHOW_TRANSCRIPT):
        do(action, hostile(HOSTILE[what]), HOSTILE[what])
    assert not (tmp_path / "x").exists()


def test_what_was_started_lives_on_and_leaves_no_zombie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    actions.start(["sleep", "3600"])
    first = actions._started[-1]
    assert os.getsid(first.pid) == first.pid, "it would end with our terminal"
    os.kill(first.pid, signal.SIGKILL)
    os.waitid(os.P_PID, first.pid, os.WEXITED | os.WNOWAIT)
    actions.start(["true"])
    assert first not in actions._started
    assert first.returncode == -signal.SIGKILL
    actions._started[-1].wait(PATIENCE_S)


def test_every_action_of_a_row_can_be_done() -> None:
    assert set(actions.FUNCTIONS) == set(Action) - {Action.UNFOLD}
