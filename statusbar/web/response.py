"""What a browser is given, and the headers that keep everybody else from it."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

# Own files only, no inline code, no forms, in nobody's frame; and texts cannot become elements, even by our mistake.
POLICIES = (
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src data:",
    "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    "trusted-types 'none'",
)  # fmt: skip
GUARDS = {
    "content-security-policy": "; ".join(POLICIES),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
HTML = "text/html; charset=utf-8"
PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{more}<title>{title} · yourturn</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
<main class="alone"><h1>{title}</h1><p>{words}</p></main>
</html>
"""


class Response(NamedTuple):
    status: int
    body: bytes = b""
    kind: str = HTML
    more: tuple[tuple[str, str], ...] = ()
    is_stream: bool = False  # the body goes on for as long as both sides are there

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        own = {"content-type": self.kind}
        own |= {} if self.is_stream else {"content-length": str(len(self.body))}
        return [(name.encode(), value.encode()) for name, value in (*own.items(), *GUARDS.items(), *self.more)]


def page(status: int, title: str, text: str, *more: tuple[str, str], refresh: str = "") -> Response:
    """A page of one sentence. `refresh`: where it leads to at once."""
    tag = f'<meta http-equiv="refresh" content="0;url={escape(refresh)}">\n' if refresh else ""
    made = PAGE.format(title=escape(title), words=escape(text), more=tag)
    return Response(status, made.encode(), more=more)
