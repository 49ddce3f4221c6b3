"""Pages of somebody else in the same Chromium: they get nothing out of ours, but may link to it."""

from __future__ import annotations

import contextlib
import http.server
import threading
from typing import TYPE_CHECKING, Any

import pytest

from contract.status import NEEDS_APPROVAL
from support.page import has_heading, is_live, shows
from support.patience import until
from support.showing import just_now, put

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench.browser import Browser
    from support.serving import Serving

pytestmark = pytest.mark.series  # with `make test-clients`


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """A page of somebody else."""

    page = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.page)

    def log_message(self, *_: Any) -> None: ...


@contextlib.contextmanager
def elsewhere(page: str) -> Iterator[str]:
    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Page", (Elsewhere,), {"page": page.encode()}))
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{made.server_port}/"
    finally:
        made.shutdown()
        thread.join()
        made.server_close()


STEAL = """
const tried = [];
const source = new EventSource(arguments[0] + "/events", { withCredentials: true });
source.onmessage = source.onopen = () => tried.push("events");
const frame = document.createElement("iframe");
frame.src = arguments[0] + "/";
document.body.append(frame);
const script = document.createElement("script");
script.src = arguments[0] + "/page.js";
script.onload = () => tried.push("script");
document.body.append(script);
const ways = ["same-origin", "include"].flatMap((credentials) => ["cors", "no-cors"].map((mode) =>
  fetch(arguments[0] + "/", { credentials, mode })
    .then((answer) => answer.type === "opaque" || tried.push("fetch"), () => 0)));
Promise.all(ways).then(() => setTimeout(() => {
  let seen = "";
  try { seen = frame.contentDocument ? frame.contentDocument.body.innerText : ""; } catch { seen = ""; }
  if (seen.includes("shop")) tried.push("frame");
  done([tried, source.readyState]);
}, 500));
"""


# With the cookie, and without it: from another host, the browser does not send it.
REFUSED = ("Refused", "The link is needed")


def test_another_page_gets_nothing_out_of_it(open_page: Browser, web: Serving, home: Path) -> None:
    """On another port of the same host the browser sends the cookie along, and still."""
    put(home, just_now("shop", NEEDS_APPROVAL))
    shows(open_page, "shop")
    with elsewhere("<!doctype html><body>somebody else") as url:
        for origin in (url, url.replace("127.0.0.1", "localhost")):
            open_page.go(origin)
            tried, state = open_page.js_later(STEAL, web.origin)
            assert tried == []
            assert state == 2, "the stream is closed"
            open_page.js("location.href = arguments[0]", f"{web.origin}/")
            until(lambda: open_page.url() == f"{web.origin}/", open_page.url)
            until(lambda: has_heading(open_page, *REFUSED), open_page.title)


def test_a_link_on_another_page_opens_it_if_the_token_is_in_it(browser: Browser, web: Serving) -> None:
    with elsewhere(f"<!doctype html><a href='{web.told['url']}'>a message</a>") as url:
        browser.go(url.replace("127.0.0.1", "localhost"))
        browser.js("document.querySelector('a').click()")
        until(lambda: browser.url() == f"{web.origin}/", browser.url)
        until(lambda: is_live(browser), "the first board")
