"""One entry of the registry: what the client says of itself, read with care."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.registry_entry import CAPTURED, SESSION
from watcher.clients.base import Entry
from watcher.clients.claude.registry import decode


def test_an_entry_is_read_as_the_client_wrote_it() -> None:
    assert decode(json.dumps(CAPTURED).encode()) == Entry(
        pid=8929,
        session_id=SESSION,
        cwd="/home/me/proj",
        proc_start="86529",
        status="waiting",
        waiting_for="permission prompt",
        status_at=1794796320.194,
        started_at=1794796315.517,
        entrypoint="cli",
        title="proj-5a",
        pane="%0",
    )


def test_an_entry_before_the_first_prompt_has_no_status() -> None:
    entry = decode(b'{"pid": 5, "sessionId": "s"}')
    assert entry == Entry(pid=5, session_id="s")
    assert entry.status is None


def test_a_status_of_a_later_client_is_kept() -> None:
    entry = decode(json.dumps({**CAPTURED, "status": "dreaming"}).encode())
    assert entry
    assert entry.status == "dreaming"


@pytest.mark.parametrize("kind", [{"kind": "bg", "spare": True}, {"kind": "daemon"}, {"kind": "daemon-worker"}])
def test_a_client_that_serves_others_or_was_started_ahead_has_no_session(kind: dict[str, Any]) -> None:
    entry = decode(json.dumps({**CAPTURED, **kind}).encode())
    assert entry
    assert not entry.has_session


def test_of_a_session_in_the_background_the_name_is_the_prompts_and_no_title() -> None:
    entry = decode(json.dumps({**CAPTURED, "kind": "bg"}).encode())
    assert entry
    assert entry.has_session
    assert entry.title == ""


@pytest.mark.parametrize(
    "field", ["cwd", "procStart", "status", "waitingFor", "statusUpdatedAt", "startedAt", "kind", "name"]
)
@pytest.mark.parametrize("value", [None, True, [], {"a": 1}, -1, float("nan"), float("inf"), 10**400, ["x"]])
def test_a_field_of_another_type_is_as_good_as_missing(field: str, value: Any) -> None:
    without = {name: kept for name, kept in CAPTURED.items() if name != field}
    assert decode(json.dumps({**CAPTURED, field: value}).encode()) == decode(json.dumps(without).encode())


@pytest.mark.parametrize("pid", [None, 0, -5, True, 1.5, "8929", [1]])
def test_without_a_pid_there_is_no_entry(pid: Any) -> None:
    assert decode(json.dumps({**CAPTURED, "pid": pid}).encode()) is None


@pytest.mark.parametrize("session", [None, "", 5, "\x00\n"])
def test_without_a_session_there_is_no_entry(session: Any) -> None:
    assert decode(json.dumps({**CAPTURED, "sessionId": session}).encode()) is None


def test_texts_can_always_be_shown_and_written_down_again() -> None:
    hostile = {"name": "a\x1b[31m\u202eb\ud800", "cwd": "/x\ud800", "status": "busy\n"}
    entry = decode(json.dumps({**CAPTURED, **hostile}).encode())
    assert entry
    assert entry.title
    assert entry.title.isprintable()
    assert (entry.cwd, entry.status) == ("", "busy")
    assert "".join([entry.title, entry.cwd, entry.status or ""]).encode()


@settings(deadline=None, database=None)
@given(
    st.binary()
    | st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists).map(
        lambda v: json.dumps(v).encode()
    )
)
def test_garbage_is_no_entry_and_no_error(data: bytes) -> None:
    assert decode(data) is None


@pytest.mark.parametrize("data", [b"", b"{", b"[" * 100_000, b"null", b"\xff\xfe", json.dumps(CAPTURED).encode()[:-1]])
def test_half_a_file_is_no_entry(data: bytes) -> None:
    assert decode(data) is None


@pytest.mark.parametrize(
    ("told", "pane"), [("0:@0.%12", "%12"), ("a.%3:@1.%4", "%4"), ("0:@0.%1;x", ""), (7, ""), ("%", "")]
)
def test_the_pane_of_tmux_is_taken_from_what_the_client_says(told: Any, pane: str) -> None:
    entry = decode(json.dumps({**CAPTURED, "tmux": told}).encode())
    assert entry is not None
    assert entry.pane == pane
