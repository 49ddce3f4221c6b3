"""Whoever sits at the terminals: what each deed means."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from simulator import lines
from simulator.client import KILLED, Client
from simulator.pane import Pane
from simulator.truth import SHARED, Episode

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulator.program import Deed
    from simulator.world import World

BEGINNINGS = ("start", "resume", "fork")


class People:
    def __init__(self, world: World) -> None:
        self._world = world
        world.make_pane = Pane
        self._clients: dict[str, Client] = {}

    def do(self, deed: Deed) -> None:
        client = self._clients.get(deed.session)
        if deed.do in BEGINNINGS:
            self._begin(deed)
        elif client and client.speaks and (client.gate.is_open or deed.do in ("cont", "kill")):
            deeds(client, deed)[deed.do]()

    def _begin(self, deed: Deed) -> None:
        """A session goes on in a new process if it is resumed, whether or not the old one still runs."""
        before = self._clients.get(deed.word)
        session = before.session if before and deed.do == "resume" else ""
        client = Client(self._world, deed.session, session)
        written = self._world.read(before.main.path) if before else []
        client.amends = lines.amends([json.loads(line) for line in written])
        client.repeats = written if deed.do == "fork" else []
        others = [other for other in self._world.clients if other.is_alive and other.session == session]
        if others:
            now, for_ever = self._world.now, float("inf")
            shared = [Episode(SHARED, (sharer.label, ""), now, for_ever) for sharer in (*others, client)]
            self._world.truth.episodes.extend(shared)
        elif before and session and before.was_killed:
            self._world.truth.begin(KILLED, (client.label, ""), self._world.now)  # it may as well be a second terminal
        self._clients[deed.session] = client
        self._world.clients.append(client)
        client.start({"start": "startup"}.get(deed.do, deed.do))


def deeds(client: Client, deed: Deed) -> dict[str, Callable[[], None]]:
    keyboard = client.keyboard
    return {
        "prompt": lambda: keyboard.prompt(deed.script),
        "goal": lambda: keyboard.goal(deed.script),
        "escape": keyboard.escape,
        "kill": client.kill,
        "exit": client.exit,
        "clear": client.clear,
        "stop": lambda: client.stop(stopped=True),
        "cont": lambda: client.stop(stopped=False),
        "background": keyboard.background,
        "menu": keyboard.open_menu,
        "close menu": keyboard.close_menu,
        "local": keyboard.local,
        "compact": lambda: keyboard.compact(deed.word, deed.takes),
    }
