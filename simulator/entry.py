"""What a client says of itself in the registry: a moment after it changes, and on disk a moment later still."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulator.client import Client

DUST_S = 0.001


class Entry:
    def __init__(self, client: Client) -> None:
        self._client, self._world = client, client.world
        self._due: tuple[str, ...] = ()
        self._told: tuple[str, ...] = ()
        self._stamped = self._written = 0.0

    def follow(self) -> None:
        """What its status is when the dust has settled: what lasts no time at all is never written."""
        if self._client.has_entry and self._client.speaks and self._client.gate.is_open and self._news != self._due:
            self._due = self._news
            self._world.stage.after(DUST_S, self._change)

    def has_rested(self, seconds: float) -> bool:
        return self._told[:1] in (("idle",), ("shell",)) and self._world.now - self._written > seconds

    @property
    def _news(self) -> tuple[str, ...]:
        return (*self._client.status(), self._client.session)

    def _change(self) -> None:
        news, world = self._news, self._world
        if not self._client.speaks or news == self._told:
            return
        name, number = "registry changes" if self._told else "registry begins", str(world.number("registry"))
        self._told = news
        own = self._stamped = max(self._stamped + DUST_S, world.now + world.delay(name, number))
        self._written = max(self._written + DUST_S, own + world.delay("registry is written", number))
        world.stage.at(self._written, lambda: self._write(news, own))

    def _write(self, news: tuple[str, ...], own: float) -> None:
        if not self._client.speaks:
            return
        (status, waiting_for, session), client, wall = news, self._client, self._world.wall
        entry = {
            "pid": client.pid,
            "sessionId": session,
            "cwd": "/home/me/proj",
            "startedAt": int(wall(client.began) * 1000),
            "procStart": str(round(self._world.tick(client.began) * 100)),
            "version": "2.1.325",
            "kind": "interactive",
            "entrypoint": "cli",
            "name": f"proj-{client.name}",
            "status": status,
            "statusUpdatedAt": int(wall(own) * 1000),
        }
        client.outlet.registry({**entry, **({"waitingFor": waiting_for} if waiting_for else {})})
