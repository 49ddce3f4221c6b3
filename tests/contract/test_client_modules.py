"""The modules that a room has for clients."""

import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from contract.client_modules import module_of
from support.patience import PATIENCE_S, until

SLOW = f"""
import held_up
held_up.begun.set()
held_up.goes_on.wait({PATIENCE_S})
NAME = "slow"
"""


def test_a_module_that_another_thread_imports_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held_up = SimpleNamespace(begun=threading.Event(), goes_on=threading.Event())
    (tmp_path / "slow_client.py").write_text(SLOW)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "held_up", held_up)
    found: list[str | None] = []
    threads = [threading.Thread(target=lambda: found.append(_name()), daemon=True) for _ in range(2)]
    threads[0].start()
    assert held_up.begun.wait(PATIENCE_S)
    threads[1].start()
    until(lambda: found or _imports(threads[1]))
    held_up.goes_on.set()
    for thread in threads:
        thread.join(PATIENCE_S)
    del sys.modules["slow_client"]
    assert found == ["slow", "slow"]


def _name() -> str | None:
    return getattr(module_of({"slow": "slow_client"}, "slow"), "NAME", None)


def _imports(thread: threading.Thread) -> bool:
    frame = sys._current_frames().get(thread.ident or 0)
    return frame is not None and "importlib" in frame.f_code.co_filename
