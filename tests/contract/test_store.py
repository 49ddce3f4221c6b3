"""Lock, read, replace, list."""

import fcntl
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from contract import paths, store
from support.patience import PATIENCE_S
from support.project import PROJECT

HOLD = """
import sys
from contract import store
from filelock import FileLock
with (store.Locked if sys.argv[2] == "ours" else FileLock)(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(path: Path, kind: str) -> subprocess.Popen[str]:
    """Another process that holds a lock until its stdin is closed."""
    made = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path), kind],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=PROJECT,
    )
    assert made.stdout
    assert made.stdout.readline() == "held\n"
    return made


def test_filelock_waits_for_the_hooks_lock(tmp_path: Path) -> None:
    with holder(tmp_path / "a.json", "ours") as other:
        with pytest.raises(Timeout):
            FileLock(tmp_path / "a.json.lock", timeout=0.1).acquire()
        other.communicate("")
    with FileLock(tmp_path / "a.json.lock", timeout=0.1):
        pass


def test_the_hooks_lock_waits_for_filelock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "PATIENCE_S", 0.05)
    with holder(tmp_path / "a.json.lock", "filelock") as other:
        with pytest.raises(store.BusyError), store.Locked(str(tmp_path / "a.json")):
            pass
        other.communicate("")
    with store.Locked(str(tmp_path / "a.json")):
        pass


def test_a_lock_whose_file_was_removed_while_waiting_is_won_on_the_new_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    refused = threading.Event()
    inodes: list[int] = []
    flock = fcntl.flock

    def told(fd: int, how: int) -> None:
        try:
            flock(fd, how)
        except BlockingIOError:
            refused.set()
            raise

    def wait_for_it() -> None:
        with store.Locked(str(path)) as lock:
            inodes.append(os.fstat(lock.fd).st_ino)

    monkeypatch.setattr(fcntl, "flock", told)
    monkeypatch.setattr(store, "PATIENCE_S", PATIENCE_S)
    waiting = threading.Thread(target=wait_for_it)
    with store.Locked(str(path)):
        waiting.start()
        assert refused.wait(PATIENCE_S), "nobody wanted the lock"
        (tmp_path / "a.json.lock").rename(tmp_path / "gone")
    waiting.join()
    assert inodes == [(tmp_path / "a.json.lock").stat().st_ino]


def test_asking_whether_a_lock_is_held_changes_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "w.lock")
    assert not store.is_locked(path)
    assert not Path(path).exists()
    fd = store.take(path)
    assert fd is not None
    assert store.is_locked(path)
    assert store.take(path) is None
    os.close(fd)
    assert not store.is_locked(path)


def test_folders_and_files_are_for_their_owner_only(tmp_path: Path) -> None:
    store.private_folder(str(tmp_path / "a" / "b"))
    store.replace(str(tmp_path / "a" / "b" / "f"), b"x")
    with store.Locked(str(tmp_path / "a" / "b" / "f")):
        modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in (tmp_path / "a").rglob("*")}
    assert modes == {"b": 0o700, "f": 0o600, "f.lock": 0o600}
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700


def test_a_folder_that_can_never_be_made_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(FileNotFoundError) as refused:
        store.private_folder(str(tmp_path / "link" / "a"))
    assert refused.value.filename == str(tmp_path / "link" / "a")


def test_a_replace_that_fails_leaves_the_old_content_and_no_temporary_file(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "inside").touch()
    with pytest.raises(OSError, match="directory"):
        store.replace(str(tmp_path / "d"), b"new")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["d"]


def test_a_short_write_is_finished_before_the_file_is_put_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr("posix.write", lambda fd, data: write(fd, bytes(data)[:3]))
    store.replace(str(tmp_path / "f"), b"0123456789")
    assert (tmp_path / "f").read_bytes() == b"0123456789"


def test_links_are_neither_read_nor_written_through(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("mine")
    for name in ("f", "f.tmp", "g.lock"):
        (tmp_path / name).symlink_to(tmp_path / "secret")
    with pytest.raises(OSError, match="link"):
        store.read(str(tmp_path / "f"))
    store.replace(str(tmp_path / "f"), b"new")
    assert not (tmp_path / "f").is_symlink()
    with pytest.raises(OSError, match="link"), store.Locked(str(tmp_path / "g")):
        pass
    assert (tmp_path / "secret").read_text() == "mine"


def test_a_fifo_in_place_of_a_file_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "f")
    assert store.read(str(tmp_path / "f")) == b""


def test_a_log_and_its_predecessor_stay_below_the_limit(tmp_path: Path) -> None:
    for k in range(500):
        store.append(str(tmp_path / "log"), b"%060d\n" % k, limit=1000)
    sizes = [p.stat().st_size for p in tmp_path.iterdir()]
    assert len(sizes) <= 2
    assert max(sizes) <= 1061


HOSTILE = [
    "../../etc/passwd",
    "a/b",
    "a\0b",
    "x" * 300,
    "",
    ".",
    "..",
    "\u202eabc",
    "\x1b[31m",
    "Ä",
    "CON",
    "a.b",
    "\ud800",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_outside_name_leaves_its_folder(name: str, tmp_path: Path) -> None:
    made = paths.file_name(name)
    assert "/" not in made
    assert "." not in made
    assert len(made) < 100
    assert made.isascii()
    assert Path(paths.fact(str(tmp_path), name, name)).parent == tmp_path / "facts"


def test_different_names_give_different_files_and_the_clients_own_ids_stay_readable() -> None:
    made = {paths.file_name(name) for name in [*HOSTILE, "main", "MAIN", "x" * 299]}
    assert len(made) == len(HOSTILE) + 3
    assert len({name.lower() for name in made}) == len(made), "two names meet on a disk that ignores case"
    assert paths.file_name("9df7420c-3c33-4845-8b68-60c055e751a8") == "9df7420c-3c33-4845-8b68-60c055e751a8"


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({"YOURTURN_HOME": "/x/"}, "/x"),
        ({"HOME": "/home/me"}, "/home/me/.local/state/yourturn"),
        ({"HOME": "/home/me", "XDG_STATE_HOME": "/s"}, "/s/yourturn"),
        ({"HOME": "/home/me", "XDG_STATE_HOME": "relative"}, "/home/me/.local/state/yourturn"),
        ({"HOME": "/home/me", "YOURTURN_HOME": "relative"}, "/home/me/relative"),
    ],
)
def test_the_state_folder_follows_the_environment(
    env: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert paths.home(env) == expected


def test_on_macos_the_state_folder_is_in_application_support(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert paths.home({"HOME": "/Users/me"}) == "/Users/me/Library/Application Support/yourturn"
