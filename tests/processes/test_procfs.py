"""What is read from /proc, and the same from psutil: texts as they were captured."""

from __future__ import annotations

import os

import pytest

from processes.procfs import TICKS, flagged, parse_argv, parse_stat, tty_path
from processes.psutil_table import cut, lstart, parse_tty, since_boot

CLIENT = (
    b"8929 (claude) S 8928 8929 8929 34816 8929 4194304 64174 13679 0 3 284 31 19 7 20 0 9 0 86529 5838880768 69489"
    b" 18446744073709551615 34281728 152782944 140722141149648 0 0 0 0 3149824 2072145151 0 0 0 17 1 0 0 0 0 0"
    b" 152844064 367894528 1156943872 140722141158391 140722141158481 140722141158481 140722141159352 0\n"
)
ZOMBIE = (
    b"25716 (true) Z 25675 25328 5260 0 -1 4227084 50 0 1 0 0 0 0 0 20 0 1 0 169251 0 0 18446744073709551615 0 0 0 0"
    b" 0 0 0 0 0 1 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
)
FIRST_THREAD_ENDED = (
    b"25337 (python3) Z 25328 25328 5260 0 -1 4227084 2946 6503 4 0 4 0 3 2 20 0 2 0 168930 0 0 18446744073709551615"
    b" 0 0 0 0 0 0 0 16781318 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
)


def test_the_start_is_the_one_the_client_registers() -> None:
    proc = parse_stat(CLIENT)
    assert proc
    assert (proc.pid, proc.ppid, proc.name, proc.start) == (8929, 8928, "claude", "86529")
    assert proc.began == 86529 / TICKS
    assert not proc.forked


@pytest.mark.parametrize("name", [b"a b", b"))) S 1 1 (", b"tmux: client", b"\xff\xfe", b""])
def test_a_name_cannot_shift_the_fields(name: bytes) -> None:
    proc = parse_stat(CLIENT.replace(b"claude", name))
    assert proc
    assert (proc.pid, proc.ppid, proc.start) == (8929, 8928, "86529")
    assert proc.name == name.decode("utf-8", "replace")


def test_a_zombie_is_nothing() -> None:
    assert parse_stat(ZOMBIE) is None


def test_a_process_whose_first_thread_ended_goes_on() -> None:
    proc = parse_stat(FIRST_THREAD_ENDED)
    assert proc
    assert proc.pid == 25337


def test_a_fork_that_is_no_program_yet_is_told() -> None:
    proc = parse_stat(CLIENT.replace(b" 4194304 ", b" 4194368 "))
    assert proc
    assert proc.forked


@pytest.mark.parametrize("line", [b"", b"8929", b"8929 (claude) S 1", b"(", b")"])
def test_half_a_line_says_nothing_rather_than_gone(line: bytes) -> None:
    with pytest.raises(OSError, match="no stat line"):
        parse_stat(line)


@pytest.mark.parametrize(
    ("block", "argv"),
    [
        (b"sleep\x0060\0", ("sleep", "60")),
        (b"git\0-c\0core.askPass=\0", ("git", "-c", "core.askPass=")),
        (b"echo\0\0x\0", ("echo", "", "x")),
        (b"claude\0\0\0\0\0", ("claude",)),
        (b"\0\0", ()),
        (b"", ()),
        (b"cut off in the mid", ("cut off in the mid",)),
        (b"\xff\0", ("\N{REPLACEMENT CHARACTER}",)),
    ],
)
def test_arguments_come_apart_at_their_ends(block: bytes, argv: tuple[str, ...]) -> None:
    assert parse_argv(block) == argv


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        (b"AGENT_MODE=1\0HOME=/home/me\0", True),
        (b"HOME=/home/me\0AGENT_MODE=1\0", True),
        (b"HOME=/home/me\0AGENT_MODE=1", True),
        (b"AGENT_MODE=10\0", False),
        (b"AGENT_MODE=\0", False),
        (b"AGENT_MODE=true\0", False),
        (b"MY_AGENT_MODE=1\0", False),
        (b"X=AGENT_MODE=1\0", False),
        (b"AGENT_MODE=0\0AGENT_MODE=1\0", False),
        (b"", False),
    ],
)
def test_agent_mode_is_exactly_1(environ: bytes, said: bool) -> None:
    assert flagged(environ) is said


@pytest.mark.parametrize(
    ("major", "minor", "path"),
    [
        (136, 0, "/dev/pts/0"),
        (136, 7, "/dev/pts/7"),
        (137, 1, "/dev/pts/257"),
        (4, 2, "/dev/tty2"),
        (4, 64, None),
        (0, 0, None),
    ],
)
def test_a_terminal_is_named_by_its_device(major: int, minor: int, path: str | None) -> None:
    assert tty_path(os.makedev(major, minor)) == path


@pytest.mark.parametrize(
    ("line", "path"),
    [
        (b"ttys003\n", "/dev/ttys003"),
        (b"pts/0   \n", "/dev/pts/0"),
        (b"??\n", None),
        (b"?\n", None),
        (b"-\n", None),
        (b"", None),
    ],
)
def test_a_terminal_is_named_by_ps(line: bytes, path: str | None) -> None:
    assert parse_tty(line) == path


@pytest.mark.parametrize(
    ("raw", "text"),
    [(1762079580.734512, "Sun Nov  2 10:33:00 2025"), (1763259480.0, "Sun Nov 16 02:18:00 2025")],
)
def test_on_macos_the_start_reads_as_ps_prints_it(raw: float, text: str) -> None:
    assert lstart(raw) == text


def test_on_macos_a_start_moves_to_the_clock_since_boot_by_its_age() -> None:
    assert since_boot(1000.0, wall=1060.0, tick=500.0) == 440.0


def test_arguments_are_cut_at_a_bound_in_all() -> None:
    argv = cut(["sh", "-c", "x" * (1 << 20), "never"])
    assert argv[:2] == ("sh", "-c")
    assert len(argv) == 3
    assert sum(map(len, argv)) < 1 << 16
