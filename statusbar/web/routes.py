"""Which answer each request gets. Pure, but for the files of the page, which are read once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from statusbar.web.response import Response, page

if TYPE_CHECKING:
    from statusbar.web.access import Access
    from statusbar.web.address import Address
    from statusbar.web.request import Request

FOLDER = f"{os.path.dirname(os.path.abspath(__file__))}/page"
FILES = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/style.css": ("style.css", "text/css; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
}
PUBLIC = ("/style.css", "/page.js")  # they say nothing of anybody
EVENTS = "/events"
READING = ("GET", "HEAD")
STREAM = Response(200, kind="text/event-stream; charset=utf-8", is_stream=True)
ONLY_READ = "Nothing can be changed through this page."
WRONG_HOST = "This address is not one that the page is served at. Open the link as it was printed."
FOREIGN = "Another page has asked for this one. Open the link yourself: from the terminal, or in the address bar."
# Whoever reads this is a stranger: it names no command, since that may be a path of this machine.
NEEDED = """Open the link that was printed when this page was started: it ends with ?token=… Each start has a new one,
unless it was started with --token-file."""


class Routes:
    def __init__(self, access: Access, address: Address, own_names: frozenset[str]) -> None:
        self._access, self._address, self._own_names = access, address, own_names
        self._files = {path: Response(200, _content(name), kind) for path, (name, kind) in FILES.items()}

    def answer(self, request: Request) -> Response:
        if not self._address.is_named(request.host, self._own_names):
            return page(421, "Wrong address", WRONG_HOST)
        if request.method not in READING:
            return page(405, "Only to be read", ONLY_READ, ("allow", ", ".join(READING)))
        if request.token:
            return self._entered(request)
        if request.is_foreign:
            return page(403, "Refused", FOREIGN)
        if request.path in PUBLIC:
            return self._files[request.path]
        if not self._access.knows(request.cookie(self._access.name)):
            return page(401, "The link is needed", NEEDED)
        if request.path == EVENTS:
            return STREAM
        return self._files.get(request.path) or page(404, "Not found", "There is nothing at this address.")

    def _entered(self, request: Request) -> Response:
        """The token goes out of the address at once: it would stay in the history, and be seen on the screen."""
        if request.is_foreign and not request.is_navigation:
            return page(403, "Refused", FOREIGN)
        if not self._access.accepts(request.token):
            return page(401, "The link is not valid", NEEDED)
        cookie = ("set-cookie", self._access.cookie)
        if request.is_foreign:
            # After a click on another page, browsers keep the cookie back for as long as they only follow us.
            return page(200, "One moment", "The board is opened.", cookie, refresh="/")
        return Response(303, more=(("location", "/"), cookie))


def _content(name: str) -> bytes:
    with open(f"{FOLDER}/{name}", "rb") as file:
        return file.read()
