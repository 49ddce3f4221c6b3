"""The other clients' transcripts, as real ones wrote them: titles, last words, open questions, model and context."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from contract.status import WAITING
from conversations import transcript_ends
from conversations.glimpse import NOTHING, WORDS, Glimpse
from conversations.reader import Conversations, read
from support.homes import MAIN, lay_down
from support.showing import HOSTILE, session

if TYPE_CHECKING:
    from pathlib import Path

SAID, ASKED, USED = "Main is done.", "Which colour?", 6200
TOLD = {
    "codex": Glimpse("done", SAID, ASKED, "scripted", USED, 258_400),
    "copilot": Glimpse("Fix the login page play one", SAID, ASKED, "scripted", USED, 128_000, "master"),
    "gemini": Glimpse("done", SAID, "", "gemini-2.5-pro", USED, 1_048_576),
    "qwen": Glimpse("Login that works", SAID, ASKED, "scripted", USED),
}
# The line with which each client answers the open question of its recording, and those after which it asks no more.
ANSWERS = {
    "codex": {"type": "response_item", "payload": {"type": "function_call_output", "call_id": "{call}"}},
    "copilot": {"type": "tool.execution_complete", "data": {"toolCallId": "{call}", "success": True}},
    "qwen": {"type": "tool_result", "toolCallResult": {"callId": "{call}", "status": "success"}},
}
TURNS = {
    "codex: the next one": {"type": "event_msg", "payload": {"type": "task_started", "turn_id": "t"}},
    "codex: its end": {"type": "event_msg", "payload": {"type": "task_complete", "turn_id": "t"}},
    "codex: interrupted": {"type": "event_msg", "payload": {"type": "turn_aborted", "reason": "interrupted"}},
    "copilot: the next one": {"type": "user.message", "data": {"content": "go on"}},
    "copilot: interrupted": {"type": "abort", "data": {"reason": "user initiated"}},
    "qwen: the next one": {"type": "user", "message": {"role": "user", "parts": [{"text": "go on"}]}},
}
CALLS = {
    "codex": ("request_user_input", "call_id"),
    "copilot": ("ask_user", "toolCallId"),
    "qwen": ("ask_user_question", "id"),
}


def add(path: Path, record: dict[str, Any]) -> None:
    with path.open("a") as file:
        file.write(json.dumps(record, separators=(",", ":")) + "\n")


def call_of(client: str, path: Path) -> str:
    """The id of the call that asks, as the recording has it."""
    tool, key = CALLS[client]
    line = next(line for line in reversed(path.read_text().splitlines()) if f'"{tool}"' in line)
    return line.split(f'"{key}":"')[1].split('"')[0]


@pytest.mark.parametrize("client", TOLD)
def test_what_a_real_client_wrote_is_told(client: str, tmp_path: Path) -> None:
    assert read(client, str(lay_down(client, tmp_path))) == TOLD[client]


@pytest.mark.parametrize("client", ANSWERS)
def test_a_question_is_open_until_it_is_answered(client: str, tmp_path: Path) -> None:
    path = lay_down(client, tmp_path)
    add(path, json.loads(json.dumps(ANSWERS[client]).replace("{call}", "another")))
    assert read(client, str(path)).question == ASKED
    add(path, json.loads(json.dumps(ANSWERS[client]).replace("{call}", call_of(client, path))))
    assert read(client, str(path)) == TOLD[client]._replace(question="")


@pytest.mark.parametrize("turn", TURNS)
def test_no_question_is_open_after_its_turn(turn: str, tmp_path: Path) -> None:
    client = turn.partition(":")[0]
    path = lay_down(client, tmp_path)
    add(path, TURNS[turn])
    assert read(client, str(path)) == TOLD[client]._replace(question="")


def test_a_plan_is_asked_for_by_its_first_line_and_thoughts_are_no_words(tmp_path: Path) -> None:
    path = lay_down("qwen", tmp_path)
    call = {"id": "p", "name": "exit_plan_mode", "args": {"plan": "# Fix the login\n1. Read it"}}
    parts = [{"text": "Should I?", "thought": True}, {"text": "This is the plan."}, {"functionCall": call}]
    add(path, {"type": "assistant", "model": "scripted", "message": {"role": "model", "parts": parts}})
    found = read("qwen", str(path))
    assert (found.question, found.last_words) == ("Fix the login", "This is the plan.")


def test_the_words_of_a_sub_agent_are_not_the_main_agents(tmp_path: Path) -> None:
    path = lay_down("copilot", tmp_path)  # the only client that writes both into one file
    lines = path.read_text().splitlines()
    spoken = next(number for number, line in enumerate(lines) if '"content":"Kid is done."' in line)
    path.write_text("\n".join(lines[: spoken + 1]) + "\n")
    assert read("copilot", str(path)).last_words == "The answer is one."


@pytest.mark.parametrize("client", TOLD)
def test_garbage_among_the_lines_is_passed_over(client: str, tmp_path: Path) -> None:
    path = lay_down(client, tmp_path)
    with path.open("ab") as file:
        for mark in ("assistant.message", "response_item", "gemini", "custom_title", "token_count", "turn_context"):
            file.write(b"\n".join([b'{"type":"%s"' % mark.encode(), b'["%s"]' % mark.encode(), b"[" * 9000, b"\xff\0"]))
            for value in (None, 7, "x", [], [7], {}, {"payload": 7, "data": [], "message": {"parts": 7}, "$set": 1}):
                raw = {"type": mark, "payload": value, "data": value, "message": value, "systemPayload": value}
                file.write(b"\n" + json.dumps(raw, separators=(",", ":")).encode() + b"\n")
    assert read(client, str(path)) == TOLD[client]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("client", TOLD)
def test_hostile_words_are_one_clean_line(client: str, text: str, tmp_path: Path) -> None:
    path = lay_down(client, tmp_path)
    quoted = json.dumps(text)[1:-1]
    for file in [*tmp_path.rglob("*.jsonl"), *tmp_path.rglob("*.yaml")]:
        known = file.read_text()
        for words in (SAID, ASKED, "Login that works", "Fix the login page play one", '"done"'):
            known = known.replace(words, f'"{quoted}"' if words == '"done"' else quoted)
        file.write_text(known, errors="surrogatepass")
    found = read(client, str(path))
    assert found.model == TOLD[client].model, "looked at nothing"
    for shown in (found.title, found.last_words, found.question):
        assert shown.isprintable()
        assert len(shown) <= WORDS


@pytest.mark.parametrize("client", TOLD)
def test_no_more_of_a_long_transcript_is_read_than_its_ends(
    client: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = lay_down(client, tmp_path)
    with path.open("ab") as file:
        file.write(b'{"type":"noise"}\n' * 400_000)
    asked, pread = [], os.pread

    def counted(fd: int, size: int, at: int) -> bytes:
        asked.append(size)
        return pread(fd, size, at)

    monkeypatch.setattr("conversations.transcript_ends.os.pread", counted)
    read(client, str(path))
    assert 0 < sum(asked) <= transcript_ends.FURTHEST + 2 * transcript_ends.HEAD


@pytest.mark.parametrize("client", ["codex", "copilot"])
def test_a_name_that_is_given_later_is_seen_though_the_transcript_is_the_same(client: str, tmp_path: Path) -> None:
    path, conversations = lay_down(client, tmp_path), Conversations()
    row = session("s", WAITING, client=client, transcript=str(path))
    assert conversations.of([row])["s"].title == TOLD[client].title
    if client == "codex":
        add(tmp_path / ".codex" / "session_index.jsonl", {"id": path.stem[-36:], "thread_name": "Another name"})
    else:
        note = path.parent / "workspace.yaml"
        note.write_text(note.read_text().replace(TOLD[client].title, "'Another name'"))
    assert conversations.of([row])["s"].title == "Another name"


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("Fix it", "Fix it"),
        ("'Fix: it''s red'", "Fix: it's red"),
        (r'"Fix: \"C:\\dir\" \u00e4"', 'Fix: "C:\\dir" ä'),
        (r'"Fix: \x41"', r"Fix: \x41"),
        ('"', '"'),
        (">-\n  Fix it\n  for good", "Fix it for good"),
        ("Fix it\n  for good", "Fix it for good"),
        ("|-\n  Fix it\n\nbranch: main", "Fix it"),
    ],
    ids=["plain", "quoted", "escaped", "escaped unlike JSON", "a quote", "folded", "over two lines", "a block"],
)
def test_a_name_is_read_as_yaml_writes_it(written: str, title: str, tmp_path: Path) -> None:
    path = lay_down("copilot", tmp_path)
    (path.parent / "workspace.yaml").write_text(f"id: x\nname: {written}\nuser_named: true\n")
    assert read("copilot", str(path)).title == title


def test_the_name_of_another_thread_is_not_taken(tmp_path: Path) -> None:
    path = lay_down("codex", tmp_path)
    add(tmp_path / ".codex" / "session_index.jsonl", {"id": "0" * 36, "thread_name": "Another one"})
    assert read("codex", str(path)).title == "done"


@pytest.mark.parametrize("client", ["codex", "copilot"])
def test_a_link_in_the_place_of_the_list_of_names_is_not_followed(client: str, tmp_path: Path) -> None:
    path = lay_down(client, tmp_path)
    beside = tmp_path / ".codex" / "session_index.jsonl" if client == "codex" else path.parent / "workspace.yaml"
    beside.rename(tmp_path / "key.txt")
    beside.symlink_to(tmp_path / "key.txt")
    assert read(client, str(path)) == TOLD[client]._replace(title="")


@pytest.mark.parametrize("client", MAIN)
def test_an_empty_transcript_tells_nothing(client: str, tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.touch()
    assert read(client, str(path)) == NOTHING
