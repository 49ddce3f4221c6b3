"""The new lines of a file that grows, moves, shrinks, breaks and comes back."""

from __future__ import annotations

import itertools
import json
import os
import resource
import shutil
import subprocess
import sys
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.transcript_lines import NOON, TRANSCRIPTS, assistant, calls, prompt, recorded, result, text_block, user
from watcher.clients.claude.transcript import gist, opens_turn, parse
from watcher.clients.claude.transcripts import find_transcript
from watcher.files import openable
from watcher.files.tail import (
    AT_ONCE,
    BLOCK,
    FIRST_BLOCK,
    FIRST_SIGHT,
    JUMP,
    LONGEST_LINE,
    News,
    Tail,
    Trouble,
)
from watcher.rules.turn import Call, Result, Said, Turn, fold_all

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MIB = 1024 * 1024
GIB = 1024 * MIB
NOTHING = News([])


def never(line: bytes) -> bool:
    return False


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


@pytest.fixture
def tail(path: Path) -> Tail:
    return Tail(str(path), never, gist)


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def all_news(tail: Tail) -> list[bytes]:
    lines: list[bytes] = []
    while True:
        news = tail.read_new()
        lines += news.lines
        if not news.more:
            return lines


class System:
    """The system as the tail sees it, with a count of what it costs and, where a test wants it, other answers."""

    def __init__(self) -> None:
        self.bytes = self.reads = self.opened = 0
        self.denied = False
        self.shown: Path | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def stat(self, path: str) -> os.stat_result:
        return os.stat(self.shown or path)

    def open(self, path: str, flags: int) -> int:
        self.opened += 1
        if self.denied:
            raise PermissionError
        return os.open(path, flags)

    def pread(self, fd: int, size: int, offset: int) -> bytes:
        data = os.pread(fd, size, offset)
        self.bytes += len(data)
        self.reads += 1
        return data


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> System:
    stand_in = System()
    monkeypatch.setattr("watcher.files.tail.os", stand_in)
    return stand_in


def peak(action: Callable[[], object]) -> int:
    """The most memory this takes at one time."""
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_each_line_comes_once_and_in_order(path: Path, tail: Tail) -> None:
    path.write_bytes(b"one\ntwo\n")
    assert tail.read_new() == News([b"one", b"two"], fresh=True)
    append(path, b"three\nfour\n")
    assert tail.read_new() == News([b"three", b"four"])
    assert tail.read_new() == NOTHING


def test_half_a_line_waits_for_its_newline(path: Path, tail: Tail) -> None:
    path.write_bytes(b"one\ntw")
    assert tail.read_new().lines == [b"one"]
    append(path, b"o")
    assert tail.read_new().lines == []
    append(path, b"!\nthr")
    assert tail.read_new().lines == [b"two!"]
    append(path, b"ee\n")
    assert tail.read_new().lines == [b"three"]


def test_a_file_of_one_half_line_has_no_line_yet(path: Path, tail: Tail) -> None:
    path.write_bytes(b"on")
    assert tail.read_new() == News([], fresh=True)
    append(path, b"e\n")
    assert tail.read_new().lines == [b"one"]


def test_an_empty_file_is_seen_and_then_followed(path: Path, tail: Tail) -> None:
    path.touch()
    assert tail.read_new() == News([], fresh=True)
    append(path, b"one\n")
    assert tail.read_new() == News([b"one"])


def test_odd_bytes_are_passed_on_and_empty_lines_are_not(path: Path, tail: Tail) -> None:
    path.write_bytes(b"\xff\xfe\n\n\0\0\0\n")
    assert tail.read_new().lines == [b"\xff\xfe", b"\0\0\0"]
    append(path, b"\n\x80\r\n\0")
    assert tail.read_new().lines == [b"\x80\r"]


def test_an_unchanged_file_costs_neither_an_open_nor_a_read(path: Path, tail: Tail, system: System) -> None:
    path.write_bytes(b"one\n")
    tail.read_new()
    system.bytes = system.opened = 0
    assert tail.read_new() == NOTHING
    assert (system.opened, system.bytes) == (0, 0)


def test_a_grown_file_costs_what_is_new(path: Path, tail: Tail, system: System) -> None:
    path.write_bytes(b"x" * 99 + b"\n" + b"y" * FIRST_SIGHT + b"\n")
    tail.read_new()
    system.bytes = 0
    append(path, b"z" * 1000 + b"\n")
    assert tail.read_new().lines == [b"z" * 1000]
    assert system.bytes <= 1001 + 64


def test_a_touched_file_is_not_read_again(path: Path, tail: Tail, system: System) -> None:
    path.write_bytes(b"x" * 5000 + b"\n")
    tail.read_new()
    system.bytes = 0
    os.utime(path, (1, 1))
    assert tail.read_new() == NOTHING
    assert system.bytes <= 64


def test_no_descriptor_stays_open(path: Path) -> None:
    path.write_bytes(b"one\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 256), hard))
    try:
        tails = [Tail(str(path), never) for _ in range(1000)]
        assert all(one.read_new().lines == [b"one"] for one in tails)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_truncated_file_starts_afresh(path: Path, tail: Tail) -> None:
    path.write_bytes(b"one\ntwo\nthree\n")
    tail.read_new()
    path.write_bytes(b"new\n")
    assert tail.read_new() == News([b"new"], fresh=True)


def test_a_half_line_of_the_old_file_does_not_leak_into_the_new(path: Path, tail: Tail) -> None:
    path.write_bytes(b"one\nhalf")
    tail.read_new()
    path.write_bytes(b"new\n")
    append(path, b"more\n")
    assert tail.read_new().lines == [b"new", b"more"]


def test_a_replaced_file_starts_afresh_even_if_it_is_longer(path: Path, tail: Tail, tmp_path: Path) -> None:
    path.write_bytes(b"one\n")
    tail.read_new()
    other = tmp_path / "other"
    other.write_bytes(b"one\ntwo\n")
    other.replace(path)
    assert tail.read_new() == News([b"one", b"two"], fresh=True)


def test_a_file_rewritten_in_place_starts_afresh(path: Path, tail: Tail) -> None:
    path.write_bytes(b"one\n")
    tail.read_new()
    inode = path.stat().st_ino
    path.write_bytes(b"uno\ndue\n")
    assert path.stat().st_ino == inode
    assert tail.read_new() == News([b"uno", b"due"], fresh=True)


def test_a_file_rewritten_to_the_same_size_starts_afresh(path: Path, tail: Tail) -> None:
    path.write_bytes(b"one\n")
    os.utime(path, (1, 1))
    tail.read_new()
    path.write_bytes(b"uno\n")
    assert tail.read_new() == News([b"uno"], fresh=True)


def test_a_file_that_vanishes_and_comes_back_goes_on_where_it_was(path: Path, tail: Tail, tmp_path: Path) -> None:
    path.write_bytes(b"one\nha")
    tail.read_new()
    away = path.rename(tmp_path / "away")
    assert tail.read_new() == News([], trouble=Trouble.GONE)
    append(away, b"lf\ntwo\n")
    away.rename(path)
    assert tail.read_new() == News([b"half", b"two"])


def test_a_file_that_moved_is_followed_to_its_new_place(path: Path, tail: Tail, tmp_path: Path) -> None:
    path.write_bytes(b"one\n")
    tail.read_new()
    tail.path = str(path.rename(tmp_path / "moved.jsonl"))
    append(tmp_path / "moved.jsonl", b"two\n")
    assert tail.read_new() == News([b"two"])


def test_a_file_not_there_yet_is_gone_until_it_comes(path: Path, tail: Tail) -> None:
    assert tail.read_new().trouble is Trouble.GONE
    assert Tail(f"{path}/below/a/missing/folder", never).read_new().trouble is Trouble.GONE
    path.write_bytes(b"one\n")
    assert Tail(f"{path}/below/a/file", never).read_new().trouble is Trouble.GONE
    assert tail.read_new() == News([b"one"], fresh=True)


def test_a_symlink_is_followed(path: Path, tail: Tail, tmp_path: Path) -> None:
    real = tmp_path / "real.jsonl"
    real.write_bytes(b"one\n")
    path.symlink_to(real)
    assert tail.read_new().lines == [b"one"]
    append(real, b"two\n")
    assert tail.read_new() == News([b"two"])


def test_a_folder_a_fifo_or_a_device_in_the_files_place_is_unfit_and_never_blocks(path: Path, tail: Tail) -> None:
    path.mkdir()
    assert tail.read_new().trouble is Trouble.UNFIT
    path.rmdir()
    os.mkfifo(path)
    assert tail.read_new().trouble is Trouble.UNFIT
    assert Tail("/dev/zero", never).read_new().trouble is Trouble.UNFIT


def test_a_fifo_that_takes_the_files_place_in_the_last_moment_never_blocks(
    path: Path, tail: Tail, system: System
) -> None:
    os.mkfifo(path)
    system.shown = path.with_name("file")
    system.shown.write_bytes(b"one\n")
    assert tail.read_new().trouble is Trouble.UNFIT


def test_a_name_that_no_file_can_have_is_trouble_and_no_crash(path: Path) -> None:
    for name in ("nul\0byte", "lone\ud800surrogate", "x" * 5000, f"{path}/" + "x" * 300):
        assert Tail(name, never).read_new().trouble in (Trouble.UNFIT, Trouble.GONE)
    path.symlink_to(path)
    assert Tail(str(path), never).read_new().trouble is Trouble.UNFIT


DENIED = """
import os, sys
sys.path.insert(0, sys.argv[2])
from watcher.files.tail import Tail, Trouble
if os.getuid() == 0:
    os.setgroups([]), os.setgid(65534), os.setuid(65534)
tail = Tail(sys.argv[1], lambda line: False)
assert tail.read_new().trouble is Trouble.DENIED, tail.read_new()
print("denied")
"""


def test_a_file_we_may_not_read_is_said_to_be_denied(path: Path, pytestconfig: pytest.Config) -> None:
    path.write_bytes(b"one\n")
    path.chmod(0)
    argv = [sys.executable, "-c", DENIED, str(path), str(pytestconfig.rootpath)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("denied\n", "")


def test_a_file_denied_at_first_is_read_when_it_may_be(path: Path, tail: Tail, system: System) -> None:
    path.write_bytes(b"one\n")
    system.denied = True
    assert tail.read_new().trouble is Trouble.DENIED
    system.denied = False
    assert tail.read_new() == News([b"one"], fresh=True)


def test_the_first_look_goes_back_to_the_block_with_the_line_that_is_enough(path: Path, system: System) -> None:
    turn = [b"prompt", *(b"%04d" % n + b"x" * 996 for n in range(40))]
    path.write_bytes(b"old\n" * 100_000 + b"\n".join(turn) + b"\n")
    news = Tail(str(path), lambda line: line == b"prompt").read_new()
    assert (news.fresh, news.lines[-41:]) == (True, turn)
    assert set(news.lines[:-41]) == {b"old"}
    assert system.bytes < 2 * 41_000 + FIRST_BLOCK


def test_the_first_look_brings_what_was_written_before_the_prompt_that_caused_it(path: Path) -> None:
    lines = recorded("schedule_wakes_the_agent_in_2_1_197")[:8]
    opening = max(n for n, line in enumerate(lines) if opens_turn(line))
    caused = lines[opening - 3 : opening - 1]
    assert [type(event) for line in caused for event in parse(line)] == [Call, Said, Result]
    path.write_bytes(b"\n".join(lines) + b"\n")
    assert set(caused) < set(Tail(str(path), opens_turn).read_new().lines)


@pytest.mark.parametrize("name", sorted(file.stem for file in TRANSCRIPTS.glob("*.jsonl")))
def test_the_first_look_at_a_recorded_transcript_tells_the_same_turn_as_all_of_it(path: Path, name: str) -> None:
    lines = recorded(name)
    path.write_bytes(b"{}\n" * FIRST_BLOCK + b"\n".join(lines) + b"\n")
    whole = fold_all(Turn(), (event for line in lines for event in parse(line)))
    seen = fold_all(Turn(), (event for line in Tail(str(path), opens_turn).read_new().lines for event in parse(line)))
    assert (seen.open, seen.how, seen.error, seen.calls) == (whole.open, whole.how, whole.error, whole.calls)
    assert (seen.prompted_at, seen.active_at, seen.ended_at) == (whole.prompted_at, whole.active_at, whole.ended_at)


def test_the_first_look_passes_over_a_result_of_25_kilobytes(path: Path) -> None:
    long = result("t1", toolUseResult={"stdout": "x" * 25_000})
    lines = [prompt(), calls("t1"), long, assistant(text_block("on it"))]
    path.write_bytes(prompt("older") + b"\n" + b"\n".join(lines) + b"\n")
    assert Tail(str(path), opens_turn).read_new().lines[-4:] == lines


def test_the_first_look_at_a_gigabyte_costs_what_a_megabyte_does(path: Path, system: System) -> None:
    turn = b"".join(line + b"\n" for line in recorded("approved"))
    costs = []
    for size in (MIB, GIB):
        with path.open("wb") as file:
            file.truncate(size)
            file.seek(0, os.SEEK_END)
            file.write(b"\n" + turn)
        system.bytes = 0
        assert len(Tail(str(path), opens_turn).read_new().lines) > 5
        costs.append(system.bytes)
    assert costs[0] > 0
    assert costs[1] <= 2 * costs[0]


def test_the_first_look_at_a_gigabyte_without_a_prompt_is_bounded(path: Path, system: System) -> None:
    filler = (b"x" * 999 + b"\n") * 4200
    with path.open("wb") as file:
        file.truncate(GIB)
        file.seek(0, os.SEEK_END)
        file.write(filler)
    tail = Tail(str(path), opens_turn)
    assert peak(tail.read_new) < 4 * FIRST_SIGHT
    assert FIRST_SIGHT <= system.bytes <= FIRST_SIGHT + 64
    assert system.reads < 12
    append(path, b"next\n")
    assert tail.read_new() == News([b"next"])


def test_a_half_line_whose_beginning_is_too_far_back_is_passed_over(path: Path, tail: Tail) -> None:
    path.write_bytes(b"one\n" + b"x" * (FIRST_SIGHT + 1))
    assert tail.read_new() == News([], fresh=True)
    append(path, b"xx\nnext\n")
    assert tail.read_new() == News([b"next"])


def test_a_line_as_long_as_allowed_comes_whole(path: Path, tail: Tail) -> None:
    path.touch()
    tail.read_new()
    append(path, b"x" * LONGEST_LINE + b"\n")
    assert all_news(tail) == [b"x" * LONGEST_LINE]


def huge(build: Callable[[str], bytes], size: int) -> bytes:
    """A line that holds texts of that size, for a file."""
    return build("@").replace(b"@", b"y" * size) + b"\n"


def a_result(text: str) -> bytes:
    """The outcome follows the time of the line, and may have times of its own."""
    line = user([{"tool_use_id": "t1", "type": "tool_result", "content": text}], at=7)
    outcome = {"stdout": text, "timestamp": "2001-01-01T00:00:00.000Z"}
    return line[:-1] + b',"toolUseResult":' + json.dumps(outcome, separators=(",", ":")).encode() + b"}"


def a_call(text: str) -> bytes:
    return assistant({"type": "tool_use", "id": "t1", "name": "Write", "input": {"content": text}}, at=7)


def test_a_line_of_100_megabytes_passes_in_bounded_memory_and_its_result_is_not_lost(path: Path, tail: Tail) -> None:
    path.write_bytes(b"one\n")
    tail.read_new()
    append(path, huge(a_result, 50 * MIB) + b"next\n")
    lines: list[bytes] = []
    assert peak(lambda: lines.extend(all_news(tail))) < 4 * LONGEST_LINE
    assert len(lines) == 2
    assert parse(lines[0]) == (Result(NOON + 7, "t1", None),)
    assert lines[1] == b"next"


def test_a_call_too_long_to_hold_has_still_begun(path: Path, tail: Tail) -> None:
    path.touch()
    tail.read_new()
    append(path, huge(a_call, LONGEST_LINE))
    assert [event for line in all_news(tail) for event in parse(line)] == [Call(NOON + 7, "t1", "Write")]


@pytest.mark.parametrize("shift", range(0, 60, 7))
def test_the_time_of_a_long_line_is_found_across_the_border_of_two_blocks(path: Path, tail: Tail, shift: int) -> None:
    path.touch()
    tail.read_new()
    before, _ = a_call("@").split(b'@"}}]')
    append(path, huge(a_call, LONGEST_LINE + BLOCK - len(before) - shift))
    assert [event for line in all_news(tail) for event in parse(line)] == [Call(NOON + 7, "t1", "Write")]


def test_a_flood_of_lines_comes_in_portions(path: Path, tail: Tail) -> None:
    path.touch()
    tail.read_new()
    flood = [b"%07d" % n + b"x" * 1000 for n in range(20_000)]
    append(path, b"\n".join(flood) + b"\n")
    first = tail.read_new()
    assert first.more
    assert sum(map(len, first.lines)) <= AT_ONCE
    assert first.lines + all_news(tail) == flood


def test_a_jump_beyond_all_bounds_is_looked_at_as_at_first_sight(path: Path, system: System) -> None:
    tail = Tail(str(path), lambda line: line == b"prompt")
    path.write_bytes(b"one\n")
    tail.read_new()
    with path.open("r+b") as file:
        file.truncate(JUMP + 5)
    append(path, b"\nprompt\nlast\n")
    system.bytes = 0
    news = tail.read_new()
    assert (news.fresh, news.lines[-2:], news.more) == (True, [b"prompt", b"last"], False)
    assert tail.cost <= FIRST_BLOCK
    assert system.bytes <= FIRST_BLOCK + 128
    append(path, b"next\n")
    assert tail.read_new() == News([b"next"]), "from there it goes on"


def test_without_a_portion_it_says_that_there_is_more_and_reads_nothing(path: Path, tail: Tail, system: System) -> None:
    path.write_bytes(b"one\n")
    assert tail.read_new(0).more
    assert (system.opened, tail.is_seen) == (0, False)
    assert tail.read_new() == News([b"one"], fresh=True)
    assert tail.read_new(0) == NOTHING


def test_a_file_that_is_shorter_than_it_says_is_not_asked_again_at_once(
    path: Path, tail: Tail, system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(b"one\n")
    tail.read_new()
    append(path, b"two\n")
    whole = system.pread
    monkeypatch.setattr(system, "pread", lambda fd, size, at: b"" if at >= 4 else whole(fd, size, at), raising=False)
    assert not tail.read_new().more


# --- which file may be opened


def link_to_a_key(folder: Path) -> str:
    (folder / "4711.key").write_bytes(b"secret\n")
    (folder / "link.jsonl").symlink_to(folder / "4711.key")
    return str(folder / "link.jsonl")


def key_file(folder: Path) -> str:
    (folder / "4711.key").write_bytes(b"secret\n")
    return str(folder / "4711.key")


def by_way_of_proc(folder: Path) -> str:
    (folder / "s.jsonl").write_bytes(b"one\n")
    return f"/proc/self/root{folder}/s.jsonl"


def by_way_of_dots(folder: Path) -> str:
    (folder / "s.jsonl").write_bytes(b"one\n")
    return f"/tmp/..//proc/self/root{folder}/s.jsonl"


@pytest.mark.parametrize("made", [link_to_a_key, key_file, by_way_of_proc, by_way_of_dots])
def test_what_is_no_transcript_is_never_opened(made: Callable[[Path], str], tmp_path: Path, system: System) -> None:
    news = Tail(made(tmp_path), never).read_new()
    assert (news.trouble, system.opened) == (Trouble.UNFIT, 0)


@pytest.mark.parametrize(("me", "owner", "is_fit"), [(7, 7, True), (7, 0, True), (7, 8, False), (0, 8, True)])
def test_only_root_reads_files_of_another_user(
    me: int, owner: int, is_fit: bool, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.touch()
    given = os.stat(path)
    monkeypatch.setattr("watcher.files.openable.os.geteuid", lambda: me)
    try:
        openable.check(os.stat_result([*given[:4], owner, *given[5:]]))
        assert is_fit
    except openable.UnfitError:
        assert not is_fit


def test_a_link_to_a_key_that_takes_the_files_place_in_the_last_moment_is_not_read(
    path: Path, tail: Tail, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(b"one\n")
    real_name = openable.real_name

    def swapped(name: str) -> str:
        found = real_name(name)
        path.unlink()
        path.symlink_to(key_file(tmp_path))
        return found

    monkeypatch.setattr("watcher.files.openable.real_name", swapped)
    assert tail.read_new() == News([], trouble=Trouble.UNFIT)


def test_a_folder_in_memory_is_one_like_others() -> None:
    assert openable.real_name("/dev/shm/claude/s.jsonl") == "/dev/shm/claude/s.jsonl"
    with pytest.raises(openable.UnfitError):
        openable.real_name("/dev/claude/s.jsonl")


def test_a_folder_that_is_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles" / "s.jsonl").write_bytes(b"one\n")
    (tmp_path / "claude").symlink_to(tmp_path / "dotfiles")
    assert Tail(str(tmp_path / "claude" / "s.jsonl"), never).read_new().lines == [b"one"]


@settings(max_examples=60, deadline=None)
@given(
    lines=st.lists(st.binary(max_size=40).map(lambda b: b.replace(b"\n", b"")).filter(len), max_size=12),
    cuts=st.lists(st.integers(0, 500), max_size=6),
    seen=st.booleans(),
)
def test_however_the_bytes_arrive_the_lines_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], cuts: list[int], *, seen: bool
) -> None:
    path = tmp_path_factory.mktemp("grown") / "s.jsonl"
    data = b"".join(line + b"\n" for line in lines)
    tail, got = Tail(str(path), never, gist), list[bytes]()
    if seen:
        path.touch()
        tail.read_new()
    borders = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    for start, end in itertools.pairwise(borders):
        append(path, data[start:end])
        got += tail.read_new().lines
    assert got == lines


@pytest.mark.parametrize("width", [1, 100, FIRST_BLOCK - 1, FIRST_BLOCK, FIRST_BLOCK + 1, 3 * FIRST_BLOCK])
def test_the_first_look_cuts_lines_of_any_length_right(path: Path, tail: Tail, width: int) -> None:
    lines = [bytes([65 + n]) * width for n in range(8)]
    path.write_bytes(b"\n".join(lines) + b"\n")
    assert tail.read_new().lines == lines


@pytest.fixture
def projects(tmp_path: Path) -> Path:
    for name in ("-home-me-proj", "-home-me-proj--claude-worktrees-a", "[odd]*"):
        (tmp_path / "projects" / name).mkdir(parents=True)
    return tmp_path / "projects"


def test_a_transcript_that_moved_into_a_worktrees_folder_is_found_again(projects: Path) -> None:
    moved = projects / "-home-me-proj--claude-worktrees-a" / "s1.jsonl"
    moved.write_bytes(b"one\n")
    assert find_transcript(str(projects.parent), "s1") == str(moved)


def test_of_two_transcripts_the_one_written_last_is_found(projects: Path) -> None:
    old, new = projects / "-home-me-proj" / "s1.jsonl", projects / "[odd]*" / "s1.jsonl"
    for file, at in ((new, 2000), (old, 1000)):
        file.write_bytes(b"one\n")
        os.utime(file, (at, at))
    assert find_transcript(str(projects.parent), "s1") == str(new)


def test_no_session_id_leads_out_of_the_projects(projects: Path) -> None:
    (projects.parent / "secret.jsonl").write_bytes(b"x\n")
    for name in ("../../secret", "..", "", "*", "s\0", "-home-me-proj/s1", "s" * 300):
        assert find_transcript(str(projects.parent), name) is None


def test_a_folder_or_a_missing_file_is_no_transcript(projects: Path, tmp_path: Path) -> None:
    assert find_transcript(str(projects.parent), "s1") is None
    (projects / "-home-me-proj" / "s1.jsonl").mkdir()
    assert find_transcript(str(projects.parent), "s1") is None
    shutil.rmtree(projects)
    assert find_transcript(str(tmp_path), "s1") is None
    assert find_transcript("nul\0byte", "s1") is None
