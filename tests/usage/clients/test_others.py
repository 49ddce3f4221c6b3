"""The other clients: where their transcripts are, and what of a real session is counted, once."""

from __future__ import annotations

import json
import shutil
from collections import Counter

import pytest

from support.homes import MAIN, SESSIONS, lay_down
from support.spending import NOON, Person, total
from usage import clients, ledger, reading, summary
from usage.clients import codex, gemini, qwen
from usage.tokens import Tokens

# As the API told them: 6,200 tokens given, 5,000 of these from its cache; 40 written, 15 of these thoughts.
ONE = Counter(messages=1, input=1200, output=40, read=5000)
# Answers of the API: the main agent's four (Gemini CLI: three), the sub-agent's, and one to Qwen Code's own helper.
ANSWERS = {"codex": 5, "copilot": 5, "gemini": 5, "qwen": 6}
APART = {"codex": 1, "gemini": 2}  # of these, the sub-agent's that stand in a file of its own
MODELS = {"codex": "scripted", "copilot": "scripted", "gemini": "gemini-2.5-pro", "qwen": "scripted"}
TODAY = "2026-11-18"


def times(number: int) -> Counter[str]:
    return Counter({name: number * count for name, count in ONE.items()})


@pytest.fixture(params=MAIN)
def client(request: pytest.FixtureRequest, person: Person) -> str:
    name = str(request.param)
    lay_down(name, person.root)
    return name


def test_what_a_real_client_wrote_is_counted_for_its_session(client: str, person: Person) -> None:
    key = (SESSIONS[client], TODAY, MODELS[client])
    assert {key: +sums for key, sums in person.looks().items()} == {key: times(ANSWERS[client])}


def test_a_second_look_counts_nothing_twice(client: str, person: Person) -> None:
    assert person.looks() == person.looks()


@pytest.mark.parametrize("client", MAIN)
def test_it_is_the_same_however_often_it_is_looked_at_while_it_is_written(client: str, person: Person) -> None:
    whole = lay_down(client, person.root / "elsewhere").read_bytes().splitlines(keepends=True)
    path = lay_down(client, person.root)
    shutil.rmtree(person.root / "elsewhere")
    path.write_bytes(b"")
    for line in whole:
        with path.open("ab") as file:
            file.write(line)
        found = person.looks()
    assert +total(found) == times(ANSWERS[client])
    assert {model for _, _, model in found} == {MODELS[client]}


@pytest.mark.parametrize("client", APART)
def test_a_transcript_that_was_seen_before_its_first_line_counts_for_its_session(client: str, person: Person) -> None:
    lay_down(client, person.root)
    whole = {path: path.read_bytes() for path in person.root.rglob("*.jsonl") if path.name != "session_index.jsonl"}
    for path in whole:
        path.write_bytes(b"")
    person.looks()
    for path, content in whole.items():
        path.write_bytes(content)
    assert {session for session, _, _ in person.looks()} == {SESSIONS[client]}


def test_the_folder_is_known(client: str, person: Person) -> None:
    person.looks()
    assert set(ledger.use(person.home, lambda book: book.folders()).values()) == {"/home/dev/proj"}


def test_the_transcripts_of_one_session_are_those_of_all_that_are_its_own(client: str, person: Person) -> None:
    module = clients.named(client)
    everything = [one for one in module.transcripts(person.env) if one.session == SESSIONS[client]]
    assert sorted(module.of_session(person.env, SESSIONS[client])) == sorted(everything)
    assert [one.path for one in everything if one.is_main] == [str(person.root / MAIN[client])]
    assert len(everything) == (2 if client in APART else 1)


@pytest.mark.parametrize("session", ["", ".", "..", "../proj", "a\0b", "01a1ec14-7aa7-7690-9bf8-0", "cfb55108"])
def test_no_other_session_id_leads_to_anything(session: str, client: str, person: Person) -> None:
    assert not list(clients.named(client).of_session(person.env, session))


def test_what_a_session_used_today_is_told_at_a_glance(client: str, person: Person) -> None:
    (person.root / "state").mkdir()
    spent = summary.today(person.home, SESSIONS[client], NOON + 43_200, person.env)
    assert spent is not None
    assert +Counter(spent.tokens._asdict()) == times(ANSWERS[client])
    assert spent.context == 6200


def test_the_model_is_known_when_the_turn_began_before_the_last_look(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "BLOCK", 1000)  # so that its line is in several of them
    path = lay_down("codex", person.root)
    lines = path.read_bytes().splitlines(keepends=True)
    begun = max(number for number, line in enumerate(lines) if b'"turn_context"' in line)
    lines[begun] = lines[begun].replace(b'"model":"scripted"', b'"model":"another"')
    path.write_bytes(b"".join(lines[: begun + 1]))
    assert {model for _, _, model in person.looks()} == {"scripted"}
    path.write_bytes(b"".join(lines))
    found = {model: sums["messages"] for (_, _, model), sums in person.looks().items()}
    assert found == {"scripted": 2, "another": 3}


def test_a_model_that_was_named_too_long_ago_is_unknown(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "BLOCK", 1000)
    monkeypatch.setattr(reading, "FURTHEST", 2000)
    path = lay_down("codex", person.root)
    lines = path.read_bytes().splitlines(keepends=True)
    spent = [number for number, line in enumerate(lines) if b'"token_usage_record"' in line]
    path.write_bytes(b"".join(lines[: spent[-1]]))
    person.looks()
    path.write_bytes(b"".join(lines))
    assert {model for _, _, model in person.looks()} == {"scripted", ""}


def test_a_rollout_that_was_put_away_is_not_counted_again(person: Person) -> None:
    path = lay_down("codex", person.root)
    before = total(person.looks())
    (person.root / ".codex" / "archived_sessions").mkdir()
    path.rename(person.root / ".codex" / "archived_sessions" / path.name)
    assert total(person.looks()) == before


def test_days_before_a_thread_was_made_are_not_looked_into(person: Person) -> None:
    path = lay_down("codex", person.root)
    old = person.root / ".codex" / "sessions" / "2026" / "11" / "16"
    old.mkdir()
    shutil.copy(path, old / path.name)
    assert [one.path for one in codex.of_session(person.env, SESSIONS["codex"]) if one.is_main] == [str(path)]
    assert len([one for one in codex.transcripts(person.env) if one.is_main]) == 2


@pytest.mark.parametrize("day", ["2026/11/17", "2026/12/01", "2027/01/02"])
def test_folders_of_local_days_and_of_later_ones_are_looked_into(day: str, person: Person) -> None:
    path = lay_down("codex", person.root)
    moved = person.root / ".codex" / "sessions" / day / path.name
    moved.parent.mkdir(parents=True)
    path.rename(moved)
    assert [one.path for one in codex.of_session(person.env, SESSIONS["codex"]) if one.is_main] == [str(moved)]


def test_a_call_that_is_recorded_twice_is_counted_once(person: Person) -> None:
    path = lay_down("copilot", person.root)
    record = json.loads(next(line for line in path.read_text().splitlines() if '"session.usage_record"' in line))
    with path.open("a") as file:
        file.write(json.dumps({**record, "id": "another line"}, separators=(",", ":")) + "\n")
    assert +total(person.looks()) == times(ANSWERS["copilot"])


def test_a_transcript_began_when_its_session_did() -> None:
    line = b'{"sessionId":"s","startTime":"2026-11-18T00:00:01Z","lastUpdated":"2026-11-18T00:00:09Z"}'
    assert gemini.opening(line).began == 1_794_960_001_000


def test_what_tools_and_thoughts_took_is_counted() -> None:
    used = {"input": 100, "cached": 40, "output": 5, "thoughts": 3, "tool": 7}
    line = json.dumps({"type": "gemini", "id": "a", "model": "m", "tokens": used})
    found = gemini.message(line.encode())
    assert found is not None
    assert found.tokens == Tokens(1, 67, 8, read=40)


@pytest.mark.parametrize(("whole", "output"), [(100 + 5, 5), (100 + 5 + 3, 8)], ids=["in the output", "beside it"])
def test_thoughts_are_counted_once_wherever_the_api_counts_them(whole: int, output: int) -> None:
    counts = {"input_token_count": 100, "output_token_count": 5, "thoughts_token_count": 3, "total_token_count": whole}
    event = {"event.name": "qwen-code.api_response", "response_id": "r", "model": "m", **counts}
    found = qwen.message(json.dumps({"systemPayload": {"uiEvent": event}}).encode())
    assert found is not None
    assert found.tokens == Tokens(1, 100, output)


@pytest.mark.parametrize("junk", [b"{", b"[]", b"7", b'{"type":7}', b"\xff\0", b"[" * 9000], ids=range(6))
def test_garbage_counts_nothing(junk: bytes, client: str, person: Person) -> None:
    marks = (b'"token_usage_record"', b'"session.usage_record"', b'"tokens"', b'"qwen-code.api_response"')
    with (person.root / MAIN[client]).open("ab") as file:
        file.write(b"\n".join([junk, *(mark + junk for mark in marks), *(junk + mark for mark in marks), b""]))
    assert +total(person.looks()) == times(ANSWERS[client])


@pytest.mark.parametrize("value", [-1, 1e9, "7", None, 10**12, True, [], {}], ids=str)
def test_what_is_no_number_of_tokens_counts_as_none(value: object, client: str, person: Person) -> None:
    path = person.root / MAIN[client]
    path.write_text(path.read_text().replace(":6200,", f":{json.dumps(value)},"))
    sums = +total(person.looks())
    assert sums["messages"] == ANSWERS[client]
    assert sums["input"] == 1200 * APART.get(client, 0)
