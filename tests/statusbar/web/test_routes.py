"""Which answer each request gets: who is let in, and who is not."""

from __future__ import annotations

from typing import Any

import pytest

from statusbar.web import request as asking
from statusbar.web.access import Access
from statusbar.web.address import Address
from statusbar.web.request import Request
from statusbar.web.response import page
from statusbar.web.routes import EVENTS, FILES, PUBLIC, Routes

HOST = "127.0.0.1:7414"
TOKEN, WRONG = "a-token-that-is-long-enough", "another-one"
ACCESS = Access(TOKEN, 7414, lambda: 0.0)
ROUTES = Routes(ACCESS, Address("127.0.0.1", 7414), frozenset())
COOKIE = ACCESS.cookie.partition(";")[0]
NAVIGATES = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}


def asked(path: str = "/", method: str = "GET", token: str = "", **headers: str) -> Request:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Request(method, path, {"host": HOST, **named}, token)


def status(path: str = "/", method: str = "GET", token: str = "", **headers: str) -> int:
    return ROUTES.answer(asked(path, method, token, **headers)).status


def test_who_has_the_cookie_gets_the_page_and_its_events() -> None:
    assert all(status(path, cookie=COOKIE) == 200 for path in FILES)
    assert ROUTES.answer(asked(EVENTS, cookie=COOKIE)).is_stream
    assert status("/no-such-thing", cookie=COOKIE) == 404


def test_who_has_none_gets_nothing_that_tells_of_anybody() -> None:
    for path in (*FILES, EVENTS, "/no-such-thing"):
        assert status(path) == (200 if path in PUBLIC else 401), path
    for wrong in (
        "yourturn-7414=",
        "yourturn-7414=x",
        f"yourturn-1={COOKIE.partition('=')[2]}",
        f"x{COOKIE}",
        "=",
        ";;",
    ):
        assert status(cookie=wrong) == 401, wrong
    assert "?token=" in ROUTES.answer(asked()).body.decode(), "it says what to do"


def test_the_token_is_exchanged_for_a_cookie_and_goes_out_of_the_address() -> None:
    found = ROUTES.answer(asked(token=TOKEN))
    assert (found.status, dict(found.more)["location"]) == (303, "/")
    assert dict(found.more)["set-cookie"] == ACCESS.cookie
    assert TOKEN not in str(found)


def test_a_wrong_token_opens_nothing_not_even_with_a_cookie() -> None:
    assert status(token=WRONG) == status(token=WRONG, cookie=COOKIE) == 401
    assert "set-cookie" not in dict(ROUTES.answer(asked(token=WRONG)).more)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "get", ""])
def test_nothing_can_be_done_through_it(method: str) -> None:
    for path in (*FILES, EVENTS):
        assert status(path, method, cookie=COOKIE) == 405
    assert status("/", method, token=TOKEN) == 405


@pytest.mark.parametrize("host", ["evil.example:7414", "127.0.0.1:80", ""])
def test_another_host_gets_nothing_whatever_it_brings(host: str) -> None:
    for path in (*FILES, EVENTS):
        assert ROUTES.answer(asked(path, cookie=COOKIE, host=host)).status == 421
    assert ROUTES.answer(asked(token=TOKEN, host=host)).status == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"}, {"origin": "null"}, {"origin": f"https://{HOST}"},
        {"origin": "http://127.0.0.1:8000"}, {"sec_fetch_site": "cross-site"}, {"sec_fetch_site": "same-site"},
        {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "iframe"},
    ],
)  # fmt: skip
def test_another_page_gets_nothing_though_the_browser_brings_the_cookie(headers: dict[str, str]) -> None:
    for path in (*FILES, EVENTS):
        assert status(path, cookie=COOKIE, **headers) == 403, path
    assert status(token=TOKEN, **headers) == 403


def test_our_own_page_and_who_types_the_address_are_let_in() -> None:
    for headers in ({"sec_fetch_site": "same-origin"}, {"sec_fetch_site": "none"}, {"origin": f"http://{HOST}"}):
        assert status(EVENTS, cookie=COOKIE, **headers) == 200


def test_a_click_on_another_page_opens_with_the_token_and_by_a_step_of_our_own() -> None:
    """A cookie that is SameSite=Strict does not come with a redirect that began elsewhere."""
    headers: dict[str, Any] = {
        "sec_fetch_site": "cross-site",
        "sec_fetch_mode": "navigate",
        "sec_fetch_dest": "document",
    }
    found = ROUTES.answer(asked(token=TOKEN, **headers))
    assert found.status == 200
    assert b'http-equiv="refresh" content="0;url=/"' in found.body
    assert dict(found.more)["set-cookie"] == ACCESS.cookie
    assert status(token=WRONG, **headers) == 401
    assert status(cookie=COOKIE, **headers) == 403


def test_every_answer_has_all_guards() -> None:
    requests = [asked(), asked(cookie=COOKIE), asked(EVENTS, cookie=COOKIE), asked(token=TOKEN), asked(method="POST"),
                asked(host="x"), asked("/x", cookie=COOKIE), asked(origin="null"), *map(asked, PUBLIC)]  # fmt: skip
    for one in requests:
        headers = {name.decode(): value.decode() for name, value in ROUTES.answer(one).headers}
        policy = headers["content-security-policy"].split("; ")
        assert {"default-src 'none'", "frame-ancestors 'none'", "form-action 'none'"} <= set(policy)
        assert not [part for part in policy if "unsafe" in part or "*" in part]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert headers["content-type"].endswith("charset=utf-8")


def test_words_of_a_page_are_text() -> None:
    body = page(401, "<b>", "<script>alert(1)</script>&").body.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&amp;" in body
    assert "<script>" not in body


# What a request is made of


def scope(query: bytes = b"", *headers: tuple[bytes, bytes]) -> dict[str, Any]:
    return {"method": "GET", "path": "/", "headers": headers, "query_string": query}


@pytest.mark.parametrize(
    ("query", "token"),
    [(b"token=a", "a"), (b"token=a%2Db", "a-b"), (b"x=1&token=a", "a"), (b"token=a&token=b", ""), (b"token", ""),
     (b"\xff\xfe", ""), (b"&".join([b"a=1"] * 50) + b"&token=a", "")],
)  # fmt: skip
def test_the_token_is_found_in_the_address(query: bytes, token: str) -> None:
    assert asking.of(scope(query)).token == token


def test_a_cookie_is_found_among_others() -> None:
    found = asking.of(scope(b"", (b"cookie", b"a=1; yourturn-7414=x=y ;b"), (b"cookie", b"yourturn-7414=z")))
    assert (found.cookie("yourturn-7414"), found.cookie("a"), found.cookie("c")) == ("x=y", "1", "")
