"""Each answer is counted once, with its final figures, for the session where it happened."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.project import PROJECT
from support.spending import MODEL, NOON, Person, answer, counted, lines, prompt, recount, total, usage
from usage import count, ledger

if TYPE_CHECKING:
    from collections.abc import Callable

RECORDINGS = PROJECT / "tests" / "replay" / "transcripts"


def outputs(person: Person) -> dict[str, int]:
    """By session."""
    sums: Counter[str] = Counter()
    for (session, _day, _model), figures in person.looks().items():
        sums[session] += figures["output"]
    return dict(sums)


def test_all_recordings_of_the_real_client_are_counted_to_the_token(person: Person) -> None:
    where = person.root / ".claude" / "projects" / "-home-me-proj"
    shutil.copytree(RECORDINGS, where)
    found = person.looks()
    assert found == recount(person.contents())
    assert total(found)["messages"] > 70
    assert person.looks() == found


def test_an_answer_of_several_lines_counts_once_with_its_final_figures(person: Person) -> None:
    person.writes("s", prompt(), answer("a", 1), answer("a", 1), answer("a", 123))
    (figures,) = person.looks().values()
    assert figures == Counter(messages=1, input=3, output=123, read=5000)


def test_an_answer_that_is_cut_in_two_by_a_look_counts_once(person: Person) -> None:
    person.writes("s", answer("a", 1))
    assert outputs(person) == {"s": 1}
    person.writes("s", answer("a", 123))
    assert outputs(person) == {"s": 123}
    person.writes("s", answer("a", 7))
    assert outputs(person) == {"s": 123}


def test_half_a_line_counts_when_it_is_whole(person: Person) -> None:
    whole, path = lines(answer("a", 5), answer("b", 7)), person.writes("s")
    newline, size = whole.index(b"\n"), len(whole)
    expected = {1: 0, newline: 0, newline + 1: 5, newline + 2: 5, size - 1: 5, size: 12}
    for end, output in expected.items():
        with path.open("ab") as file:
            file.write(whole[file.tell() : end])
        assert outputs(person).get("s", 0) == output


@pytest.mark.parametrize("first_name", ["a-fork", "z-fork"])
@pytest.mark.parametrize("is_origin_seen_first", [True, False])
def test_what_a_fork_has_copied_counts_for_its_origin(
    person: Person, first_name: str, is_origin_seen_first: bool
) -> None:
    """The copies have the same times, and the id of the new session."""
    history = [answer("a", 5), answer("b", 7, NOON + 1)]
    sessions = {
        "origin": [prompt(NOON - 1), *history],
        first_name: [prompt(NOON + 60), *history, answer("c", 9, NOON + 61)],
    }
    for session in sessions if is_origin_seen_first else reversed(sessions):
        person.writes(session, *sessions[session])
        person.looks()
    assert outputs(person) == {"origin": 12, first_name: 9}
    assert person.looks() == recount(person.contents())


def test_lines_that_are_written_again_by_a_compaction_count_once(person: Person) -> None:
    person.writes("s", answer("a", 5), answer("b", 7))
    person.looks()
    person.writes("s", {"type": "system", "subtype": "compact_boundary"}, answer("b", 7), answer("c", 9))
    assert outputs(person) == {"s": 21}


def test_sub_agents_and_workflows_count_for_their_session(person: Person) -> None:
    person.writes("s", answer("a", 5))
    person.writes("s", answer("b", 7), agent="agent-1")
    person.writes("s", answer("c", 9), agent="workflow/agent-2")
    assert outputs(person) == {"s": 21}


def test_what_a_sub_agent_has_copied_of_its_parent_counts_once(person: Person) -> None:
    person.writes("s", answer("a", 5))
    person.writes("s", answer("a", 5), answer("b", 7), agent="agent-1")
    assert outputs(person) == {"s": 12}


def test_a_result_that_tells_of_the_usage_of_a_sub_agent_is_not_an_answer(person: Person) -> None:
    person.writes("s", {"type": "user", "toolUseResult": {"usage": usage(99)}, "message": {"usage": usage(99)}})
    assert outputs(person) == {}


def test_the_clients_own_words_cost_nothing(person: Person) -> None:
    person.writes("s", answer("a", 5, model="<synthetic>"), answer("b", 7, isApiErrorMessage=True))
    assert outputs(person) == {}


def test_what_was_counted_stays_counted_when_its_transcript_is_deleted(person: Person) -> None:
    path = person.writes("s", answer("a", 5))
    person.writes("fork", prompt(NOON + 1), answer("a", 5), answer("b", 7, NOON + 2))
    before = person.looks()
    path.unlink()
    assert person.looks() == before == recount({"s.jsonl": lines(answer("a", 5)), **person.contents()})


def test_a_transcript_that_is_moved_to_another_project_counts_once(person: Person) -> None:
    path = person.writes("s", answer("a", 5))
    person.looks()
    other = person.transcript("s", project="-home-me-shop-worktree")
    other.parent.mkdir()
    path.rename(other)
    person.writes("s", answer("b", 7), project=other.parent.name)
    assert outputs(person) == {"s": 12}


def shrunk(path: Path) -> None:
    os.truncate(path, len(lines(answer("a", 5))))


def replaced(path: Path) -> None:
    beside = path.with_suffix(".new")
    beside.write_bytes(lines(answer("a", 5)) * 20)
    beside.rename(path)


def written_anew(path: Path) -> None:
    path.write_bytes(lines(answer("a", 5), *(prompt() for _ in range(20))))


@pytest.mark.parametrize("change", [shrunk, replaced, written_anew])
def test_a_transcript_that_shrinks_or_is_replaced_is_counted_anew(
    person: Person, change: Callable[[Path], None]
) -> None:
    path = person.writes("s", answer("a", 5), answer("b", 7))
    assert outputs(person) == {"s": 12}
    change(path)
    assert outputs(person) == {"s": 5}
    assert person.looks() == recount(person.contents())


def test_what_stood_in_a_replaced_transcript_counts_for_the_fork_that_still_has_it(person: Person) -> None:
    path = person.writes("origin", prompt(NOON - 1), answer("a", 5), answer("b", 7))
    person.writes("fork", prompt(NOON + 60), answer("a", 5), answer("b", 9))
    assert outputs(person) == {"origin": 14}
    path.unlink()
    person.writes("origin", prompt(NOON - 1), answer("b", 7))
    assert outputs(person) == {"fork": 5, "origin": 9}


def test_an_answer_counts_for_the_day_of_its_first_line(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    midnight = NOON + 12 * 3600
    person.writes("s", answer("a", 5, midnight - 0.001), answer("a", 5, midnight), answer("b", 7, midnight))
    found = {day: figures["output"] for (_, day, _), figures in person.looks().items()}
    assert found == {"2026-11-17": 5, "2026-11-18": 7}


def test_an_answer_without_a_usable_time_counts_for_an_unknown_day(person: Person) -> None:
    for number, odd in enumerate(["never", "2026-11-17T12:00:00", "9999-12-31T00:00:00Z", "1970-01-01T00:00:00Z", 7]):
        person.writes("s", answer(str(number), 1, None, timestamp=odd))
    person.writes("s", answer("none", 1, None))
    assert {day: figures["output"] for (_, day, _), figures in person.looks().items()} == {"?": 6}


def test_absurd_figures_count_as_none(person: Person) -> None:
    odd: list[Any] = [-5, 10**12, 1.5, True, "9", None, [], 10**400]
    for number, value in enumerate(odd):
        spent = {
            **usage(value),
            "cache_creation": value,
            "server_tool_use": value,
            "cache_creation_input_tokens": value,
        }
        person.writes("s", answer(str(number), spent=spent))
    (figures,) = person.looks().values()
    assert figures == Counter(messages=len(odd), input=3 * len(odd), read=5000 * len(odd))


def test_cache_writes_are_split_by_how_long_they_are_kept(person: Person) -> None:
    split = {"ephemeral_5m_input_tokens": 500, "ephemeral_1h_input_tokens": 200}
    person.writes("s", answer("a", spent=usage(1, cache_creation_input_tokens=700)))
    person.writes("s", answer("a", spent=usage(9, cache_creation_input_tokens=700, cache_creation=split)))
    (figures,) = person.looks().values()
    assert (figures["written"], figures["written_1h"]) == (700, 200)


def test_garbage_between_the_lines_is_passed_over(person: Person) -> None:
    path = person.writes("s", answer("a", 5))
    odd = [
        b'{"usage"',
        b'"usage"',
        b"[" * 5000 + b'"usage"',
        b'\xff\x00"usage"',
        b"",
        b'{"type":"assistant","usage":1}',
    ]
    with path.open("ab") as file:
        file.write(
            b"\n".join([*odd, b'{"type":"assistant","message":{"usage":{},"model":[]}}', b'{"message":"usage"}\n'])
        )
    person.writes("s", answer("b", 7))
    assert outputs(person) == {"s": 12}


def test_only_transcripts_of_the_user_are_opened(person: Person) -> None:
    folder = person.writes("s", answer("a", 5)).parent
    (folder / "secret.key").write_bytes(lines(answer("key", 1000)))
    (folder / "link.jsonl").symlink_to(folder / "secret.key")
    (folder / "gone.jsonl").symlink_to(folder / "nothing.jsonl")
    (folder / "folder.jsonl").mkdir()
    os.mkfifo(folder / "pipe.jsonl")
    assert outputs(person) == {"s": 5}
    assert ledger.use(person.home, lambda book: count.look(book, person.env)) == 3


def test_a_link_to_a_transcript_elsewhere_counts_once(person: Person) -> None:
    folder = person.writes("s", answer("a", 5)).parent
    (folder / "link.jsonl").symlink_to(folder / "s.jsonl")
    assert total(person.looks())["output"] == 5


def test_hostile_names_break_nothing(person: Person) -> None:
    folder = person.writes("s", answer("a", 5)).parent
    Path(os.fsdecode(bytes(folder) + b"/\xff\x1b[31m.jsonl")).write_bytes(lines(answer("b", 7, cwd="/x\ud800\x1b[2J")))
    assert total(person.looks())["output"] == 12


def test_a_long_transcript_is_counted_in_portions(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(count, "PORTION", 1000)
    person.writes("s", *(answer(str(number // 3), number, NOON + number) for number in range(60)))
    told: list[tuple[int, int]] = []
    with ledger.Ledger(person.home) as book:
        count.look(book, person.env, lambda done, whole: told.append((done, whole)))
        assert counted(book) == recount(person.contents())
    assert len(told) > 5
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1] == person.transcript("s").stat().st_size


def test_an_interruption_loses_nothing_that_was_counted(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(count, "PORTION", 1000)
    person.writes("s", *(answer(str(number), 1, NOON + number) for number in range(60)))

    def interrupted(done: int, whole: int) -> None:
        if done > whole / 2:
            raise KeyboardInterrupt

    with ledger.Ledger(person.home) as book, pytest.raises(KeyboardInterrupt):
        count.look(book, person.env, interrupted)
    with ledger.Ledger(person.home) as book:
        assert 20 < total(counted(book))["messages"] < 60
    assert person.looks() == recount(person.contents())


def test_only_new_bytes_are_read(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    person.writes("s", *(answer(str(number), 1, NOON + number) for number in range(2000)))
    person.looks()
    person.writes("s", answer("new", 5))
    read = []
    pread = os.pread

    def noted(fd: int, size: int, offset: int) -> bytes:
        data = pread(fd, size, offset)
        read.append(len(data))
        return data

    monkeypatch.setattr("usage.reading.os.pread", noted)
    person.looks()
    assert 0 < sum(read) < 1000
    read.clear()
    person.looks()
    assert read == []


def test_a_transcript_that_tells_late_when_it_began_is_counted_again(person: Person) -> None:
    """Until it does, what it shares counts for the other one."""
    path = person.writes("a", answer("x", 5, None))
    person.writes("b", prompt(NOON), answer("x", 5, None))
    assert outputs(person) == {"b": 5}
    person.writes("a", prompt(NOON - 60))
    assert outputs(person) == {"a": 5}
    assert path.exists()
    assert person.looks() == recount(person.contents())
    assert {model for _, _, model in person.looks()} == {MODEL}
