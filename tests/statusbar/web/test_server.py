"""The page over real HTTP, from a process of its own."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import time
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from contract.status import NEEDS_APPROVAL, WORKING
from statusbar.web.server import MOST_STREAMS
from support.other_machines import collector, host, put_host
from support.patience import PATIENCE_S, until
from support.serving import Serving, boards, events, serving
from support.showing import HOSTILE, hostile, just_now, put, session, watcher

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SLOW_READERS = 64
MUCH = 150  # changes, each of tens of kilobytes: more than all buffers between two sockets hold
MOST_GROWTH = 40 << 20


def test_the_first_link_is_exchanged_for_a_cookie_without_which_nothing_is_told(web: Serving, home: Path) -> None:
    put(home, session("secret-project", NEEDS_APPROVAL))
    for path in ("/", "/events", "/?token=wrong", "/?token="):
        found = web.get(path)
        assert found.status == 401, path
        assert "secret-project" not in found.body
        assert "?token=" in found.body, "it says what to do"
    web.enter()
    assert web.token not in web.cookie
    assert web.get("/").status == 200
    with web.asked("/events") as (answer, _):
        assert answer.status == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        until(lambda: "secret-project" in json.dumps(next(boards(answer))), "the board")


def test_each_start_has_a_link_of_its_own(home: Path) -> None:
    with serving(home) as one, serving(home) as other:
        assert one.token != other.token
        one.enter()
        other.cookie = one.cookie
        assert other.get("/").status == 401
        assert other.get(f"/?token={one.token}").status == 401


def test_nothing_can_be_sent_to_it(web: Serving) -> None:
    web.enter()
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        found = web.get("/", method)
        assert (found.status, found.headers["allow"]) == (405, "GET, HEAD")
    found = web.get("/events", "HEAD")
    assert (found.status, found.body) == (200, "")


def test_a_foreign_page_and_a_foreign_name_are_refused(web: Serving) -> None:
    web.enter()
    assert web.get("/events", Origin="http://evil.example").status == 403
    assert web.get("/", Sec_Fetch_Site="cross-site").status == 403
    assert web.get("/page.js", Sec_Fetch_Site="same-site").status == 403
    assert web.get("/", Host=f"evil.example:{web.port}").status == 421
    assert web.get("/", Host=f"localhost:{web.port}").status == 200


def test_what_changes_is_told_at_once_and_in_order(web: Serving, home: Path) -> None:
    web.enter()
    with web.asked("/events") as (answer, _):
        told = events(answer)
        first = next(told)
        assert first["retry"] == "1000"
        numbers = []
        for detail in ("one", "two", "three"):
            put(home, just_now("a", NEEDS_APPROVAL, detail=detail))
            event = next(one for one in told if detail in one.get("data", ""))
            assert abs(json.loads(event["data"])["now"] - time.time()) < PATIENCE_S
            numbers.append(int(event["id"]))
        assert numbers == sorted(set(numbers))


def test_while_nothing_happens_there_is_a_beat(web: Serving) -> None:
    web.enter()
    with web.asked("/events") as (answer, _):
        beat = next(one for one in events(answer) if one.get("event") == "beat")
    assert beat[""] == "still here", "a comment, for whoever is in between"
    assert abs(float(beat["data"]) - time.time()) < PATIENCE_S


def test_without_a_watcher_the_page_is_told_that_nothing_is_known(tmp_path: Path) -> None:
    put(tmp_path, session("a", WORKING))
    with serving(tmp_path) as web:
        web.enter()
        with web.asked("/events") as (answer, _):
            made = next(boards(answer))
            assert (made["is_well"], made["sign"]["shape"]) == (False, "unknown")
            with watcher(tmp_path):
                assert next(one for one in boards(answer) if one["is_well"])["groups"]


def test_sessions_of_other_machines_are_told_too(web: Serving, home: Path) -> None:
    web.enter()
    with collector(home), web.asked("/events") as (answer, _):
        put_host(home, host("box"), just_now("a", NEEDS_APPROVAL))
        assert next(one for one in boards(answer) if one["groups"])["groups"][0]["rows"][0]["project"] == "box:a"


@pytest.mark.parametrize("text", [*HOSTILE.values(), "\r\n\r\nHTTP/1.1 200", "\nevent: board\ndata: {}"])
def test_no_name_breaks_out_of_its_event(text: str, web: Serving, home: Path) -> None:
    put(home, hostile(text))
    web.enter()
    with web.asked("/events") as (answer, _):
        made = next(one for one in boards(answer) if one["groups"])
    assert all(one.isprintable() for row in made["groups"][0]["rows"] for one in (row["name"], row["detail"]))


# Who takes up too much


def test_slow_readers_neither_hold_up_the_others_nor_get_a_backlog(web: Serving, home: Path) -> None:
    put(home, *(just_now(f"s{k}", detail="x" * 150) for k in range(100)))
    web.enter()
    with contextlib.ExitStack() as open_:
        slow = [open_.enter_context(web.asked("/events"))[0] for _ in range(SLOW_READERS)]
        quick = boards(open_.enter_context(web.asked("/events"))[0])
        before = psutil.Process(web.process.pid).memory_info().rss
        for number in range(MUCH):
            put(home, just_now("s0", detail=f"step {number}."))
            assert _first_with(f"step {number}.", quick), "the quick one sees every step"
        assert psutil.Process(web.process.pid).memory_info().rss - before < MOST_GROWTH
        for answer in slow:
            got = _first_with(f"step {MUCH - 1}.", boards(answer))
            assert got < MUCH // 2, "what it missed, it never gets"


def _first_with(text: str, told: Iterator[dict[str, Any]]) -> int:
    """How many boards there were until this stood in one."""
    return next(number for number, one in enumerate(told, 1) if text in json.dumps(one))


def test_there_is_a_bound_on_pages(web: Serving) -> None:
    web.enter()
    with contextlib.ExitStack() as open_:
        answers = [open_.enter_context(web.asked("/events"))[0] for _ in range(MOST_STREAMS)]
        assert {answer.status for answer in answers} == {200}
        found = web.get("/events")
        assert (found.status, found.headers["retry-after"]) == (503, "30")
        assert web.get("/").status == 200, "the page itself can still be loaded"
    until(lambda: web.get("/events", "HEAD").status == 200, "room again")


def test_garbage_is_answered_and_harms_nobody(web: Serving) -> None:
    web.enter()
    for garbage in (
        b"\x00\xff\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET http://evil/ HTTP/1.1\r\n\r\n",
        b"A" * 100_000,
    ):
        with _connected(web) as one, contextlib.suppress(ConnectionError):
            one.sendall(garbage)
            assert one.recv(12) in (b"HTTP/1.1 400", b"HTTP/1.1 421", b"")
    assert web.get("/").status == 200
    assert web.stop() == (0, "")


def _connected(web: Serving) -> socket.socket:
    return socket.create_connection(("127.0.0.1", web.port), timeout=PATIENCE_S)


# Its end


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_it_ends_at_once_with_pages_open_and_says_nothing(number: int, code: int, web: Serving, home: Path) -> None:
    put(home, *(session(f"s{k}") for k in range(50)))
    web.enter()
    with contextlib.ExitStack() as open_:
        for _ in range(10):
            open_.enter_context(web.asked("/events"))
        assert web.stop(number) == (code, "")


def test_after_a_restart_with_a_token_in_a_file_the_cookie_is_still_good(home: Path, tmp_path: Path) -> None:
    token = str(tmp_path / "token")
    with serving(home, "--listen", "127.0.0.1:0", "--token-file", token) as web:
        web.enter()
        web.process.kill()
        web.process.wait()
        with serving(home, "--listen", web.host, "--token-file", token) as again:
            assert again.token == web.token
            assert web.get("/").status == 200
