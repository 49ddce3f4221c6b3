"""What `make torture` has found in the watcher and in the bars."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from contract import facts
from contract.facts import Fact
from statusbar.settings import settings
from support.builders import ask, event
from support.looking import World
from support.project import PROJECT


def test_a_link_to_itself_among_the_sub_agents_does_not_hide_a_request(world: World) -> None:
    """subagents.py: `entry.is_file()` raises ELOOP, and the session is not judged while it lies there."""
    world.hook(event("UserPromptSubmit", prompt="x"))
    world.line("assistant", [{"type": "text", "text": "hm"}])
    folder = world.transcript().with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    os.symlink(folder / "agent-a1.jsonl", folder / "agent-a1.jsonl")
    world.watch.look_at_all()
    world.hook(ask({"command": "git push"}))
    assert world.shows() == "needs_approval"


def test_a_fact_without_a_last_event_is_no_traceback_at_every_poll(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    """watcher/loop.py, `_is_over`: `max()` of nothing."""
    world.watch.look_at_all()
    path = Path(world.scene.state) / "facts" / "x.main.json"
    path.write_bytes(facts.encode(Fact(session="x", agent="main", seq=1)))
    world.watch.look_at_all()
    assert "Traceback" not in caplog.text


def test_settings_nested_too_deeply_are_named_and_no_reason_to_fall(borrowed_home: Path) -> None:
    """settings.py, config.py, state.py: tomllib raises RecursionError, which is no ValueError."""
    path = Path(settings.path({"HOME": str(borrowed_home)}))
    path.parent.mkdir(parents=True)
    path.write_text("front = " + "[" * 2000)
    code = f"from statusbar.settings import settings; print(settings.load({{'HOME': {str(borrowed_home)!r}}}).trouble)"
    # Apart: whatever else is collected where no more calls can be made would fall, too.
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert str(path) in done.stdout
