"""A screen that speaks to the desktop's notification server, in a thread of its own: if that hangs, nobody waits."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import traceback
from typing import TYPE_CHECKING

from statusbar.notifications.screen import Happened, Shown, What
from statusbar.notifications.server import NoServer, Number, Server
from statusbar.system.mailbox import Mailbox

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from statusbar.notifications.rules import Notice
    from statusbar.notifications.screen import Sound

    Job = Callable[[], Awaitable[None]]


class OverBus:
    def __init__(self, env: Mapping[str, str]) -> None:
        self._server = Server(env, self._was_clicked, self._was_closed)
        self._mailbox: Mailbox[Happened] = Mailbox()
        self._numbers: dict[Shown, Number] = {}  # only the thread below uses it
        # What the server says is one of the jobs: it may be about a notification whose number is not yet noted.
        self._jobs: asyncio.Queue[Job | None] = asyncio.Queue()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="notifications", daemon=True)

    # Called by the notifier

    def show(self, shown: Shown, *, sound: Sound) -> bool:
        if not self._thread.ident:
            self._thread.start()
        notice = shown.told
        self._do(lambda: self._show(shown, notice, sound))
        return True

    def replace(self, shown: Shown) -> None:
        notice = shown.told
        self._do(lambda: self._replace(shown, notice))

    def withdraw(self, shown: Shown) -> None:
        self._do(lambda: self._withdraw(shown))

    def descriptors(self) -> list[int]:
        return [self._mailbox.fileno()]

    def read(self, ready: Iterable[int]) -> list[Happened]:
        if self._mailbox.fileno() in ready:
            self._mailbox.woken()
        return self._mailbox.all()

    def close(self, patience_s: float) -> None:
        if self._thread.ident:
            self._do(None)
            self._thread.join(patience_s)
        else:
            self._loop.close()
        self._mailbox.close()

    def _do(self, job: Job | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._jobs.put_nowait, job)

    # In the thread

    def _run(self) -> None:
        with contextlib.closing(self._loop):
            self._loop.run_until_complete(self._work())

    async def _work(self) -> None:
        """One after the other, so that nothing is withdrawn before it is shown."""
        while job := await self._jobs.get():
            try:
                await job()
            except Exception:
                traceback.print_exc()  # the next one may still succeed
        await self._server.disconnect()

    async def _show(self, shown: Shown, notice: Notice, sound: Sound) -> None:
        try:
            number, remark = await self._server.show(notice, sound, self._numbers.get(shown))
        except NoServer as error:
            self._numbers.pop(shown, None)
            self._mailbox.put(Happened(What.FAILED, shown, str(error)))
        else:
            self._numbers[shown] = number
            self._mailbox.put(Happened(What.IS_SHOWN, shown, remark))

    async def _replace(self, shown: Shown, notice: Notice) -> None:
        """Not if the person has dismissed it meanwhile."""
        if shown in self._numbers:
            await self._show(shown, notice, sound=False)

    async def _withdraw(self, shown: Shown) -> None:
        number = self._numbers.pop(shown, None)
        if number:
            with contextlib.suppress(NoServer):  # it does not know the number, or has gone
                await self._server.close(number)

    # Called by the server

    def _was_clicked(self, number: Number, button: str) -> None:
        self._jobs.put_nowait(lambda: self._tell(What.CLICKED, number, button))

    def _was_closed(self, number: Number) -> None:
        self._jobs.put_nowait(lambda: self._tell(What.CLOSED, number))

    async def _tell(self, what: What, number: Number, words: str = "") -> None:
        shown = next((shown for shown, known in self._numbers.items() if known == number), None)
        if shown:
            if what is What.CLOSED:
                del self._numbers[shown]
            self._mailbox.put(Happened(what, shown, words))
