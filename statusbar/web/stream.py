"""One open page: each board as a server-sent event, and a beat while nothing happens.

https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping
    from typing import Any

    from statusbar.web.latest_board import LatestBoard, Newest

    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

BEAT_S = 5.0  # the page takes the server for lost after two of these and a bit: SILENT_MS in page.js
RETRY_MS = 1000


def board(newest: Newest, now: float) -> bytes:
    """With the time here: the clock of the other side may be another one, and ages must be right there."""
    return f'id: {newest.number}\nevent: board\ndata: {{"now":{now:.3f},"board":{newest.text}}}\n\n'.encode()


def beat(now: float) -> bytes:
    """A comment for whoever is in between. Scripts do not get to see those, so there is an event with it."""
    return f": still here\nevent: beat\ndata: {now:.3f}\n\n".encode()


async def run(latest: LatestBoard, receive: Receive, send: Send, clock: Callable[[], float] = time.time) -> None:
    """Until the other side has gone."""
    gone = asyncio.ensure_future(_disconnected(receive))
    try:
        await _put(send, f"retry: {RETRY_MS}\n\n".encode())
        seen = 0
        while not gone.done():
            changed, newest = asyncio.ensure_future(latest.changed.wait()), latest.newest
            await _put(send, board(newest, clock()) if newest.number != seen else beat(clock()))
            seen = newest.number
            await asyncio.wait({changed, gone}, timeout=BEAT_S, return_when=asyncio.FIRST_COMPLETED)
            changed.cancel()
    finally:
        gone.cancel()


async def _put(send: Send, data: bytes) -> None:
    """Waits for as long as the other side takes nothing more."""
    await send({"type": "http.response.body", "body": data, "more_body": True})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
