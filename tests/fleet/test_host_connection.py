"""The connection to one host: real processes that do what they like."""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from fleet import host_connection
from fleet.host_connection import End, HostConnection
from support.collecting import is_there, script
from support.patience import FOREVER_S, PATIENCE_S, until

BEAT = b'{"v": 1}'


def follow(
    path: Path, code: str, *, wanted: int = 10**9, silent_s: float | None = FOREVER_S
) -> tuple[list[bytes], End]:
    """What was heard until so many lines were, and how it ended."""
    heard: list[bytes] = []

    def hear(one: bytes) -> bool:
        heard.append(one)
        return True

    argv = script(path / "far.py", code).split()
    return heard, HostConnection(argv, silent_s).follow(hear, lambda: len(heard) < wanted)


def pids(path: Path) -> list[int]:
    return [int(word) for word in (path / "pids").read_text().split()]


def noting(path: Path) -> str:
    """Code by which a process leaves its number."""
    return f"open({str(path / 'pids')!r}, 'a').write(f'{{os.getpid()}} ')\n"


def test_lines_come_as_they_are_printed_and_the_end_has_its_last_words(tmp_path: Path) -> None:
    heard, end = follow(tmp_path, 'print("one"); print("first\\nlast word", file=sys.stderr); sys.exit(3)')
    assert heard == [b"one"]
    assert end == End(3, "last word")


def test_an_end_without_words_has_its_code(tmp_path: Path) -> None:
    assert follow(tmp_path, "sys.exit(7)")[1] == End(7, "the command has ended with code 7")


@pytest.mark.parametrize("argv", [["/no/such/program"], ["/etc/passwd"], ["/"], ["a\0b"]])
def test_a_command_that_cannot_be_started_is_no_program_that_is_missing_there(argv: list[str]) -> None:
    end = HostConnection(argv).follow(lambda _: True, lambda: True)
    assert end.code is None
    assert argv[0] in end.why


def test_of_several_states_at_once_only_the_newest_is_read() -> None:
    old, new = b'{"sessions": [1]}', b'{"sessions": [2]}'
    assert host_connection.newest([BEAT, old, new, BEAT]) == [new]
    assert host_connection.newest([BEAT, BEAT]) == [BEAT]
    assert host_connection.newest([]) == []


def test_a_line_without_end_ends_the_connection_in_bounded_memory(tmp_path: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    heard, end = follow(tmp_path, 'chunk = b"x" * 65536\nwhile True: os.write(1, chunk)')
    assert heard == []
    assert end == End(None, "it sends a line of more than 8 MB")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10, "KiB"


def test_a_line_of_nothing_but_small_values_ends_the_connection_unread(tmp_path: Path) -> None:
    heard, end = follow(tmp_path, 'print("[" + "{}," * 1_000_000 + "{}]")\nsignal.pause()')
    assert heard == []
    assert end == End(None, "it sends a line of more than 250,000 values")


def test_silence_ends_the_connection(tmp_path: Path) -> None:
    assert follow(tmp_path, 'print("one")\nsignal.pause()', silent_s=0.3)[1] == End(None, "silent for 0 s")


def test_garbage_is_silence_however_much_of_it_there_is(tmp_path: Path) -> None:
    argv = script(tmp_path / "far.py", 'while True: print("garbage")').split()
    end = HostConnection(argv, 0.5).follow(lambda _: False, lambda: True)
    assert end == End(None, "silent for 0 s")


def test_nobody_is_silent_because_we_are_slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For each second of work there are some of rest, in which nothing is read. Only our own time goes by here."""
    heard: list[bytes] = []
    read, ours = tmp_path / "read", [0.0]

    def hear(one: bytes) -> bool:
        heard.append(one)
        ours.append(2.0)
        read.touch()
        return True

    monkeypatch.setattr(host_connection, "time", SimpleNamespace(monotonic=lambda: sum(ours), sleep=ours.append))
    code = f'print("one", flush=True)\nwhile not os.path.exists({str(read)!r}): time.sleep(0.01)\nprint("two")'
    end = HostConnection(script(tmp_path / "far.py", code).split(), silent_s=0.5).follow(hear, lambda: True)
    assert heard == [b"one", b"two"]
    assert end.code == 0


def test_one_that_never_says_that_nothing_is_new_may_be_silent(tmp_path: Path) -> None:
    code = 'print("one"); time.sleep(1); print("two")'
    assert follow(tmp_path, code, wanted=2, silent_s=None)[0] == [b"one", b"two"]


def test_a_flood_of_complaints_neither_fills_the_memory_nor_takes_the_core(tmp_path: Path) -> None:
    code = """
import threading
flood = lambda: [os.write(2, b"complaint " * 6000 + b"\\n") for _ in iter(int, 1)]
threading.Thread(target=flood, daemon=True).start()
for number in range(10**9): print(number); time.sleep(0.05)
"""
    cpu, begun = time.thread_time(), time.monotonic()
    heard, end = follow(tmp_path, code, wanted=20)
    assert len(heard) >= 20
    assert end.why == ""
    assert time.thread_time() - cpu < 0.5 * (time.monotonic() - begun)


def test_its_last_words_are_bounded(tmp_path: Path) -> None:
    _, end = follow(tmp_path, 'sys.stderr.write("x" * 10**7 + "\\n" + "y" * 10**6)')
    assert len(end.why) <= 200


def test_a_command_that_ignores_a_polite_end_is_ended(tmp_path: Path) -> None:
    code = noting(tmp_path) + 'signal.signal(signal.SIGTERM, signal.SIG_IGN); print("one")\nwhile True: signal.pause()'
    heard, _ = follow(tmp_path, code, wanted=1)
    assert heard == [b"one"]
    until(lambda: not any(map(is_there, pids(tmp_path))), "its end")


def test_what_it_has_started_ends_with_it(tmp_path: Path) -> None:
    """Also if the command itself has ended, and a child of it keeps the pipe open and ignores a polite end."""
    code = f"""
if os.fork() == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    {noting(tmp_path)}    print("the child")
    while True: signal.pause()
{noting(tmp_path)}print("the command")
"""
    argv = script(tmp_path / "far.py", code).split()

    def command_lives() -> bool:
        return not (tmp_path / "pids").exists() or len(pids(tmp_path)) < 2 or all(map(is_there, pids(tmp_path)))

    HostConnection(argv, FOREVER_S).follow(lambda _: True, command_lives)
    until(lambda: not any(map(is_there, pids(tmp_path))), "the end of both")


def test_a_child_that_keeps_its_errors_open_does_not_hold_the_end_up(tmp_path: Path) -> None:
    """As the connection that ssh shares does (ControlPersist): it is a daemon, and stays."""
    code = f"""
if os.fork() == 0:
    os.setsid(); os.close(1)
    {noting(tmp_path)}    time.sleep(60)
    os._exit(0)
print("last word", file=sys.stderr); os._exit(5)
"""
    _, end = follow(tmp_path, code)
    assert end == End(5, "last word")
    until((tmp_path / "pids").exists)
    (daemon,) = pids(tmp_path)
    assert is_there(daemon)
    os.kill(daemon, 9)


def test_its_standard_input_ends_with_us(tmp_path: Path) -> None:
    """Also when we are killed: by that the other side knows that nobody reads any more."""
    far = noting(tmp_path) + 'print("one"); sys.stdin.read()'
    argv = script(tmp_path / "far.py", far).split()
    hear = "lambda line: print('heard', flush=True) or True"
    code = f"from fleet.host_connection import HostConnection; HostConnection({argv!r}).follow({hear}, lambda: True)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as ours:
        assert ours.stdout
        assert ours.stdout.readline() == b"heard\n"
        ours.kill()
    until(lambda: not any(map(is_there, pids(tmp_path))), "the end of the other side", PATIENCE_S)


def test_nobody_wants_it_any_more(tmp_path: Path) -> None:
    looks = iter([True, True, False])
    argv = script(tmp_path / "far.py", "signal.pause()").split()
    assert HostConnection(argv, None).follow(lambda _: True, lambda: next(looks)) == End(None, "")
