"""What a browser asks for, as far as we look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FIELDS = 10  # of a query; more are refused
TOKEN = "token"  # noqa: S105 - its name in the link


class Request(NamedTuple):
    method: str
    path: str
    headers: Mapping[str, str]
    token: str = ""  # in the address

    @property
    def is_foreign(self) -> bool:
        """Whether another page has made the browser ask. Browsers say so; who is none has no cookie to be robbed of."""
        site = self.headers.get("sec-fetch-site", "none")
        origin = self.headers.get("origin", "")
        return site not in ("same-origin", "none") or origin not in ("", f"http://{self.host}")

    @property
    def is_navigation(self) -> bool:
        """Whether its answer becomes the whole of a tab."""
        return self.headers.get("sec-fetch-mode") == "navigate" and self.headers.get("sec-fetch-dest") == "document"

    @property
    def host(self) -> str:
        return self.headers.get("host", "")

    def cookie(self, name: str) -> str:
        """'' if there is none."""
        pairs = (part.strip().partition("=") for part in self.headers.get("cookie", "").split(";"))
        return next((value for key, _, value in pairs if key == name), "")


def of(scope: Mapping[str, Any]) -> Request:
    """From what ASGI has. A name that comes twice counts with its first value."""
    headers: dict[str, str] = {}
    for name, value in scope["headers"]:
        headers.setdefault(name.decode("latin-1"), value.decode("latin-1"))
    return Request(scope["method"], scope["path"], headers, _token(scope["query_string"]))


def _token(query: bytes) -> str:
    try:
        found = parse_qs(query.decode("ascii", "replace"), max_num_fields=FIELDS).get(TOKEN, [])
    except ValueError:
        return ""
    return found[0] if len(found) == 1 else ""
